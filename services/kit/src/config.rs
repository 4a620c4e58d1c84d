//! Reads settings from an [`Env`] passed in, never from the process, and reports all errors at once.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use secrecy::SecretString;

/// Minimum length of secrets issued by a provider.
const ISSUED_BYTES_MIN: usize = 16;
/// Minimum length of our own secrets: at least 128 bits in any encoding.
const OWN_BYTES_MIN: usize = 32;

/// All secrets contained in this repository, for development, the sandbox and Docker Compose. Tests check that the list is complete.
const PUBLIC_SECRETS: [&str; 16] = [
    "development-analytics-hash-key",
    "development-bin-hash-key",
    "development-email-hash-key",
    "development-link-key",
    "development-signing-secret",
    "facebook-app-secret",
    "operate",
    "paypal-secret-stillpoint",
    "platron-secret-stillpoint",
    "read-published",
    "sk-stillpoint",
    "sk_test_stillpoint",
    "stillpoint",
    "stillpoint-quotes-in-development",
    "test_yookassa-stillpoint",
    "whsec_stillpoint",
];

/// A snapshot of environment variables. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Env {
    variables: Arc<BTreeMap<String, String>>,
}

impl Env {
    /// The variables of this process. A value that is not UTF-8 counts as unset.
    pub fn from_process() -> Self {
        let readable = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self::from_pairs(readable)
    }

    pub fn from_pairs<K, V>(pairs: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<String>,
    {
        let variables = pairs
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        Self {
            variables: Arc::new(variables),
        }
    }

    /// The same variables with some added or replaced.
    #[must_use]
    pub fn with<K, V>(&self, pairs: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<String>,
    {
        let mut variables = (*self.variables).clone();
        variables.extend(pairs.into_iter().map(|(name, value)| (name.into(), value.into())));
        Self {
            variables: Arc::new(variables),
        }
    }

    /// An empty variable counts as unset: Compose files and charts pass empty values on.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// For server processes: production unless `STILLPOINT_ENV` is set. A missing variable must not enable
    /// secrets that are public in this repository.
    #[must_use]
    pub fn or_production(self) -> Self {
        match self.get("STILLPOINT_ENV") {
            Some(_) => self,
            None => self.with([("STILLPOINT_ENV", "production")]),
        }
    }

    /// True for `STILLPOINT_ENV=production`, which rejects public and short secrets.
    pub fn is_production(&self) -> bool {
        self.get("STILLPOINT_ENV") == Some("production")
    }

    pub fn reader(&self) -> EnvReader<'_> {
        EnvReader {
            env: self,
            errors: ConfigErrors::default(),
        }
    }
}

/// Reads a service's settings and collects their errors.
#[derive(Debug)]
pub struct EnvReader<'a> {
    env: &'a Env,
    errors: ConfigErrors,
}

impl EnvReader<'_> {
    pub fn text(&mut self, name: &'static str, default: &str) -> String {
        self.env.get(name).unwrap_or(default).to_owned()
    }

    pub fn optional(&mut self, name: &'static str) -> Option<String> {
        self.env.get(name).map(str::to_owned)
    }

    /// A secret issued by a provider, or several, comma separated. Required in production, not one of this repository,
    /// and of a minimum length, to catch typos.
    pub fn secret(&mut self, name: &'static str, dev_default: &str) -> SecretString {
        self.checked_secret(name, dev_default, ISSUED_BYTES_MIN)
    }

    /// A secret of our own. In production it must also be too long to be guessed.
    pub fn own_secret(&mut self, name: &'static str, dev_default: &str) -> SecretString {
        self.checked_secret(name, dev_default, OWN_BYTES_MIN)
    }

    /// A URL that may contain a password. Required in production, without a password of this repository.
    pub fn secret_address(&mut self, name: &'static str, dev_default: &str) -> SecretString {
        self.checked_secret(name, dev_default, 0)
    }

    /// The address of a schema's database: its own variable, such as `AUTH_DATABASE_URL`, else `DATABASE_URL`. Checked as by
    /// `secret_address`.
    pub(crate) fn database_address(&mut self, schema: &str, dev_default: &str) -> SecretString {
        let own = format!("{}_DATABASE_URL", schema.to_ascii_uppercase());
        let name = match self.env.get(&own) {
            Some(_) => own.as_str(),
            None => "DATABASE_URL",
        };
        self.checked_secret(name, dev_default, 0)
    }

    /// In production the variable must be an https URL: cookies, links and signatures depend on it.
    pub fn require_https(&mut self, name: &'static str) {
        let is_https = self
            .env
            .get(name)
            .is_some_and(|value| value.to_ascii_lowercase().starts_with("https://"));
        if self.env.is_production() && !is_https {
            self.fail(name, "must be an https:// address in production");
        }
    }

    fn checked_secret(&mut self, name: &str, dev_default: &str, bytes_min: usize) -> SecretString {
        let value = self.env.get(name);
        if self.env.is_production() {
            match value {
                None => self.fail(name, "must be set in production"),
                Some(value) => self.check_parts(name, value, dev_default, bytes_min),
            }
        }
        SecretString::from(value.unwrap_or(dev_default))
    }

    fn check_parts(&mut self, name: &str, value: &str, dev_default: &str, bytes_min: usize) {
        let is_public = |secret: &str| {
            secret == dev_default || PUBLIC_SECRETS.contains(&secret) || has_public_password(secret)
        };
        let secrets = || value.split(',').map(str::trim);
        if secrets().any(is_public) {
            self.fail(
                name,
                "holds a public development value; set another one in production",
            );
        }
        if secrets().any(|secret| !is_public(secret) && secret.len() < bytes_min) {
            self.fail(
                name,
                format_args!("must have at least {bytes_min} characters in production"),
            );
        }
    }

    pub fn parse<T>(&mut self, name: &'static str, default: T) -> T
    where
        T: FromStr,
        T::Err: Display,
    {
        let Some(value) = self.env.get(name) else {
            return default;
        };
        match value.parse() {
            Ok(parsed) => parsed,
            Err(why) => {
                self.fail(name, format_args!("`{value}`: {why}"));
                default
            }
        }
    }

    pub fn millis(&mut self, name: &'static str, default: Duration) -> Duration {
        self.duration(name, default, Duration::from_millis)
    }

    pub fn secs(&mut self, name: &'static str, default: Duration) -> Duration {
        self.duration(name, default, Duration::from_secs)
    }

    /// Comma separated; blanks around an item are dropped, and so are empty items.
    pub fn list(&mut self, name: &'static str, default: &[&str]) -> Vec<String> {
        match self.env.get(name) {
            None => default.iter().map(|item| (*item).to_owned()).collect(),
            Some(value) => value
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    pub fn fail(&mut self, name: &str, why: impl Display) {
        self.errors.push(name, why);
    }

    pub fn done<C>(self, config: C) -> Result<C, ConfigErrors> {
        if self.errors.is_empty() {
            Ok(config)
        } else {
            Err(self.errors)
        }
    }

    fn duration(
        &mut self,
        name: &'static str,
        default: Duration,
        from_number: fn(u64) -> Duration,
    ) -> Duration {
        let Some(value) = self.env.get(name) else {
            return default;
        };
        let Ok(number) = value.parse() else {
            self.fail(name, format_args!("`{value}` is not a whole number"));
            return default;
        };
        from_number(number)
    }
}

/// Whether a URL holds one of `PUBLIC_SECRETS` as its password. False for other text.
fn has_public_password(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    let is_public = |password: &str| PUBLIC_SECRETS.contains(&password);
    // Postgres reads it there as well.
    let in_query = url
        .query_pairs()
        .any(|(name, value)| name == "password" && is_public(&value));
    in_query || url.password().is_some_and(is_public)
}

/// All configuration errors, one line each when printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigErrors {
    lines: Vec<String>,
}

impl ConfigErrors {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds another service's errors. Services of one process may share a variable, so repeated lines are dropped.
    pub fn merge(&mut self, other: Self) {
        for line in other.lines {
            if !self.lines.contains(&line) {
                self.lines.push(line);
            }
        }
    }

    fn push(&mut self, name: &str, why: impl Display) {
        self.lines.push(format!("{name}: {why}"));
    }
}

impl Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

impl std::error::Error for ConfigErrors {}

#[cfg(test)]
mod tests;
