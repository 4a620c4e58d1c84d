//! The arguments of `standalone access nats`.

use anyhow::{Context, bail, ensure};

#[derive(Debug, Default)]
pub struct Options {
    pub readers: Vec<Reader>,
    /// The key-value bucket of the virtual clock, in development.
    pub clock_bucket: Option<String>,
}

/// A user that reads events.
#[derive(Debug, PartialEq, Eq)]
pub struct Reader {
    pub name: String,
    pub filters: Vec<String>,
}

impl Options {
    pub fn read(arguments: &[String]) -> anyhow::Result<Self> {
        let mut options = Self::default();
        let mut rest = arguments.iter();
        while let Some(flag) = rest.next() {
            let value = rest.next().with_context(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--reader" => options.readers.push(reader(value)?),
                "--clock-bucket" => {
                    ensure!(is_name(value), "`{value}` is not the name of a bucket");
                    options.clock_bucket = Some(value.clone());
                }
                other => bail!("unknown argument `{other}`"),
            }
        }
        Ok(options)
    }
}

/// `bi=stillpoint.checkout.>,stillpoint.auth.user.registered`
fn reader(text: &str) -> anyhow::Result<Reader> {
    let (name, filters) = text
        .split_once('=')
        .with_context(|| format!("`{text}` is not NAME=FILTER[,FILTER…]"))?;
    ensure!(
        is_name(name),
        "`{name}` is not a name: use a to z, digits and hyphens"
    );
    let filters: Vec<String> = filters.split(',').map(str::to_owned).collect();
    for filter in &filters {
        ensure!(is_filter(filter), "`{filter}` is not a filter of events");
    }
    Ok(Reader {
        name: name.to_owned(),
        filters,
    })
}

fn is_name(text: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.chars().all(is_allowed)
}

/// Only of events: everything else on the server belongs to its operators.
fn is_filter(text: &str) -> bool {
    let is_word = |token: &str| {
        !token.is_empty()
            && token
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    let tokens: Vec<&str> = text.split('.').collect();
    match tokens.as_slice() {
        ["stillpoint", middle @ .., last] => {
            middle.iter().all(|token| *token == "*" || is_word(token))
                && (matches!(*last, "*" | ">") || is_word(last))
        }
        _ => false,
    }
}
