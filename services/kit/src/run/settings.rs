//! The settings of every process, documented in kit's README.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tracing_subscriber::EnvFilter;

use proto::services::{self, SERVICES};

use crate::bus::address::{self, ClientCertificate, Files};
use crate::config::{ConfigErrors, Env, EnvReader};
use crate::database::SchemaAddress;
use crate::telemetry::{LogFormat, Telemetry};
use crate::tls::{CertificateFiles, Tls};

use super::ServiceDefinition;

const DEFAULT_DATABASE_URL: &str = "postgres://postgres@127.0.0.1:54330/stillpoint";
const DEFAULT_NATS_URL: &str = "nats://127.0.0.1:42220";
const DEFAULT_OPS_PORT: u16 = 9090;
const DEFAULT_GRACE: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct Settings {
    /// `NATS_URL`
    pub nats_url: SecretString,
    /// `NATS_NKEY_FILE`, `NATS_CREDENTIALS_FILE`, `NATS_CA_FILE`, `NATS_CERT_FILE`, `NATS_KEY_FILE`
    pub nats_files: Files,
    /// `REDIS_URL`: without it there is no shared cache tier.
    pub redis_url: Option<SecretString>,
    /// `CLOCK_BUCKET`: the virtual clock to follow.
    pub clock_bucket: Option<String>,
    /// `LOG_FORMAT`, `LOG_LEVEL`, `OTEL_EXPORTER_OTLP_ENDPOINT`
    pub telemetry: Telemetry,
    /// `GRPC_ADDR`: used when one service runs `single_service`.
    pub grpc_addr: SocketAddr,
    /// `GRPC_CERT_FILE`, `GRPC_KEY_FILE`, `GRPC_CA_FILE`: all or none.
    pub tls: Option<Tls>,
    /// `OPS_ADDR`: health, readiness and metrics.
    pub ops_addr: SocketAddr,
    /// `SHUTDOWN_GRACE_SECS`: how long requests and tasks may take to finish.
    pub grace: Duration,
}

impl Settings {
    /// `names` are the services in this process; they determine the default addresses.
    pub fn read(env: &Env, names: &[&'static str]) -> Result<Self, ConfigErrors> {
        let mut reader = env.reader();
        check_environment(env, &mut reader);
        check_addresses(env, names, &mut reader);
        let single_service = match names {
            [name] => services::find(name),
            _ => None,
        };
        let (grpc_port, ops_port) = single_service.map_or((0, DEFAULT_OPS_PORT), |service| {
            (service.grpc_port, service.ops_port)
        });
        let nats_url = reader.secret_address("NATS_URL", DEFAULT_NATS_URL);
        let settings = Self {
            nats_files: nats_files(env, nats_url.expose_secret(), &mut reader),
            nats_url,
            redis_url: reader.optional_secret("REDIS_URL"),
            clock_bucket: clock_bucket(env, &mut reader),
            telemetry: telemetry(names, &mut reader),
            grpc_addr: reader.parse("GRPC_ADDR", local(grpc_port)),
            tls: certificates(names, &mut reader),
            ops_addr: reader.parse("OPS_ADDR", local(ops_port)),
            grace: reader.secs("SHUTDOWN_GRACE_SECS", DEFAULT_GRACE),
        };
        reader.done(settings)
    }
}

/// The addresses of a schema's database.
pub(super) fn schema_address(env: &Env, schema: &str) -> Result<SchemaAddress, ConfigErrors> {
    let mut reader = env.reader();
    let address = SchemaAddress {
        service: reader.database_address(schema, DEFAULT_DATABASE_URL),
        migrations: reader.migration_address(schema, DEFAULT_DATABASE_URL),
    };
    reader.done(address)
}

/// The address through which a schema is migrated.
pub(super) fn migration_address(env: &Env, schema: &str) -> Result<SecretString, ConfigErrors> {
    let mut reader = env.reader();
    let address = match reader.migration_address(schema, DEFAULT_DATABASE_URL) {
        Some(own) => own,
        None => reader.database_address(schema, DEFAULT_DATABASE_URL),
    };
    reader.done(address)
}

/// In production each process signs in to the event stream, which permits each service its own subjects.
fn nats_files(env: &Env, url: &str, reader: &mut EnvReader<'_>) -> Files {
    let certificate = reader.optional("NATS_CERT_FILE").map(PathBuf::from);
    let key = reader.optional("NATS_KEY_FILE").map(PathBuf::from);
    if certificate.is_some() != key.is_some() {
        reader.fail("NATS_CERT_FILE", "needs NATS_KEY_FILE, and the other way round");
    }
    let client = |(certificate, key)| ClientCertificate { certificate, key };
    let files = Files {
        nkey: reader.optional("NATS_NKEY_FILE").map(PathBuf::from),
        credentials: reader.optional("NATS_CREDENTIALS_FILE").map(PathBuf::from),
        ca: reader.optional("NATS_CA_FILE").map(PathBuf::from),
        certificate: certificate.zip(key).map(client),
    };
    if files.nkey.is_some() && files.credentials.is_some() {
        reader.fail("NATS_NKEY_FILE", "cannot be combined with NATS_CREDENTIALS_FILE");
    }
    let is_set = env.get("NATS_URL").is_some();
    if env.is_production() && is_set && !files.identify() && !address::has_credentials(url) {
        reader.fail(
            "NATS_URL",
            "has no credentials; production needs them, or NATS_NKEY_FILE, NATS_CREDENTIALS_FILE or NATS_CERT_FILE",
        );
    }
    files
}

/// In production, a service in a process of its own has callers or calls others, unless it declares no access.
pub(super) fn missing_certificates(env: &Env, definitions: &[ServiceDefinition]) -> ConfigErrors {
    let is_networked = matches!(definitions, [only] if !only.access.is_none());
    let mut reader = env.reader();
    if env.is_production() && is_networked && env.get("GRPC_CERT_FILE").is_none() {
        reader.fail("GRPC_CERT_FILE", "must be set in production");
    }
    reader.done(()).err().unwrap_or_default()
}

fn certificates(names: &[&'static str], reader: &mut EnvReader<'_>) -> Option<Tls> {
    let files = (
        reader.optional("GRPC_CERT_FILE"),
        reader.optional("GRPC_KEY_FILE"),
        reader.optional("GRPC_CA_FILE"),
    );
    let files = match files {
        (None, None, None) => return None,
        (Some(certificate), Some(key), Some(authorities)) => CertificateFiles {
            certificate: certificate.into(),
            key: key.into(),
            authorities: authorities.into(),
        },
        _ => {
            reader.fail(
                "GRPC_CERT_FILE",
                "set all of GRPC_CERT_FILE, GRPC_KEY_FILE and GRPC_CA_FILE, or none",
            );
            return None;
        }
    };
    let tls = Tls::load(files)
        .map_err(|error| reader.fail("GRPC_CERT_FILE", error))
        .ok()?;
    if let [name] = names
        && *tls.name() != **name
    {
        let other = tls.name();
        reader.fail(
            "GRPC_CERT_FILE",
            format_args!("the certificate of `{other}`, not of `{name}`"),
        );
    }
    Some(tls)
}

fn telemetry(names: &[&'static str], reader: &mut EnvReader<'_>) -> Telemetry {
    let level = reader.text("LOG_LEVEL", "info");
    if let Err(error) = EnvFilter::try_new(&level) {
        reader.fail("LOG_LEVEL", error);
    }
    Telemetry {
        service: match names {
            [name] => name,
            _ => "stillpoint",
        },
        format: reader.parse("LOG_FORMAT", LogFormat::Json),
        level,
        collector: reader.optional("OTEL_EXPORTER_OTLP_ENDPOINT"),
    }
}

fn clock_bucket(env: &Env, reader: &mut EnvReader<'_>) -> Option<String> {
    let bucket = reader.optional("CLOCK_BUCKET");
    if bucket.is_some() && env.is_production() {
        reader.fail("CLOCK_BUCKET", "a virtual clock is not allowed in production");
    }
    bucket
}

fn check_environment(env: &Env, reader: &mut EnvReader<'_>) {
    if !matches!(
        env.get("STILLPOINT_ENV"),
        None | Some("development" | "production")
    ) {
        reader.fail("STILLPOINT_ENV", "expected `development` or `production`");
    }
}

fn check_addresses(env: &Env, names: &[&'static str], reader: &mut EnvReader<'_>) {
    let scheme = if env.is_production() || env.get("GRPC_CERT_FILE").is_some() {
        "https"
    } else {
        "http"
    };
    for service in SERVICES.iter().filter(|service| !names.contains(&service.name)) {
        let Some(address) = env.get(service.url_variable) else {
            continue;
        };
        let usable = address
            .parse::<http::Uri>()
            .is_ok_and(|uri| uri.scheme_str() == Some(scheme) && uri.host().is_some());
        if !usable {
            reader.fail(
                service.url_variable,
                format_args!("`{address}` is not an {scheme}:// address"),
            );
        }
    }
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

#[cfg(test)]
mod tests {
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
        let compose = include_str!("../../../../docker-compose.yml");
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
}
