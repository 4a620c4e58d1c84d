//! Reads settings from an [`Env`] passed in, never from the process, and reports all errors at once. A secret `X` may be in
//! the file that `X_FILE` names.

mod public_secrets;
mod rotating;
mod secret_file;
mod secret_rule;

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};

pub use rotating::RotatingSecret;
use secret_rule::SecretRule;

/// Minimum length of secrets issued by a provider.
const ISSUED_BYTES_MIN: usize = 16;
/// Minimum length of our own secrets: at least 128 bits in any encoding.
const OWN_BYTES_MIN: usize = 32;
/// The superuser of a new Postgres. No service may connect as it in production.
const SUPERUSER: &str = "postgres";

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

    /// The secret `name`: its variable, or the file that `<name>_FILE` names. The errors name the variable, never the content.
    pub fn secret_value(&self, name: &str) -> Result<Option<SecretString>, ConfigErrors> {
        let Some(path) = self.secret_path(name) else {
            return Ok(self.get(name).map(SecretString::from));
        };
        let variable = file_variable(name);
        let mut errors = ConfigErrors::default();
        if self.get(name).is_some() {
            errors.push(
                name,
                format_args!("is set, and so is {variable}; set one of them"),
            );
            return Err(errors);
        }
        match secret_file::read(&path) {
            Ok(secret) => Ok(Some(secret)),
            Err(error) => {
                errors.push(&variable, error);
                Err(errors)
            }
        }
    }

    fn secret_path(&self, name: &str) -> Option<PathBuf> {
        self.get(&file_variable(name)).map(PathBuf::from)
    }

    /// Whether the secret has a value or a file.
    fn has_secret(&self, name: &str) -> bool {
        self.get(name).is_some() || self.secret_path(name).is_some()
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

    /// An address that may contain a password and need not be set.
    pub fn optional_secret(&mut self, name: &'static str) -> Option<SecretString> {
        let is_set = self.env.has_secret(name);
        is_set.then(|| self.checked_secret(name, "", 0))
    }

    /// As `secret`, for one or several values that are replaced while the process runs.
    pub fn rotating_secret(&mut self, name: &'static str, dev_default: &str) -> RotatingSecret {
        self.checked_rotating_secret(name, dev_default, ISSUED_BYTES_MIN)
    }

    /// As `own_secret`, for one or several values that are replaced while the process runs.
    pub fn own_rotating_secret(&mut self, name: &'static str, dev_default: &str) -> RotatingSecret {
        self.checked_rotating_secret(name, dev_default, OWN_BYTES_MIN)
    }

    /// The address of a schema's database for its service: its own variable, such as `AUTH_DATABASE_URL`, else `DATABASE_URL`.
    /// Checked as by `secret_address`.
    pub(crate) fn database_address(&mut self, schema: &str, dev_default: &str) -> SecretString {
        let own = format!("{}_DATABASE_URL", schema.to_ascii_uppercase());
        let name = if self.env.has_secret(&own) {
            own.as_str()
        } else {
            "DATABASE_URL"
        };
        self.role_address(name, dev_default)
    }

    /// The address for the role that owns the schema: `AUTH_MIGRATION_DATABASE_URL` and the like.
    pub(crate) fn migration_address(&mut self, schema: &str, dev_default: &str) -> Option<SecretString> {
        let name = format!("{}_MIGRATION_DATABASE_URL", schema.to_ascii_uppercase());
        let is_set = self.env.has_secret(&name);
        is_set.then(|| self.role_address(&name, dev_default))
    }

    fn role_address(&mut self, name: &str, dev_default: &str) -> SecretString {
        let address = self.checked_secret(name, dev_default, 0);
        let is_superuser = Url::parse(address.expose_secret()).is_ok_and(|url| url.username() == SUPERUSER);
        if self.env.is_production() && self.env.has_secret(name) && is_superuser {
            self.fail(
                name,
                "names the superuser; `standalone access postgres` makes a role for each service",
            );
        }
        address
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
        let value = match self.env.secret_value(name) {
            Ok(value) => value,
            Err(errors) => {
                self.errors.merge(errors);
                return SecretString::from(dev_default);
            }
        };
        match &value {
            None if self.env.is_production() => self.fail(name, "must be set in production"),
            None => {}
            Some(value) => {
                for reason in self.rule(dev_default, bytes_min).violations(value) {
                    self.fail(name, reason);
                }
            }
        }
        value.unwrap_or_else(|| SecretString::from(dev_default))
    }

    fn checked_rotating_secret(
        &mut self,
        name: &'static str,
        dev_default: &str,
        bytes_min: usize,
    ) -> RotatingSecret {
        let value = self.checked_secret(name, dev_default, bytes_min);
        let secret = match self.env.secret_path(name) {
            None => RotatingSecret::fixed(&value),
            Some(path) => RotatingSecret::from_file(name, path, self.rule(dev_default, bytes_min), &value),
        };
        if secret.values().is_empty() {
            self.fail(name, "holds no secret");
        }
        secret
    }

    fn rule(&self, dev_default: &str, bytes_min: usize) -> SecretRule {
        SecretRule {
            is_production: self.env.is_production(),
            dev_default: dev_default.to_owned(),
            bytes_min,
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

fn file_variable(name: &str) -> String {
    format!("{name}_FILE")
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
