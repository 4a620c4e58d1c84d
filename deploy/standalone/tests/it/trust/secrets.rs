//! Secrets are in no output of a process, and webhook secrets rotate without a refused webhook.
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use hmac::{Hmac, KeyInit, Mac};
use kit::testing::free_port;
use sha2::Sha256;

use crate::stack::{Stack, all_services_host};
use crate::trust::configuration::{SECRETS, SEED_DIR};

/// In every secret, and in no output.
const SENTINEL: &str = "sentinel-0123456789abcdef0123456789abcdef";

/// Addresses with a password. Each has a closed port.
const ADDRESSES: [(&str, &str); 4] = [
    (
        "DATABASE_URL",
        "postgres://stillpoint:SENTINEL@127.0.0.1:1/stillpoint",
    ),
    ("NATS_URL", "nats://stillpoint:SENTINEL@127.0.0.1:1"),
    ("REDIS_URL", "redis://stillpoint:SENTINEL@127.0.0.1:1"),
    ("SMTP_URL", "smtps://stillpoint:SENTINEL@127.0.0.1:1"),
];

/// A process with the sentinel in every secret, in development, where all values are accepted.
fn process_with_sentinels() -> Command {
    let mut process = Command::new(env!("CARGO_BIN_EXE_standalone"));
    process.env_clear();
    for (name, ..) in SECRETS {
        process.env(name, SENTINEL);
    }
    for (name, address) in ADDRESSES {
        process.env(name, address.replace("SENTINEL", SENTINEL));
    }
    process
        .env("STILLPOINT_ENV", "development")
        .env("PUBLIC_URL", "http://localhost:8080")
        .env("CHECKOUT_SEED_DIR", SEED_DIR)
        .env("CHECKOUT_PROVIDERS", "stripe,paypal,yookassa,platron")
        .env("FACEBOOK_APP_ID", "1")
        .env("OPS_ADDR", format!("127.0.0.1:{}", free_port()))
        .env("LOG_LEVEL", "debug")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    process
}

fn output_of(process: &mut Command) -> String {
    let output = process.output().unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn configuration_check_prints_no_secret() {
    let valid = output_of(process_with_sentinels().arg("--check-config"));
    assert!(valid.contains("the configuration is valid"), "{valid}");
    assert!(!valid.contains(SENTINEL), "{valid}");

    // Every value is wrong: no address is one, and the settings of production are missing.
    let mut process = process_with_sentinels();
    for (name, _) in ADDRESSES {
        process.env(name, format!("no address: {SENTINEL}"));
    }
    process
        .env("STILLPOINT_ENV", "production")
        .env("OPS_ADDR", "here");
    let wrong = output_of(process.arg("--check-config"));
    assert!(wrong.contains("the configuration is not valid"), "{wrong}");
    assert!(!wrong.contains(SENTINEL), "{wrong}");

    for command in [["access", "postgres"], ["--migrate", ""]] {
        let mut process = process_with_sentinels();
        process
            .env("ADMIN_DATABASE_URL", SENTINEL)
            .env("DATABASE_URL", SENTINEL);
        let failed = output_of(process.args(command));
        assert!(!failed.is_empty() && !failed.contains(SENTINEL), "{failed}");
    }
}

#[test]
fn failing_start_prints_no_secret() {
    let mut process = process_with_sentinels().spawn().unwrap();
    let mut printed = String::new();
    // NATS was tried before.
    for line in BufReader::new(process.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let is_last = line.contains("database not ready; retrying");
        printed.extend([line.as_str(), "\n"]);
        if is_last {
            break;
        }
    }
    assert!(printed.contains("database not ready; retrying"), "{printed}");
    process.kill().unwrap();
    process.wait().unwrap();
    process
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    assert!(!printed.contains(SENTINEL), "{printed}");
}

#[test]
fn unreadable_secret_file_is_named_by_its_variable() {
    let folder = Folder::new("unreadable");
    let secret = folder.replace("token", SENTINEL);
    let mut process = process_with_sentinels();
    process
        .env_remove("OPERATOR_TOKEN")
        .env("OPERATOR_TOKEN_FILE", folder.0.join("missing"))
        .env("CONTENT_READ_TOKEN_FILE", &secret);
    let output = output_of(process.arg("--check-config"));
    assert!(output.contains("OPERATOR_TOKEN_FILE: "), "{output}");
    assert!(
        output.contains("CONTENT_READ_TOKEN: is set, and so is"),
        "{output}"
    );
    assert!(!output.contains(SENTINEL), "{output}");
}

/// A folder of secrets, deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("standalone-secrets-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Readers see the old content or the new one.
    fn replace(&self, name: &str, content: &str) -> PathBuf {
        let (new, file) = (self.0.join("new"), self.0.join(name));
        std::fs::write(&new, content).unwrap();
        std::fs::rename(&new, &file).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn checkout_with(secret: &Path) -> Stack {
    let file = secret.display().to_string();
    let env = [
        ("CHECKOUT_SEED_DIR", SEED_DIR),
        ("STRIPE_API_BASE", "http://127.0.0.1:9"),
        ("STRIPE_WEBHOOK_SECRET_FILE", file.as_str()),
    ];
    Stack::start_on(all_services_host().await, &env, vec![checkout::definition()]).await
}

/// The status of the answer to a webhook that is signed with `secret`.
async fn send_webhook(stack: &Stack, secret: &str, event_id: &str) -> u16 {
    let body = format!(
        r#"{{"id":"{event_id}","type":"product.updated","data":{{"object":{{"object":"product","id":"prod_1"}}}}}}"#
    );
    let signed_at = stack.host.clock().now().timestamp();
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    let signature = mac
        .chain_update(format!("{signed_at}.{body}"))
        .finalize()
        .into_bytes();
    let header = format!("t={signed_at},v1={}", hex::encode(signature));
    let request = stack.request("POST", "/webhooks/stripe");
    let request = request
        .header("stripe-signature", header)
        .header("content-type", "application/json");
    request.body(body).send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_webhook_is_refused_while_the_secret_rotates() {
    let folder = Folder::new("rotation");
    let file = folder.replace("webhook", "whsec_old\n");
    let stack = checkout_with(&file).await;
    assert_eq!(send_webhook(&stack, "whsec_old", "evt_before").await, 200);
    assert_eq!(send_webhook(&stack, "whsec_new", "evt_early").await, 400);

    folder.replace("webhook", "whsec_old,whsec_new\n");
    let is_rotated = AtomicBool::new(false);
    let send_all = async |secret: &str| {
        let mut count = 0;
        while !is_rotated.load(Ordering::Relaxed) {
            let event_id = format!("evt_{secret}_{count}");
            assert_eq!(send_webhook(&stack, secret, &event_id).await, 200, "{event_id}");
            count += 1;
        }
        count
    };
    let rotate = async {
        for _ in 0..20 {
            for content in ["whsec_new,whsec_old\n", "whsec_old,whsec_new\n"] {
                folder.replace("webhook", content);
                // A webhook of each content arrives.
                assert_eq!(send_webhook(&stack, "whsec_new", content.trim()).await, 200);
            }
        }
        is_rotated.store(true, Ordering::Relaxed);
    };
    let (old, new, ()) = tokio::join!(send_all("whsec_old"), send_all("whsec_new"), rotate);
    assert!(old > 0 && new > 0, "{old} and {new} webhooks");

    folder.replace("webhook", "whsec_new\n");
    assert_eq!(send_webhook(&stack, "whsec_old", "evt_late").await, 400);
    assert_eq!(send_webhook(&stack, "whsec_new", "evt_after").await, 200);
}
