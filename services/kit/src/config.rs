//! Settings come from an [`Env`] that is handed in, never from the process, and all faults are reported at once.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;

/// A snapshot of environment variables. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Env {
    variables: Arc<BTreeMap<String, String>>,
}

impl Env {
    /// The variables of this process, as they are now. One that is not UTF-8 counts as unset.
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

    /// An empty variable counts as unset: Compose files and charts pass those on for what nobody filled in.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// True when `STILLPOINT_ENV=production`: development defaults for secrets are then refused.
    pub fn is_production(&self) -> bool {
        self.get("STILLPOINT_ENV") == Some("production")
    }

    pub fn reader(&self) -> Reader<'_> {
        Reader {
            env: self,
            faults: Faults::default(),
        }
    }
}

/// Reads one service's settings and remembers everything that is wrong with them.
#[derive(Debug)]
pub struct Reader<'a> {
    env: &'a Env,
    faults: Faults,
}

impl Reader<'_> {
    pub fn text(&mut self, name: &'static str, default: &str) -> String {
        self.env.get(name).unwrap_or(default).to_owned()
    }

    pub fn optional(&mut self, name: &'static str) -> Option<String> {
        self.env.get(name).map(str::to_owned)
    }

    /// In production the variable must be set, and to something else than the default everybody can read here.
    pub fn secret(&mut self, name: &'static str, dev_default: &str) -> SecretString {
        let value = self.env.get(name);
        if self.env.is_production() {
            match value {
                None => self.fail(name, "must be set in production"),
                Some(value) if value == dev_default => {
                    self.fail(
                        name,
                        "is the public development value; set another one in production",
                    );
                }
                Some(_) => {}
            }
        }
        SecretString::from(value.unwrap_or(dev_default))
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

    pub fn fail(&mut self, name: &'static str, why: impl Display) {
        self.faults.push(name, why);
    }

    pub fn done<C>(self, config: C) -> Result<C, Faults> {
        if self.faults.is_empty() {
            Ok(config)
        } else {
            Err(self.faults)
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

/// Everything that is wrong with the settings; one line each when printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    lines: Vec<String>,
}

impl Faults {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds another part's faults. Two parts of one process may share a variable, so a repeated line is kept once.
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

impl Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

impl std::error::Error for Faults {}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn every_fault_is_reported_at_once() {
        let env = Env::from_pairs([("PORT", "many"), ("WAIT", "-1"), ("STILLPOINT_ENV", "production")]);
        let mut reader = env.reader();
        let port: u16 = reader.parse("PORT", 80);
        reader.secs("WAIT", Duration::from_secs(3));
        reader.secret("TOKEN", "dev");
        let faults = reader.done(port).unwrap_err().to_string();
        assert_eq!(
            faults,
            "PORT: `many`: invalid digit found in string\nWAIT: `-1` is not a whole number\n\
             TOKEN: must be set in production"
        );
    }

    #[test]
    fn an_empty_variable_counts_as_unset() {
        let env = Env::from_pairs([("NAME", ""), ("HOSTS", "")]);
        let mut reader = env.reader();
        assert_eq!(reader.text("NAME", "somebody"), "somebody");
        assert_eq!(reader.optional("NAME"), None);
        assert_eq!(reader.list("HOSTS", &["a", "b"]), ["a", "b"]);
    }

    #[test]
    fn lists_are_trimmed() {
        let env = Env::from_pairs([("HOSTS", " a, b ,,c")]);
        assert_eq!(env.reader().list("HOSTS", &[]), ["a", "b", "c"]);
    }

    #[test]
    fn a_development_secret_is_refused_in_production() {
        let development = Env::from_pairs([("TOKEN", "dev")]);
        assert_eq!(development.reader().secret("TOKEN", "dev").expose_secret(), "dev");
        let production = development.with([("STILLPOINT_ENV", "production")]);
        let mut reader = production.reader();
        reader.secret("TOKEN", "dev");
        assert!(reader.done(()).is_err());
    }

    #[test]
    fn shared_faults_are_listed_once() {
        let env = Env::from_pairs([("PORT", "x")]);
        let fault = || {
            let mut reader = env.reader();
            reader.parse::<u16>("PORT", 1);
            reader.done(()).unwrap_err()
        };
        let mut faults = fault();
        faults.merge(fault());
        assert_eq!(faults.to_string().lines().count(), 1);
    }
}
