//! Parses form fields. All errors of a form are collected.
use kit::error::{ErrorCode, FieldError};

const NAME_MAX_CHARS: usize = 100;
const LANG_MAX_CHARS: usize = 16;
const ORDER_ID_MAX_CHARS: usize = 64;
const IDEMPOTENCY_KEY_MAX_CHARS: usize = 255;

/// The value, or its default with the error kept for later.
pub fn collect_error<T: Default>(errors: &mut Vec<FieldError>, read: Result<T, FieldError>) -> T {
    read.unwrap_or_else(|error| {
        errors.push(error);
        T::default()
    })
}

pub fn full_name(typed: &str) -> Result<String, FieldError> {
    let name = typed.trim();
    if name.is_empty() {
        return Err(FieldError::new("name", ErrorCode::Required, "Enter your name."));
    }
    if name.chars().count() > NAME_MAX_CHARS {
        return Err(FieldError::new(
            "name",
            ErrorCode::TooLong,
            format!("A name has at most {NAME_MAX_CHARS} characters."),
        ));
    }
    if name.chars().any(char::is_control) {
        return Err(FieldError::new(
            "name",
            ErrorCode::Invalid,
            "A name has no control characters.",
        ));
    }
    Ok(name.to_owned())
}

/// A language tag such as `en` or `zh-Hans`; empty when the caller did not say.
pub fn lang(given: &str) -> Result<Option<String>, FieldError> {
    let fits =
        |tag: &str| tag.len() <= LANG_MAX_CHARS && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    optional(given, fits)
        .map_err(|InvalidFormat| FieldError::new("lang", ErrorCode::Invalid, "Not a language tag."))
}

/// An ISO 3166 alpha-2 code in upper case.
pub fn country(given: &str) -> Result<Option<String>, FieldError> {
    let fits = |code: &str| code.len() == 2 && code.chars().all(|c| c.is_ascii_alphabetic());
    let country = optional(given, fits)
        .map_err(|InvalidFormat| FieldError::new("country", ErrorCode::Invalid, "Not a country code."))?;
    Ok(country.map(|code| code.to_ascii_uppercase()))
}

/// The survey order a sign-up belongs to. Bounded because it travels on in events.
pub fn order_id(given: &str) -> Result<String, FieldError> {
    let may_stand = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let fits = |id: &str| id.len() <= ORDER_ID_MAX_CHARS && id.chars().all(may_stand);
    let order_id = optional(given, fits)
        .map_err(|InvalidFormat| FieldError::new("order_id", ErrorCode::Invalid, "Not an order number."))?;
    Ok(order_id.unwrap_or_default())
}

pub fn idempotency_key(given: &str) -> Result<Option<String>, FieldError> {
    let fits =
        |key: &str| key.len() <= IDEMPOTENCY_KEY_MAX_CHARS && key.chars().all(|c| c.is_ascii_graphic());
    optional(given, fits).map_err(|InvalidFormat| {
        let rule = format!("At most {IDEMPOTENCY_KEY_MAX_CHARS} visible ASCII characters.");
        FieldError::new("idempotency_key", ErrorCode::Invalid, rule)
    })
}

struct InvalidFormat;

fn optional(given: &str, fits: impl Fn(&str) -> bool) -> Result<Option<String>, InvalidFormat> {
    match given.trim() {
        "" => Ok(None),
        value if fits(value) => Ok(Some(value.to_owned())),
        _ => Err(InvalidFormat),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_trimmed_and_must_not_be_blank() {
        assert_eq!(full_name("  Ada Lovelace ").unwrap(), "Ada Lovelace");
        assert_eq!(full_name(" \t ").unwrap_err().code, "REQUIRED");
        assert_eq!(full_name(&"a".repeat(101)).unwrap_err().code, "TOO_LONG");
        assert_eq!(full_name("Ada\u{0}").unwrap_err().code, "INVALID");
    }

    #[test]
    fn a_hundred_characters_in_any_script_are_a_name() {
        assert!(full_name(&"ş".repeat(100)).is_ok());
    }

    #[test]
    fn optional_fields_may_be_absent() {
        assert_eq!(lang("").unwrap(), None);
        assert_eq!(country(" ").unwrap(), None);
        assert_eq!(order_id("").unwrap(), "");
        assert_eq!(idempotency_key("").unwrap(), None);
    }

    #[test]
    fn optional_fields_must_fit_when_given() {
        assert_eq!(lang("zh-Hans").unwrap().as_deref(), Some("zh-Hans"));
        assert_eq!(country("tr").unwrap().as_deref(), Some("TR"));
        assert_eq!(lang("<script>").unwrap_err().field, "lang");
        assert_eq!(country("Turkey").unwrap_err().field, "country");
        assert_eq!(order_id("md 1").unwrap_err().field, "order_id");
        assert_eq!(
            idempotency_key(&"k".repeat(256)).unwrap_err().field,
            "idempotency_key"
        );
    }
}
