//! Settings of auth, read once. Database, ports and telemetry are kit's.
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use argon2::Params;
use chrono::TimeDelta;
use kit::config::{ConfigErrors, Env, EnvReader};
use lettre::Address;
use lettre::message::Mailbox;
use secrecy::{ExposeSecret, SecretString};

use crate::clients::facebook::FacebookSettings;
use crate::clients::smtp::Server;
use crate::clients::social::{self, OpenIdSettings};
use crate::crypto::passwords::HashingConfig;
use crate::domain::access_token::KeyRotation;
use crate::domain::session::{Lifetime, Rotation};
use crate::domain::throttle::{AccountThrottle, Throttle, Throttles};
use crate::flows::Ttls;

const DAY: Duration = Duration::from_hours(24);
/// The sandbox.
const DEVELOPMENT_SMTP: &str = "smtp://127.0.0.1:8025";
const LONGEST_SPAN: TimeDelta = TimeDelta::days(3650);

pub struct Config {
    /// `AUTH_SESSION_TTL_SECS` (30 days) without use, `AUTH_SESSION_MAX_AGE_SECS` (180 days) in all.
    pub lifetime: Lifetime,
    /// A new token every `AUTH_SESSION_ROTATION_SECS` (1 hour); the one before is good for another
    /// `AUTH_SESSION_GRACE_SECS` (1 minute).
    pub rotation: Rotation,
    /// In `AUTH_SIGN_IN_WINDOW_SECS` (15 min): `AUTH_SIGN_IN_ATTEMPTS` (10) wrong passwords per account and network, or per
    /// known browser; `AUTH_ADDRESS_ATTEMPTS` (100) per network. In `AUTH_ACCOUNT_WINDOW_SECS` (1 hour):
    /// `AUTH_ACCOUNT_ATTEMPTS` (30) per account until each network has two left, `AUTH_ACCOUNT_ATTEMPTS_MAX` (200) until
    /// unknown browsers have none. In `AUTH_LINK_WINDOW_SECS` (1 hour): `AUTH_LINK_MAILS` (3) per mailbox.
    pub throttles: Throttles,
    /// `AUTH_HANDOFF_TTL_SECS` (5 min), `AUTH_TEMPORARY_PREMIUM_SECS` (1 day).
    pub ttls: Ttls,
    /// `AUTH_ARGON2_MEMORY_KIB`, `AUTH_ARGON2_ITERATIONS`, `AUTH_ARGON2_LANES` (19456, 2, 1: OWASP's choice);
    /// `AUTH_HASH_CONCURRENCY` (one per core), `AUTH_HASH_WAIT_MILLIS` (1500: less than the gateway's timeout).
    pub hashing: HashingConfig,
    /// `AUTH_EMAIL_HASH_KEY`: secret; another key makes other pseudonyms in events.
    pub email_hash_key: SecretString,
    /// `AUTH_LINK_KEY`: secret; another key makes mailed links that are still open worthless.
    pub link_key: SecretString,
    /// `AUTH_SIGNING_SECRET`: secret; seals the keys of access tokens. Another one makes new keys at once.
    pub signing_secret: SecretString,
    /// `AUTH_SECOND_FACTOR_KEY`: secret; encrypts the secrets of second factors. Another one makes them worthless.
    pub second_factor_key: SecretString,
    /// `BREACHED_PASSWORDS_URL`: a range API of breached passwords. Without it only the own list applies.
    pub breached_passwords_url: Option<String>,
    /// `AUTH_SIGNING_KEY_SECS` (30 days): how long a key signs.
    pub key_rotation: KeyRotation,
    /// `APPLE_CLIENT_ID`, `APPLE_ISSUER`, `APPLE_JWKS_URL`, the same of `GOOGLE_…`, and `FACEBOOK_APP_ID`,
    /// `FACEBOOK_APP_SECRET`, `FACEBOOK_GRAPH_URL`. Without its id a provider is not offered.
    pub social: social::Settings,
    /// `PUBLIC_URL`: who signs access tokens, and for whom; where mailed links lead.
    pub issuer: String,
    /// `SMTP_URL`, `MAIL_FROM`.
    pub smtp: SmtpConfig,
}

/// Where mails go out, and who writes them.
pub struct SmtpConfig {
    pub server: Server,
    pub from: Mailbox,
}

impl Config {
    pub fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut read = env.reader();
        let lifetime = Lifetime {
            idle: duration(&mut read, "AUTH_SESSION_TTL_SECS", 30 * DAY),
            max_age: duration(&mut read, "AUTH_SESSION_MAX_AGE_SECS", 180 * DAY),
        };
        let rotation = Rotation {
            every: duration(&mut read, "AUTH_SESSION_ROTATION_SECS", Duration::from_hours(1)),
            grace: duration(&mut read, "AUTH_SESSION_GRACE_SECS", Duration::from_mins(1)),
        };
        let throttles = throttles(&mut read);
        let spans = Ttls {
            handoff: duration(&mut read, "AUTH_HANDOFF_TTL_SECS", Duration::from_mins(5)),
            temporary_premium: duration(&mut read, "AUTH_TEMPORARY_PREMIUM_SECS", DAY),
        };
        let hashing = HashingConfig {
            params: argon2_params(&mut read),
            concurrency: read.parse("AUTH_HASH_CONCURRENCY", cores()).get(),
            wait: read.millis("AUTH_HASH_WAIT_MILLIS", Duration::from_millis(1500)),
        };
        let email_hash_key = read.own_secret("AUTH_EMAIL_HASH_KEY", "development-email-hash-key");
        let link_key = read.own_secret("AUTH_LINK_KEY", "development-link-key");
        let signing_secret = read.own_secret("AUTH_SIGNING_SECRET", "development-signing-secret");
        let second_factor_key = read.own_secret("AUTH_SECOND_FACTOR_KEY", "development-second-factor-key");
        let breached_passwords_url = optional_address(&mut read, "BREACHED_PASSWORDS_URL");
        let key_rotation = KeyRotation {
            every: duration(&mut read, "AUTH_SIGNING_KEY_SECS", 30 * DAY),
        };
        let social = social_settings(&mut read);
        let issuer = read.text("PUBLIC_URL", "http://localhost:8080");
        read.require_https("PUBLIC_URL");
        let post = smtp_config(&mut read);
        read.done(Self {
            lifetime,
            rotation,
            throttles,
            ttls: spans,
            hashing,
            email_hash_key,
            link_key,
            signing_secret,
            second_factor_key,
            breached_passwords_url,
            key_rotation,
            social,
            issuer: issuer.trim_end_matches('/').to_owned(),
            smtp: post,
        })
    }
}

fn social_settings(read: &mut EnvReader<'_>) -> social::Settings {
    let apple = OpenIdSettings {
        client_id: read.text("APPLE_CLIENT_ID", ""),
        issuer: read.text("APPLE_ISSUER", "https://appleid.apple.com"),
        jwks_url: address(read, "APPLE_JWKS_URL", "https://appleid.apple.com/auth/keys"),
    };
    let google = OpenIdSettings {
        client_id: read.text("GOOGLE_CLIENT_ID", ""),
        issuer: read.text("GOOGLE_ISSUER", "https://accounts.google.com"),
        jwks_url: address(
            read,
            "GOOGLE_JWKS_URL",
            "https://www.googleapis.com/oauth2/v3/certs",
        ),
    };
    let graph_url = address(read, "FACEBOOK_GRAPH_URL", "https://graph.facebook.com/v24.0");
    let facebook = read.optional("FACEBOOK_APP_ID").map(|app_id| FacebookSettings {
        app_id,
        app_secret: read.secret("FACEBOOK_APP_SECRET", "facebook-app-secret"),
        graph_url,
    });
    let offered = |settings: OpenIdSettings| (!settings.client_id.is_empty()).then_some(settings);
    social::Settings {
        apple: offered(apple),
        google: offered(google),
        facebook,
    }
}

/// Without a slash at the end.
fn optional_address(read: &mut EnvReader<'_>, name: &'static str) -> Option<String> {
    let given = read.optional(name)?;
    if let Err(why) = url::Url::parse(&given) {
        read.fail(name, why);
    }
    Some(given.trim_end_matches('/').to_owned())
}

/// Without a slash at the end.
fn address(read: &mut EnvReader<'_>, name: &'static str, default: &str) -> String {
    let given = read.text(name, default);
    if let Err(why) = url::Url::parse(&given) {
        read.fail(name, why);
    }
    given.trim_end_matches('/').to_owned()
}

fn smtp_config(read: &mut EnvReader<'_>) -> SmtpConfig {
    // A secret, because a password may stand in it.
    let url = read.secret_address("SMTP_URL", DEVELOPMENT_SMTP);
    let server = url.expose_secret().parse().unwrap_or_else(|why| {
        read.fail("SMTP_URL", why);
        Server::unsecured("localhost")
    });
    SmtpConfig {
        server,
        from: read.parse("MAIL_FROM", sender()),
    }
}

fn sender() -> Mailbox {
    let name = Some("Stillpoint".to_owned());
    Mailbox::new(name, Address::new_dangerous("hello", "stillpoint.example"))
}

fn throttles(read: &mut EnvReader<'_>) -> Throttles {
    let window = duration(read, "AUTH_SIGN_IN_WINDOW_SECS", Duration::from_mins(15));
    Throttles {
        source: Throttle {
            attempts: positive(read, "AUTH_SIGN_IN_ATTEMPTS", 10),
            window,
        },
        account: AccountThrottle {
            narrows_after: positive(read, "AUTH_ACCOUNT_ATTEMPTS", 30),
            closes_after: positive(read, "AUTH_ACCOUNT_ATTEMPTS_MAX", 200),
            window: duration(read, "AUTH_ACCOUNT_WINDOW_SECS", Duration::from_hours(1)),
        },
        address: Throttle {
            attempts: positive(read, "AUTH_ADDRESS_ATTEMPTS", 100),
            window,
        },
        links: Throttle {
            attempts: positive(read, "AUTH_LINK_MAILS", 3),
            window: duration(read, "AUTH_LINK_WINDOW_SECS", Duration::from_hours(1)),
        },
    }
}

fn duration(read: &mut EnvReader<'_>, name: &'static str, default: Duration) -> TimeDelta {
    let given = TimeDelta::from_std(read.secs(name, default)).unwrap_or(TimeDelta::MAX);
    if given < TimeDelta::seconds(1) || given > LONGEST_SPAN {
        read.fail(name, "must be between 1 second and 10 years");
        return TimeDelta::seconds(1);
    }
    given
}

fn positive(read: &mut EnvReader<'_>, name: &'static str, default: i32) -> i32 {
    let given = read.parse(name, default);
    if given < 1 {
        read.fail(name, "must be at least 1");
    }
    given
}

fn argon2_params(read: &mut EnvReader<'_>) -> Params {
    let memory_kib = read.parse("AUTH_ARGON2_MEMORY_KIB", Params::DEFAULT_M_COST);
    let iterations = read.parse("AUTH_ARGON2_ITERATIONS", Params::DEFAULT_T_COST);
    let lanes = read.parse("AUTH_ARGON2_LANES", Params::DEFAULT_P_COST);
    Params::new(memory_kib, iterations, lanes, None).unwrap_or_else(|error| {
        read.fail(
            "AUTH_ARGON2_MEMORY_KIB",
            format!("with iterations and lanes is no Argon2 setting: {error}"),
        );
        Params::DEFAULT
    })
}

fn cores() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_complete() {
        let config = Config::read(&Env::from_pairs([("X", "y"); 0])).unwrap();
        assert_eq!(config.lifetime.idle, TimeDelta::days(30));
        assert_eq!(config.throttles.source.window, TimeDelta::minutes(15));
        assert_eq!(config.hashing.params.m_cost(), 19456);
    }

    #[test]
    fn a_provider_is_offered_where_we_are_known_to_it() {
        let read = |pairs: &[(&str, &str)]| Config::read(&Env::from_pairs(pairs.iter().copied()));
        let social = read(&[("GOOGLE_CLIENT_ID", "us")]).ok().unwrap().social;
        assert!(social.apple.is_none() && social.facebook.is_none());
        assert_eq!(social.google.unwrap().issuer, "https://accounts.google.com");
        assert!(read(&[("APPLE_JWKS_URL", "keys")]).is_err());
        assert!(read(&[("STILLPOINT_ENV", "production"), ("FACEBOOK_APP_ID", "1")]).is_err());
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let env = Env::from_pairs([
            ("AUTH_SESSION_TTL_SECS", "0"),
            ("AUTH_SIGN_IN_ATTEMPTS", "none"),
            ("AUTH_ARGON2_MEMORY_KIB", "1"),
            ("AUTH_HASH_CONCURRENCY", "0"),
        ]);
        let Err(errors) = Config::read(&env) else {
            panic!("accepted")
        };
        let text = errors.to_string();
        for name in [
            "AUTH_SESSION_TTL_SECS",
            "AUTH_SIGN_IN_ATTEMPTS",
            "AUTH_ARGON2_MEMORY_KIB",
            "AUTH_HASH_CONCURRENCY",
        ] {
            assert!(text.contains(name), "{name} missing in: {text}");
        }
    }

    #[test]
    fn production_does_not_start_with_the_development_keys() {
        let Err(errors) = Config::read(&Env::from_pairs([("STILLPOINT_ENV", "production")])) else {
            panic!("accepted")
        };
        let text = errors.to_string();
        for name in [
            "AUTH_EMAIL_HASH_KEY",
            "AUTH_LINK_KEY",
            "AUTH_SIGNING_SECRET",
            "AUTH_SECOND_FACTOR_KEY",
            "SMTP_URL",
        ] {
            assert!(text.contains(name), "{name} missing in: {text}");
        }
    }
}
