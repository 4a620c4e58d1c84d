//! The random passwords of an installation, in files of lines such as `AUTH_DATABASE_PASSWORD=…` that only their owner can read.

use std::{fs, path::Path};

use super::{Settings, postgres::random_password};
use crate::{failure::Failure, paths::write_private};

/// Reads the passwords of these variables, and creates those that are missing. Others in the file are removed.
pub fn ensure<'a>(file: &Path, variables: impl IntoIterator<Item = &'a str>) -> Result<Settings, Failure> {
    let stored = fs::read_to_string(file).unwrap_or_default();
    let mut passwords = Settings::new();
    for variable in variables {
        let password = match find(&stored, variable) {
            Some(password) => password.to_owned(),
            // NATS would read a value of digits as a number.
            None => format!("n{}", random_password()?),
        };
        passwords.push((variable.to_owned(), password));
    }
    write_private(file, &lines(&passwords))?;
    Ok(passwords)
}

fn find<'a>(stored: &'a str, variable: &str) -> Option<&'a str> {
    stored
        .lines()
        .filter_map(|line| line.split_once('='))
        .find(|(name, value)| *name == variable && !value.is_empty())
        .map(|(_, value)| value)
}

fn lines(passwords: &[(String, String)]) -> String {
    passwords
        .iter()
        .flat_map(|(name, value)| [name.as_str(), "=", value.as_str(), "\n"])
        .collect()
}
