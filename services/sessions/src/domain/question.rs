//! Validation of a question. It collects all errors.
use kit::error::{ErrorCode, FieldError};

use super::language::Language;

pub const LENGTH_MAX: usize = 1000;
const TYPE_LENGTH_MAX: usize = 40;
const KEY_LENGTH_MAX: usize = 255;

const DEFAULT_TYPE: &str = "love-language";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub text: String,
    pub language: Language,
    /// The kind of text, a slug chosen by editors.
    pub text_type: String,
}

impl Question {
    pub fn parse(text: &str, lang: &str, text_type: &str) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let question = Self {
            text: text.trim().to_owned(),
            language: Language::from_tag(lang),
            text_type: match text_type.trim() {
                "" => DEFAULT_TYPE.to_owned(),
                given => given.to_owned(),
            },
        };
        match question.text.chars().count() {
            0 => errors.push(FieldError::new("q", ErrorCode::Required, "Write a question.")),
            1..=LENGTH_MAX => {}
            _ => errors.push(FieldError::new(
                "q",
                ErrorCode::TooLong,
                format!("A question has at most {LENGTH_MAX} characters."),
            )),
        }
        if !is_slug(&question.text_type) {
            let rule = format!("Lower case letters and hyphens, at most {TYPE_LENGTH_MAX}.");
            errors.push(FieldError::new("type", ErrorCode::Invalid, rule));
        }
        if errors.is_empty() {
            Ok(question)
        } else {
            Err(errors)
        }
    }
}

/// `None` for an empty key.
pub fn parse_idempotency_key(given: &str) -> Result<Option<String>, FieldError> {
    if given.len() > KEY_LENGTH_MAX || !given.chars().all(|letter| letter.is_ascii_graphic()) {
        let rule = format!("At most {KEY_LENGTH_MAX} visible ASCII characters.");
        return Err(FieldError::new("idempotency_key", ErrorCode::Invalid, rule));
    }
    Ok(Some(given.to_owned()).filter(|key| !key.is_empty()))
}

/// The type is part of an event, so it has no digits: they could be the number of a card or a phone.
fn is_slug(text: &str) -> bool {
    (1..=TYPE_LENGTH_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors_of(text: &str, text_type: &str) -> Vec<(String, String)> {
        let found = Question::parse(text, "en", text_type).err().unwrap_or_default();
        found.into_iter().map(|error| (error.field, error.code)).collect()
    }

    #[test]
    fn default_type_is_love_language() {
        let question = Question::parse("  A walk home ", "tr", "").unwrap();
        assert_eq!(question.text, "A walk home");
        assert_eq!(
            (question.language.code, question.text_type.as_str()),
            ("tr", "love-language")
        );
    }

    #[test]
    fn length_limit_counts_characters() {
        assert!(errors_of(&"ş".repeat(LENGTH_MAX), "").is_empty());
        assert_eq!(
            errors_of(&"ş".repeat(LENGTH_MAX + 1), ""),
            [("q".to_owned(), "TOO_LONG".to_owned())]
        );
    }

    #[test]
    fn type_has_no_digits() {
        let invalid = [("type".to_owned(), "INVALID".to_owned())];
        assert_eq!(errors_of("Who am I?", "4539578763621486"), invalid);
        assert!(errors_of("Who am I?", "pep-talk").is_empty());
    }

    #[test]
    fn all_errors_are_returned() {
        assert_eq!(
            errors_of(" ", "Love Language"),
            [
                ("q".to_owned(), "REQUIRED".to_owned()),
                ("type".to_owned(), "INVALID".to_owned())
            ]
        );
    }

    #[test]
    fn key_must_be_visible_ascii() {
        assert_eq!(parse_idempotency_key("").unwrap(), None);
        assert_eq!(parse_idempotency_key("k-1").unwrap().as_deref(), Some("k-1"));
        assert!(parse_idempotency_key("k 1").is_err());
        assert!(parse_idempotency_key(&"k".repeat(256)).is_err());
    }
}
