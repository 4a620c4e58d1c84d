//! The language of a request. Orders and quotes store it, because their events may be emitted by a background task.

use kit::requester;

use super::text;
use crate::error::{Error, Result};

/// Used without any language: the cards of gifts on a hosted page are from Russia and Belarus.
const OF_HOSTED_GIFTS: &str = "ru";

/// A caller that sends no language gets the requester's.
pub fn of(text: String) -> Result<String> {
    let given = text::short("language", text)?;
    if given.is_empty() {
        return Ok(requester::current().lang.unwrap_or_default());
    }
    Ok(given)
}

/// Becomes a part of the URL the buyer returns to.
pub fn of_hosted_gift(text: String) -> Result<String> {
    let language = of(text)?;
    let is_plain = language
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match language.as_str() {
        "" => Ok(OF_HOSTED_GIFTS.to_owned()),
        _ if is_plain => Ok(language),
        _ => Err(Error::Invalid {
            field: "language",
            why: "is no language tag",
        }),
    }
}

#[cfg(test)]
mod tests {
    use kit::requester::{Requester, scope};

    use super::*;

    #[tokio::test]
    async fn requesters_language_replaces_a_missing_one() {
        let visitor = Requester::new("de", "AT");
        scope(visitor, async {
            assert_eq!(of("tr".into()).unwrap(), "tr");
            assert_eq!(of(String::new()).unwrap(), "de");
            assert_eq!(of_hosted_gift(String::new()).unwrap(), "de");
        })
        .await;
        assert_eq!(of(String::new()).unwrap(), "");
        assert_eq!(of_hosted_gift(String::new()).unwrap(), "ru");
        assert!(of("x".repeat(256)).is_err());
        assert!(of_hosted_gift("../evil".into()).is_err());
    }
}
