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
mod tests;
