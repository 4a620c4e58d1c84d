//! An e-mail address in the one form in which it is stored, compared and hashed.
use std::fmt;

use kit::error::{ErrorCode, FieldError};
use unicode_normalization::UnicodeNormalization;

const MAX_BYTES: usize = 254;

/// Trimmed, NFC, lower case. Provider habits (dots, `+tags`) are left alone: they differ from mailbox to mailbox.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    pub fn parse(typed: &str) -> Result<Self, FieldError> {
        if typed.trim().is_empty() {
            return Err(FieldError::new(
                "email",
                ErrorCode::Required,
                "Enter your e-mail address.",
            ));
        }
        let address = normalised(typed);
        if !is_valid(&address) {
            return Err(FieldError::new(
                "email",
                ErrorCode::Invalid,
                "Enter a valid e-mail address.",
            ));
        }
        Ok(Self(address))
    }

    /// An address that was parsed before it was stored.
    pub(crate) fn stored(address: String) -> Self {
        Self(address)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Email {
    fn from(stored: String) -> Self {
        Self::stored(stored)
    }
}

impl fmt::Debug for Email {
    /// Personal data stays out of logs and panics.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

fn normalised(typed: &str) -> String {
    // Lower case may decompose (İ), so it comes before the composition.
    typed
        .trim()
        .nfc()
        .collect::<String>()
        .to_lowercase()
        .nfc()
        .collect()
}

fn is_valid(address: &str) -> bool {
    let Some((local, domain)) = address.split_once('@') else {
        return false;
    };
    address.len() <= MAX_BYTES
        && !local.is_empty()
        && !domain.contains('@')
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty())
        && !address.chars().any(|c| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_mailbox_has_one_form() {
        for typed in ["ada@example.com", "  Ada@Example.COM ", "ADA@EXAMPLE.COM\n"] {
            assert_eq!(Email::parse(typed).unwrap().as_str(), "ada@example.com");
        }
        // A composed and a decomposed é look alike on every screen.
        assert_eq!(
            Email::parse("jose\u{301}@example.com"),
            Email::parse("jos\u{e9}@example.com")
        );
    }

    #[test]
    fn dots_and_tags_are_kept() {
        assert_eq!(
            Email::parse("a.b+shop@example.com").unwrap().as_str(),
            "a.b+shop@example.com"
        );
    }

    #[test]
    fn addresses_that_cannot_receive_mail_are_refused() {
        for typed in [
            "a@",
            "@example.com",
            "ada",
            "ada@example",
            "ada@@example.com",
            "a@b@example.com",
            "ada@.com",
            "ada@example.",
            "ada@exa..mple.com",
            "ada lovelace@example.com",
            "ada@exam\u{0}ple.com",
        ] {
            assert_eq!(Email::parse(typed).unwrap_err().code, "INVALID", "{typed:?}");
        }
        assert_eq!(Email::parse("  ").unwrap_err().code, "REQUIRED");
    }

    #[test]
    fn two_hundred_and_fifty_four_bytes_are_the_limit() {
        let of_length = |bytes: usize| format!("{}@example.com", "a".repeat(bytes - "@example.com".len()));
        assert!(Email::parse(&of_length(254)).is_ok());
        assert_eq!(Email::parse(&of_length(255)).unwrap_err().code, "INVALID");
    }

    #[test]
    fn debug_output_shows_no_address() {
        assert!(!format!("{:?}", Email::parse("ada@example.com").unwrap()).contains("ada"));
    }

    proptest! {
        #[test]
        fn any_text_is_answered_without_a_panic(typed in ".*") {
            let _ = Email::parse(&typed);
        }

        #[test]
        fn normalising_again_changes_nothing(typed in "\\PC{1,40}@\\PC{1,40}\\.\\PC{2,10}") {
            if let Ok(email) = Email::parse(&typed) {
                prop_assert_eq!(Email::parse(email.as_str()).unwrap(), email);
            }
        }

        #[test]
        fn case_and_surrounding_space_never_make_another_account(
            local in "[a-z0-9._+-]{1,30}", domain in "[a-z0-9-]{1,20}\\.[a-z]{2,6}", before in "[ \t\r\n]{0,3}", after in "[ \t]{0,3}",
        ) {
            let plain = Email::parse(&format!("{local}@{domain}")).unwrap();
            let shouted = format!("{before}{}@{}{after}", local.to_uppercase(), domain.to_uppercase());
            prop_assert_eq!(Email::parse(&shouted).unwrap(), plain);
        }

        #[test]
        fn what_is_accepted_keeps_the_rule(typed in "\\PC{0,300}") {
            if let Ok(email) = Email::parse(&typed) {
                prop_assert_eq!(email.as_str().matches('@').count(), 1);
                prop_assert!(email.as_str().len() <= MAX_BYTES);
                prop_assert!(email.as_str().split('@').nth(1).unwrap().contains('.'));
            }
        }
    }
}
