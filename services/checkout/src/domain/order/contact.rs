//! Contact details given without signing in.

use kit::error::{ErrorCode, FieldError};

const NAME_CHARS_MAX: usize = 100;
const EMAIL_BYTES_MAX: usize = 254;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    pub full_name: String,
    pub email: String,
}

impl Contact {
    /// Returns all validation errors at once.
    pub fn accept(full_name: &str, email: &str) -> Result<Self, Vec<FieldError>> {
        let contact = Self {
            full_name: full_name.trim().to_owned(),
            email: email.trim().to_lowercase(),
        };
        let errors: Vec<FieldError> = [name_error(&contact.full_name), email_error(&contact.email)]
            .into_iter()
            .flatten()
            .collect();
        if errors.is_empty() {
            Ok(contact)
        } else {
            Err(errors)
        }
    }
}

pub(in crate::domain) fn name_error(name: &str) -> Option<FieldError> {
    let wrong = |code, message| Some(FieldError::new("full_name", code, message));
    if name.is_empty() {
        return wrong(ErrorCode::Required, "Enter your name.");
    }
    if name.chars().count() > NAME_CHARS_MAX {
        return wrong(ErrorCode::TooLong, "A name has at most 100 characters.");
    }
    if name.chars().any(char::is_control) {
        return wrong(ErrorCode::Invalid, "A name has no control characters.");
    }
    None
}

/// As strict as the mail sender.
pub(in crate::domain) fn email_error(address: &str) -> Option<FieldError> {
    if address.is_empty() {
        return Some(FieldError::new(
            "email",
            ErrorCode::Required,
            "Enter your e-mail address.",
        ));
    }
    let is_valid = address.split_once('@').is_some_and(|(local, domain)| {
        address.len() <= EMAIL_BYTES_MAX
            && !local.is_empty()
            && !domain.contains('@')
            && domain.contains('.')
            && domain.split('.').all(|label| !label.is_empty())
            && !address.chars().any(|c| c.is_whitespace() || c.is_control())
    });
    (!is_valid).then(|| FieldError::new("email", ErrorCode::Invalid, "Enter a valid e-mail address."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(full_name: &str, email: &str) -> Vec<(String, String)> {
        let errors = Contact::accept(full_name, email).unwrap_err();
        errors
            .into_iter()
            .map(|error| (error.field, error.code))
            .collect()
    }

    #[test]
    fn what_is_typed_is_trimmed() {
        let contact = Contact::accept("  Ada Lovelace ", " Ada@Example.com\n").unwrap();
        assert_eq!(
            (contact.full_name.as_str(), contact.email.as_str()),
            ("Ada Lovelace", "ada@example.com")
        );
    }

    #[test]
    fn all_errors_are_returned_at_once() {
        let of = |field: &str, code: &str| (field.to_owned(), code.to_owned());
        assert_eq!(
            errors(" ", ""),
            [of("full_name", "REQUIRED"), of("email", "REQUIRED")]
        );
        assert_eq!(errors(&"a".repeat(101), "a@b.c"), [of("full_name", "TOO_LONG")]);
        for address in ["ada", "ada@", "@b.c", "ada@b", "a da@b.c", "a@b@c.d", "a@b..c"] {
            assert_eq!(errors("Ada", address), [of("email", "INVALID")], "{address}");
        }
    }
}
