//! What somebody asks, checked. All faults are found before any is answered.
use kit::error::FieldFault;

use super::language::Language;

pub const LENGTH_MAX: usize = 1000;
const TYPE_LENGTH_MAX: usize = 40;
const KEY_LENGTH_MAX: usize = 255;

const DEFAULT_TYPE: &str = "love-language";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub text: String,
    pub language: Language,
    /// Which kind of text is wanted; editors name it.
    pub text_type: String,
}

impl Question {
    pub fn read(text: &str, lang: &str, text_type: &str) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let question = Self {
            text: text.trim().to_owned(),
            language: Language::of(lang),
            text_type: match text_type.trim() {
                "" => DEFAULT_TYPE.to_owned(),
                given => given.to_owned(),
            },
        };
        match question.text.chars().count() {
            0 => faults.push(fault("q", "REQUIRED", "Write a question.")),
            1..=LENGTH_MAX => {}
            _ => faults.push(fault(
                "q",
                "TOO_LONG",
                &format!("A question has at most {LENGTH_MAX} characters."),
            )),
        }
        if !is_slug(&question.text_type) {
            let rule = format!("Lower case letters, digits and hyphens, at most {TYPE_LENGTH_MAX}.");
            faults.push(fault("type", "INVALID", &rule));
        }
        if faults.is_empty() {
            Ok(question)
        } else {
            Err(faults)
        }
    }
}

/// `None` where the caller sent none.
pub fn idempotency_key(given: &str) -> Result<Option<String>, FieldFault> {
    if given.len() > KEY_LENGTH_MAX || !given.chars().all(|letter| letter.is_ascii_graphic()) {
        let rule = format!("At most {KEY_LENGTH_MAX} visible ASCII characters.");
        return Err(fault("idempotency_key", "INVALID", &rule));
    }
    Ok(Some(given.to_owned()).filter(|key| !key.is_empty()))
}

pub fn fault(field: &str, code: &str, message: &str) -> FieldFault {
    FieldFault {
        field: field.to_owned(),
        code: code.to_owned(),
        message: message.to_owned(),
    }
}

fn is_slug(text: &str) -> bool {
    (1..=TYPE_LENGTH_MAX).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str, text_type: &str) -> Vec<(String, String)> {
        let found = Question::read(text, "en", text_type).err().unwrap_or_default();
        found.into_iter().map(|fault| (fault.field, fault.code)).collect()
    }

    #[test]
    fn without_a_type_it_is_a_love_language() {
        let question = Question::read("  A walk home ", "tr", "").unwrap();
        assert_eq!(question.text, "A walk home");
        assert_eq!(
            (question.language.code, question.text_type.as_str()),
            ("tr", "love-language")
        );
    }

    #[test]
    fn a_thousand_characters_in_any_script_are_a_question() {
        assert!(faults(&"ş".repeat(LENGTH_MAX), "").is_empty());
        assert_eq!(
            faults(&"ş".repeat(LENGTH_MAX + 1), ""),
            [("q".to_owned(), "TOO_LONG".to_owned())]
        );
    }

    #[test]
    fn every_fault_is_named_at_once() {
        assert_eq!(
            faults(" ", "Love Language"),
            [
                ("q".to_owned(), "REQUIRED".to_owned()),
                ("type".to_owned(), "INVALID".to_owned())
            ]
        );
    }

    #[test]
    fn a_key_is_visible_ascii_or_none() {
        assert_eq!(idempotency_key("").unwrap(), None);
        assert_eq!(idempotency_key("k-1").unwrap().as_deref(), Some("k-1"));
        assert!(idempotency_key("k 1").is_err());
        assert!(idempotency_key(&"k".repeat(256)).is_err());
    }
}
