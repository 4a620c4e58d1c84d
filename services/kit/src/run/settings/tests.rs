use super::super::{Access, Caller, Service, define_service};
use super::*;
use crate::testing::{CertificateFolder, Certificates};

fn certificates(name: &str) -> (CertificateFolder, Env) {
    let folder = CertificateFolder::new(&Certificates::shared().pem(name));
    let files = folder.env();
    let files = files.map(|(name, path)| (name, path.display().to_string()));
    let env = Env::from_pairs(files);
    (folder, env)
}

fn errors_of(env: &Env, name: &'static str) -> String {
    let errors = Settings::read(env, &[name]).err();
    errors.unwrap_or_default().to_string()
}

#[test]
fn the_certificate_is_complete_and_of_the_service() {
    let (_folder, env) = certificates("checkout");
    assert_eq!(errors_of(&env, "checkout"), "");
    let settings = Settings::read(&env, &["checkout"]).unwrap();
    assert_eq!(
        settings.tls.map(|tls| tls.name().to_string()),
        Some("checkout".to_owned())
    );
    let errors = errors_of(&env, "auth");
    assert_eq!(
        errors,
        "GRPC_CERT_FILE: the certificate of `checkout`, not of `auth`"
    );
    let incomplete = env.with([("GRPC_KEY_FILE", "")]);
    let errors = errors_of(&incomplete, "checkout");
    assert!(errors.starts_with("GRPC_CERT_FILE: set all of"), "{errors}");
    let missing = env.with([("GRPC_CA_FILE", "/nowhere/ca.pem")]);
    let errors = errors_of(&missing, "checkout");
    assert!(errors.contains("/nowhere/ca.pem"), "{errors}");
}

#[test]
fn addresses_are_https_exactly_with_certificates() {
    let (_folder, with) = certificates("gateway");
    let without = Env::default();
    let plain = [("AUTH_URL", "http://auth:50052")];
    let encrypted = [("AUTH_URL", "https://auth:50052")];
    assert_eq!(errors_of(&with.with(encrypted), "gateway"), "");
    assert_eq!(errors_of(&without.with(plain), "gateway"), "");
    for wrong in [with.with(plain), without.with(encrypted)] {
        let errors = errors_of(&wrong, "gateway");
        assert!(errors.starts_with("AUTH_URL: "), "{errors}");
    }
}

#[test]
fn production_requires_certificates_of_a_service_in_a_process_of_its_own() {
    let definition = |access: Access| {
        define_service("checkout", |_| Ok(()), |_, ()| async { Ok(Service::new()) }).access(access)
    };
    let called = Access {
        callers: &[Caller {
            name: "gateway",
            grpc_service: "stillpoint.checkout.v1.CheckoutService",
            rpcs: &["QuoteOffers"],
        }],
        ..Access::NONE
    };
    let production = Env::from_pairs([("STILLPOINT_ENV", "production")]);
    let errors = missing_certificates(&production, &[definition(called)]).to_string();
    assert_eq!(errors, "GRPC_CERT_FILE: must be set in production");
    let all = [definition(called), definition(called)];
    assert!(missing_certificates(&production, &all).is_empty());
    assert!(missing_certificates(&production, &[definition(Access::NONE)]).is_empty());
    assert!(missing_certificates(&Env::default(), &[definition(called)]).is_empty());
}

#[test]
fn single_service_listens_on_its_default_ports() {
    let settings = Settings::read(&Env::default(), &["checkout"]).unwrap();
    assert_eq!(settings.grpc_addr, local(50053));
    assert_eq!(settings.ops_addr, local(9093));
    assert_eq!(settings.telemetry.service, "checkout");
}

#[test]
fn several_services_share_one_ops_address() {
    let settings = Settings::read(&Env::default(), &["content", "gateway"]).unwrap();
    assert_eq!(settings.ops_addr, local(DEFAULT_OPS_PORT));
}

#[test]
fn all_errors_are_reported_at_once() {
    let env = Env::from_pairs([
        ("STILLPOINT_ENV", "staging"),
        ("OPS_ADDR", "9090"),
        ("LOG_FORMAT", "xml"),
        ("LOG_LEVEL", "checkout=loud=very"),
        ("AUTH_URL", "auth:50052"),
        ("SHUTDOWN_GRACE_SECS", "soon"),
    ]);
    let errors = Settings::read(&env, &["checkout"]).unwrap_err().to_string();
    assert_eq!(errors.lines().count(), 6, "{errors}");
}

#[test]
fn production_requires_addresses_and_the_real_clock() {
    let env = Env::from_pairs([("STILLPOINT_ENV", "production"), ("CLOCK_BUCKET", "clock")]);
    let errors = Settings::read(&env, &["checkout"]).unwrap_err().to_string();
    assert!(
        errors.contains("NATS_URL") && errors.contains("CLOCK_BUCKET"),
        "{errors}"
    );
}

#[test]
fn production_requires_credentials_of_the_event_stream() {
    let errors = |pairs: &[(&'static str, &'static str)]| {
        let env = Env::from_pairs([("STILLPOINT_ENV", "production")]);
        let env = env.with(pairs.iter().copied());
        let read = Settings::read(&env, &["checkout"]);
        read.err().unwrap_or_default().to_string()
    };
    let anonymous = ("NATS_URL", "tls://nats.example");
    assert!(errors(&[anonymous]).starts_with("NATS_URL: has no credentials"));
    for signed_in in ["nats://checkout:s3cret@nats.example", "nats://t0ken@nats.example"] {
        assert_eq!(errors(&[("NATS_URL", signed_in)]), "");
    }
    for file in ["NATS_NKEY_FILE", "NATS_CREDENTIALS_FILE"] {
        assert_eq!(errors(&[anonymous, (file, "/run/secrets/nats")]), "");
    }
    let certificate = ("NATS_CERT_FILE", "/run/secrets/tls.crt");
    let key = ("NATS_KEY_FILE", "/run/secrets/tls.key");
    assert_eq!(errors(&[anonymous, certificate, key]), "");
    assert!(errors(&[anonymous, certificate]).contains("NATS_CERT_FILE: needs NATS_KEY_FILE"));
}

#[test]
fn production_requires_a_database_without_a_public_password() {
    let refusal = |pairs: &[(&str, &str)]| {
        let env = Env::from_pairs(pairs.iter().copied());
        let production = env.with([("STILLPOINT_ENV", "production")]);
        assert!(schema_address(&env, "auth").is_ok());
        let errors = schema_address(&production, "auth").err();
        errors.unwrap_or_default().to_string()
    };
    let own = "postgres://stillpoint:s3cret@db.example/stillpoint";
    let compose = "postgres://stillpoint:stillpoint@postgres:5432/stillpoint";
    assert_eq!(refusal(&[("DATABASE_URL", own)]), "");
    assert_eq!(
        refusal(&[("DATABASE_URL", compose), ("AUTH_DATABASE_URL", own)]),
        ""
    );
    assert_eq!(refusal(&[]), "DATABASE_URL: must be set in production");
    for public in [
        compose,
        "postgres://db.example/x?password=stillpoint",
        DEFAULT_DATABASE_URL,
    ] {
        let errors = refusal(&[("DATABASE_URL", public)]);
        assert!(errors.starts_with("DATABASE_URL: holds a public"), "{errors}");
        let errors = refusal(&[("DATABASE_URL", own), ("AUTH_DATABASE_URL", public)]);
        assert!(
            errors.starts_with("AUTH_DATABASE_URL: holds a public"),
            "{errors}"
        );
    }
}

#[test]
fn passwords_of_docker_compose_are_rejected_in_production() {
    let compose = include_str!("../../../../../docker-compose.yml");
    let addresses = compose
        .lines()
        .filter_map(|line| line.split_once("_URL: "))
        .map(|(_, address)| with_defaults(address.trim()))
        .filter(|address| address.contains('@'));
    let mut checked = 0;
    for address in addresses {
        let env = Env::from_pairs([
            ("STILLPOINT_ENV", "production"),
            ("DATABASE_URL", address.as_str()),
        ]);
        assert!(schema_address(&env, "auth").is_err(), "{address}");
        checked += 1;
    }
    assert!(checked > 0);
}

/// `${NAME:-default}` is the default.
fn with_defaults(text: &str) -> String {
    let mut resolved = String::new();
    let mut rest = text;
    while let Some((before, variable)) = rest.split_once("${") {
        let (variable, after) = variable.split_once('}').unwrap();
        resolved.push_str(before);
        resolved.push_str(variable.split_once(":-").unwrap().1);
        rest = after;
    }
    resolved + rest
}

#[test]
fn services_do_not_connect_as_the_superuser_in_production() {
    let errors = |pairs: &[(&str, &str)]| {
        let env = Env::from_pairs(pairs.iter().copied()).with([("STILLPOINT_ENV", "production")]);
        let errors = schema_address(&env, "auth").err();
        errors.unwrap_or_default().to_string()
    };
    let superuser = "postgres://postgres:s3cret@db.example/stillpoint";
    let own = "postgres://auth:s3cret@db.example/stillpoint";
    for variable in ["DATABASE_URL", "AUTH_DATABASE_URL"] {
        assert!(errors(&[(variable, superuser)]).starts_with(variable));
    }
    let name = "AUTH_MIGRATION_DATABASE_URL";
    let both = [("AUTH_DATABASE_URL", own), (name, superuser)];
    assert!(errors(&both).starts_with(name));
    assert_eq!(errors(&[("AUTH_DATABASE_URL", own), (name, own)]), "");
}
