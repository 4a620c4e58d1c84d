//! Which passwords may be chosen, and what is done to a typed password before it is hashed.
use std::collections::HashSet;
use std::sync::LazyLock;

use kit::error::FieldFault;
use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

use crate::domain::fields::refused;

const MIN_CHARS: usize = 6;
const MAX_CHARS: usize = 128;

static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// NFC, so that the same keys pressed on two systems are the same password (RFC 8265). Never trimmed.
#[derive(Clone, Debug, Default)]
pub struct Password(SecretString);

impl Password {
    /// A password somebody wants to have from now on.
    pub fn chosen(typed: &str) -> Result<Self, FieldFault> {
        let password = Self::presented(typed)?;
        let text = password.expose();
        if text.chars().count() < MIN_CHARS {
            return Err(refused(
                "password",
                "TOO_SHORT",
                format!("A password has at least {MIN_CHARS} characters."),
            ));
        }
        if is_common(text) {
            let message = "This password is among the first that are guessed. Choose another.";
            return Err(refused("password", "TOO_COMMON", message));
        }
        Ok(password)
    }

    /// A password to be compared. Only what could never fit is refused, so the rules may grow without locking anyone out.
    pub fn presented(typed: &str) -> Result<Self, FieldFault> {
        let text: String = typed.nfc().collect();
        if text.is_empty() {
            return Err(refused("password", "REQUIRED", "Enter a password."));
        }
        if text.chars().count() > MAX_CHARS {
            return Err(refused(
                "password",
                "TOO_LONG",
                format!("A password has at most {MAX_CHARS} characters."),
            ));
        }
        Ok(Self(SecretString::from(text)))
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

fn is_common(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut chars = lower.chars();
    let first = chars.next();
    chars.all(|c| Some(c) == first) || COMMON.contains(lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(typed: &str) -> String {
        Password::chosen(typed).unwrap_err().code
    }

    #[test]
    fn six_to_a_hundred_and_twenty_eight_characters_are_a_password() {
        assert!(Password::chosen("k7#pQz").is_ok());
        assert!(Password::chosen(&"k7ş".repeat(42)).is_ok());
        assert_eq!(refusal("k7#pQ"), "TOO_SHORT");
        assert_eq!(refusal(&"k7".repeat(65)), "TOO_LONG");
        assert_eq!(refusal(""), "REQUIRED");
    }

    #[test]
    fn the_commonest_are_refused_in_any_case() {
        for typed in [
            "123456",
            "Password1",
            "iloveyou",
            "QWERTY",
            "zzzzzzzz",
            "пароль123",
        ] {
            assert_eq!(refusal(typed), "TOO_COMMON", "{typed}");
        }
    }

    #[test]
    fn a_common_password_from_before_the_rule_still_signs_in() {
        assert!(Password::presented("123456").is_ok());
        assert!(Password::presented("short").is_ok());
    }

    #[test]
    fn composed_and_decomposed_letters_are_one_password() {
        let composed = Password::chosen("caf\u{e9} au lait").unwrap();
        let decomposed = Password::chosen("cafe\u{301} au lait").unwrap();
        assert_eq!(composed.expose(), decomposed.expose());
    }

    #[test]
    fn spaces_belong_to_the_password() {
        assert_eq!(Password::chosen(" six se ven ").unwrap().expose(), " six se ven ");
    }

    #[test]
    fn debug_output_shows_no_password() {
        assert!(!format!("{:?}", Password::chosen("k7#pQz").unwrap()).contains("k7#pQz"));
    }

    #[test]
    fn the_list_holds_only_what_the_other_rules_let_through() {
        let words: Vec<&str> = include_str!("common_passwords.txt").lines().collect();
        assert!(words.is_sorted());
        assert_eq!(words.len(), COMMON.len());
        for word in words {
            assert!(word.chars().count() >= MIN_CHARS, "{word}");
            assert_eq!(word.nfc().collect::<String>().to_lowercase(), word);
        }
    }
}
