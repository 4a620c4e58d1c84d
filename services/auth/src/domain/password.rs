//! Rules for new passwords, and normalisation before hashing.
pub(crate) mod guessable;

use kit::error::{ErrorCode, FieldError};
use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

use crate::domain::password::guessable::{is_guessable, is_named_after, is_well_known};

const MIN_CHARS: usize = 6;
const MAX_CHARS: usize = 128;

/// NFC, so that the same keys pressed on two systems are the same password (RFC 8265). Never trimmed.
#[derive(Clone, Debug, Default)]
pub struct Password(SecretString);

impl Password {
    /// A new password.
    pub fn chosen(typed: &str) -> Result<Self, FieldError> {
        let password = Self::presented(typed)?;
        let text = password.expose();
        if text.chars().count() < MIN_CHARS {
            return Err(FieldError::new(
                "password",
                ErrorCode::TooShort,
                format!("A password has at least {MIN_CHARS} characters."),
            ));
        }
        if is_well_known(text) {
            return Err(breached());
        }
        if is_guessable(text) {
            return Err(too_common());
        }
        Ok(password)
    }

    /// `chosen`, and not what its owner is called.
    pub fn chosen_by(typed: &str, full_name: &str, email: &str) -> Result<Self, FieldError> {
        let password = Self::chosen(typed)?;
        password.must_not_name(full_name, email)?;
        Ok(password)
    }

    /// It is not what its owner is called.
    pub fn must_not_name(&self, full_name: &str, email: &str) -> Result<(), FieldError> {
        let mailbox = email.split('@').next().unwrap_or_default();
        if is_named_after(self.expose(), &[mailbox.trim()]) {
            return Err(breached());
        }
        let names = [full_name.trim(), email.trim()];
        if is_named_after(self.expose(), &names) {
            return Err(too_common());
        }
        Ok(())
    }

    /// A password to be compared. Only what could never fit is refused, so the rules may grow without locking anyone out.
    pub fn presented(typed: &str) -> Result<Self, FieldError> {
        let text: String = typed.nfc().collect();
        if text.is_empty() {
            return Err(FieldError::new(
                "password",
                ErrorCode::Required,
                "Enter a password.",
            ));
        }
        if text.chars().count() > MAX_CHARS {
            return Err(FieldError::new(
                "password",
                ErrorCode::TooLong,
                format!("A password has at most {MAX_CHARS} characters."),
            ));
        }
        Ok(Self(SecretString::from(text)))
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

/// A password that is in published lists of passwords.
pub fn breached() -> FieldError {
    let message = "This password is in published lists of passwords. Choose another.";
    FieldError::new("password", ErrorCode::PasswordBreached, message)
}

fn too_common() -> FieldError {
    let message = "This password is among the first that are guessed. Choose another.";
    FieldError::new("password", ErrorCode::TooCommon, message)
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
        assert!(Password::chosen(&"kestrel ş".repeat(14)).is_ok());
        assert_eq!(refusal("k7#pQ"), "TOO_SHORT");
        assert_eq!(refusal(&"k7".repeat(65)), "TOO_LONG");
        assert_eq!(refusal(""), "REQUIRED");
    }

    #[test]
    fn well_known_passwords_are_refused_in_any_case() {
        for typed in ["Password1", "iloveyou", "QWERTY", "stillpoint"] {
            assert_eq!(refusal(typed), "PASSWORD_BREACHED", "{typed}");
        }
    }

    #[test]
    fn guessable_passwords_are_refused() {
        for typed in ["P@ssw0rd2024!", "zzzzzzzz", "Summer2025!"] {
            assert_eq!(refusal(typed), "TOO_COMMON", "{typed}");
        }
    }

    #[test]
    fn the_local_part_of_the_address_is_no_password() {
        let refused = Password::chosen_by("Lovelace1815", "Ada", "lovelace@example.com").unwrap_err();
        assert_eq!(refused.code, "PASSWORD_BREACHED");
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
    fn password_must_not_contain_the_members_name() {
        let refused = Password::chosen_by("AdaLovelace1", "Ada Lovelace", "ada@example.com").unwrap_err();
        assert_eq!(refused.code, "TOO_COMMON");
        assert!(Password::chosen_by("a quiet place", "Ada Lovelace", "ada@example.com").is_ok());
        assert!(Password::chosen_by("a quiet place", "", "").is_ok());
    }
}
