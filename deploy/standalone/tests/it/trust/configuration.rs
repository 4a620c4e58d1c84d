//! Settings that the process rejects before it starts. No test here names an environment: without one, a process is in production.
use std::process::Command;

pub const SEED_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../seed/campaigns");

/// Each secret of production: the variable, a value that is accepted, and the public value of this repository.
pub const SECRETS: [(&str, &str, &str); 20] = [
    ("AI_API_KEY", "sk-0123456789abcdef", "sk-stillpoint"),
    (
        "ANALYTICS_HASH_KEY",
        "analytics-0123456789abcdef012345",
        "development-analytics-hash-key",
    ),
    (
        "AUTH_EMAIL_HASH_KEY",
        "emails-0123456789abcdef012345678",
        "development-email-hash-key",
    ),
    (
        "AUTH_LINK_KEY",
        "links-0123456789abcdef0123456789",
        "development-link-key",
    ),
    (
        "AUTH_SECOND_FACTOR_KEY",
        "factors-0123456789abcdef01234567",
        "development-second-factor-key",
    ),
    (
        "AUTH_SIGNING_SECRET",
        "signing-0123456789abcdef01234567",
        "development-signing-secret",
    ),
    (
        "CHECKOUT_BIN_HASH_KEY",
        "bins-0123456789abcdef0123456789a",
        "development-bin-hash-key",
    ),
    (
        "CHECKOUT_QUOTE_KEYS",
        "quotes-0123456789abcdef012345678",
        "stillpoint-quotes-in-development",
    ),
    (
        "CONTENT_READ_TOKEN",
        "readers-0123456789abcdef01234567",
        "read-published",
    ),
    (
        "DATABASE_URL",
        "postgres://stillpoint:0123456789abcdef@db.example/stillpoint",
        "postgres://stillpoint:stillpoint@postgres:5432/stillpoint",
    ),
    ("FACEBOOK_APP_SECRET", "0123456789abcdef", "facebook-app-secret"),
    (
        "NATS_URL",
        "nats://stillpoint:0123456789abcdef@nats.example:4222",
        "nats://127.0.0.1:42220",
    ),
    ("OPERATOR_TOKEN", "operators-0123456789abcdef012345", "operate"),
    (
        "PAYPAL_CLIENT_SECRET",
        "paypal-0123456789abcdef",
        "paypal-secret-stillpoint",
    ),
    (
        "PLATRON_SECRET_KEY",
        "platron-0123456789abcdef",
        "platron-secret-stillpoint",
    ),
    (
        "SMTP_URL",
        "smtps://stillpoint:0123456789abcdef@mail.example",
        "smtp://127.0.0.1:8025",
    ),
    (
        "STRIPE_SECRET_KEY",
        "sk_live_0123456789abcdef",
        "sk_test_stillpoint",
    ),
    (
        "STRIPE_WEBHOOK_SECRET",
        "whsec_0123456789abcdef",
        "whsec_stillpoint",
    ),
    (
        "YOOKASSA_SECRET_KEY",
        "live_0123456789abcdef",
        "test_yookassa-stillpoint",
    ),
    // No secret, but checked with them.
    (
        "PUBLIC_URL",
        "https://stillpoint.example",
        "http://localhost:8080",
    ),
];

/// Exit code and output of `--check-config` with these variables alone.
fn check_config(secrets: impl Iterator<Item = (&'static str, &'static str)>) -> (Option<i32>, String) {
    let checked = Command::new(env!("CARGO_BIN_EXE_standalone"))
        .arg("--check-config")
        .env_clear()
        .env("CHECKOUT_SEED_DIR", SEED_DIR)
        .env("CHECKOUT_PROVIDERS", "stripe,paypal,yookassa,platron")
        .env("FACEBOOK_APP_ID", "1")
        .envs(secrets)
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&checked.stderr).into_owned();
    (checked.status.code(), output)
}

#[test]
fn process_with_secrets_of_its_own_is_accepted() {
    let (code, output) = check_config(SECRETS.iter().map(|(name, own, _)| (*name, *own)));
    assert_eq!(code, Some(0), "{output}");
}

#[test]
fn every_public_value_is_rejected() {
    let (code, output) = check_config(SECRETS.iter().map(|(name, _, public)| (*name, *public)));
    assert_eq!(code, Some(78), "{output}");
    for (name, ..) in SECRETS {
        let line = output.lines().find(|line| line.starts_with(&format!("{name}: ")));
        let line = line.unwrap_or_default();
        let is_named = line.contains("holds a public development value") || line.contains("https://");
        assert!(is_named, "{name} is accepted: {output}");
    }
}

#[test]
fn every_unset_secret_is_named() {
    let (code, output) = check_config(std::iter::empty());
    assert_eq!(code, Some(78), "{output}");
    for (name, ..) in SECRETS {
        assert!(
            output.contains(&format!("\n{name}: ")),
            "{name} is accepted: {output}"
        );
    }
}
