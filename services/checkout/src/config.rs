//! Settings, read once from the given environment.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kit::config::{ConfigErrors, Env, EnvReader, RotatingSecret};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::domain::pricing::quote;
use crate::domain::pricing::seed::{self, SeedFile};
use crate::providers::{ProviderSettings, stripe};
use crate::seed_dir;

mod providers;

const GRACE_DAYS_MAX: i64 = 27;
const GUEST_RETENTION_DAYS_MIN: i64 = 2;
const GUEST_RETENTION_DAYS_MAX: i64 = 365;

#[derive(Debug)]
pub struct Config {
    /// The files in `CHECKOUT_SEED_DIR`: campaigns, coupons and currencies as YAML.
    pub seed: Vec<SeedFile>,
    /// `CHECKOUT_QUOTE_KEYS`: signing keys of quotes, comma separated. The first key signs, all verify, so keys can be
    /// rotated.
    pub quote_keys: RotatingSecret,
    /// `CHECKOUT_BIN_HASH_KEY`: the key of the card-prefix hashes in `bin.checked`.
    pub bin_hash_key: SecretString,
    /// `CHECKOUT_RECONCILE_AFTER_MS`: age at which a payment without an outcome is reconciled. Longer than
    /// `STRIPE_TIMEOUT_MS`;
    /// otherwise a call would be repeated while it is in flight.
    pub reconcile_after: Duration,
    /// `CHECKOUT_RECONCILE_EVERY_MS`: interval of the reconcilers.
    pub reconcile_every: Duration,
    /// `CHECKOUT_CHECK_EVERY_MS`: interval of the invariant check over all orders.
    pub check_every: Duration,
    /// `CHECKOUT_GRACE_DAYS`: days of access while a renewal is unpaid. Shorter than a month, the shortest period, so that
    /// at most
    /// one renewal is unpaid.
    pub grace_days: i64,
    /// `CHECKOUT_GUEST_RETENTION_DAYS`: retention of the name and address of an unpaid guest. Longer than a day, because
    /// hosted
    /// pages are polled for 26 hours.
    pub guest_retention_days: i64,
    /// `CHECKOUT_FREE_TRIALS_PER_CARD`: members that can start a free trial of a product with the same card. Test
    /// installations
    /// need more, because their test cards are shared.
    pub trials_per_card: i64,
    /// `CHECKOUT_RESPONSE_BUDGET_MS`: time until a buyer gets the answer "processing".
    pub response_budget: Duration,
    /// `CHECKOUT_SESSIONS_BOOKABLE`: whether additional sessions are sold. They are sold only if they can be booked.
    pub sessions_are_bookable: bool,
    pub providers: ProviderSettings,
}

impl Config {
    pub fn read(env: &Env) -> Result<Self, ConfigErrors> {
        let mut reader = env.reader();

        let folder: PathBuf = reader.text("CHECKOUT_SEED_DIR", "deploy/seed/campaigns").into();
        let seed = match read_seed(&folder) {
            Ok(seed) => Some(seed),
            Err(why) => {
                reader.fail("CHECKOUT_SEED_DIR", why);
                None
            }
        };
        let quote_keys =
            reader.own_rotating_secret("CHECKOUT_QUOTE_KEYS", "stillpoint-quotes-in-development");
        let is_short = |key: &SecretString| key.expose_secret().len() < quote::KEY_LENGTH_MIN;
        if quote_keys.values().iter().any(is_short) {
            reader.fail("CHECKOUT_QUOTE_KEYS", "needs keys of at least 24 characters");
        }
        let bin_hash_key = reader.own_secret("CHECKOUT_BIN_HASH_KEY", "development-bin-hash-key");
        let reconcile_after = reader.millis("CHECKOUT_RECONCILE_AFTER_MS", Duration::from_secs(15));
        let reconcile_every = reader.millis("CHECKOUT_RECONCILE_EVERY_MS", Duration::from_secs(1));
        let check_every = reader.millis("CHECKOUT_CHECK_EVERY_MS", Duration::from_mins(10));
        let grace_days = reader.parse("CHECKOUT_GRACE_DAYS", 14_i64);
        if !(1..=GRACE_DAYS_MAX).contains(&grace_days) {
            reader.fail("CHECKOUT_GRACE_DAYS", "is not between 1 and 27");
        }
        let guests_kept_days = reader.parse("CHECKOUT_GUEST_RETENTION_DAYS", 30_i64);
        if !(GUEST_RETENTION_DAYS_MIN..=GUEST_RETENTION_DAYS_MAX).contains(&guests_kept_days) {
            reader.fail("CHECKOUT_GUEST_RETENTION_DAYS", "is not between 2 and 365");
        }
        let trials_per_card = reader.parse("CHECKOUT_FREE_TRIALS_PER_CARD", 1_i64);
        if trials_per_card < 1 {
            reader.fail("CHECKOUT_FREE_TRIALS_PER_CARD", "is not at least 1");
        }
        let answer_within = reader.millis("CHECKOUT_RESPONSE_BUDGET_MS", Duration::from_secs(12));

        let sessions_are_bookable = reader.parse("CHECKOUT_SESSIONS_BOOKABLE", false);

        let stripe = read_stripe(&mut reader);
        let providers = providers::read(stripe, &mut reader);
        match seed {
            Some(seed) => reader.done(Self {
                seed,
                quote_keys,
                bin_hash_key,
                reconcile_after,
                reconcile_every,
                check_every,
                grace_days,
                guest_retention_days: guests_kept_days,
                trials_per_card,
                response_budget: answer_within,
                sessions_are_bookable,
                providers,
            }),
            // The reader has recorded the error of the seed.
            None => Err(reader.done(()).err().unwrap_or_default()),
        }
    }
}

fn read_stripe(reader: &mut EnvReader<'_>) -> stripe::Account {
    let api_base = reader.text("STRIPE_API_BASE", "https://api.stripe.com");
    if let Err(why) = Url::parse(&api_base) {
        reader.fail("STRIPE_API_BASE", why);
    }
    stripe::Account {
        api_base,
        secret_key: reader.rotating_secret("STRIPE_SECRET_KEY", "sk_test_stillpoint"),
        webhook_secrets: reader.rotating_secret("STRIPE_WEBHOOK_SECRET", "whsec_stillpoint"),
        timeout: reader.millis("STRIPE_TIMEOUT_MS", Duration::from_secs(10)),
    }
}

/// The files of the directory, validated. Errors prevent the start.
fn read_seed(folder: &Path) -> Result<Vec<SeedFile>, Box<dyn Error>> {
    let files = seed_dir::read(folder)?;
    seed::read(&files)?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");

    #[test]
    fn defaults_are_stripe_itself_and_ten_seconds() {
        let config = Config::read(&Env::from_pairs([("CHECKOUT_SEED_DIR", SEED_DIR)])).unwrap();
        assert_eq!(config.providers.stripe.api_base, "https://api.stripe.com");
        assert_eq!(config.providers.stripe.timeout, Duration::from_secs(10));
        assert!(config.reconcile_after > config.providers.stripe.timeout);
    }

    #[test]
    fn other_providers_are_there_when_they_are_named() {
        let others = |named: &str| {
            let env = Env::from_pairs([("CHECKOUT_SEED_DIR", SEED_DIR), ("CHECKOUT_PROVIDERS", named)]);
            let others = Config::read(&env).map(|config| config.providers);
            others.map(|others| {
                (
                    others.paypal.is_some(),
                    others.yookassa.is_some(),
                    others.platron.is_some(),
                )
            })
        };
        assert_eq!(others("").unwrap(), (false, false, false));
        assert_eq!(others("stripe, paypal").unwrap(), (true, false, false));
        assert_eq!(others("platron,yookassa").unwrap(), (false, true, true));
        assert!(
            others("barter")
                .unwrap_err()
                .to_string()
                .contains("CHECKOUT_PROVIDERS")
        );
    }

    #[test]
    fn rolling_webhook_secrets_are_all_taken() {
        let env = Env::from_pairs([
            ("CHECKOUT_SEED_DIR", SEED_DIR),
            ("STRIPE_WEBHOOK_SECRET", "whsec_new, whsec_old"),
        ]);
        let config = Config::read(&env).unwrap();
        let secrets = config.providers.stripe.webhook_secrets.values();
        let secrets: Vec<&str> = secrets.iter().map(ExposeSecret::expose_secret).collect();
        assert_eq!(secrets, ["whsec_new", "whsec_old"]);
    }

    #[test]
    fn all_errors_are_named_at_once() {
        let env = Env::from_pairs([
            ("CHECKOUT_SEED_DIR", "/nowhere/at/all"),
            ("STRIPE_API_BASE", "not a url"),
            ("STRIPE_TIMEOUT_MS", "soon"),
            ("CHECKOUT_GUEST_RETENTION_DAYS", "0"),
            ("CHECKOUT_QUOTE_KEYS", "the-key-that-signs-from-now-on,short"),
        ]);
        let said = Config::read(&env).unwrap_err().to_string();
        for name in [
            "CHECKOUT_SEED_DIR",
            "STRIPE_API_BASE",
            "STRIPE_TIMEOUT_MS",
            "CHECKOUT_GUEST_RETENTION_DAYS",
            "CHECKOUT_QUOTE_KEYS",
        ] {
            assert!(said.contains(name), "{name} is not named in:\n{said}");
        }
    }

    #[test]
    fn production_brings_its_own_quote_keys() {
        let env = Env::from_pairs([("CHECKOUT_SEED_DIR", SEED_DIR), ("STILLPOINT_ENV", "production")]);
        let said = Config::read(&env).unwrap_err().to_string();
        assert!(said.contains("CHECKOUT_QUOTE_KEYS"), "{said}");
    }
}
