//! What somebody presents to sign in.
use kit::error::FieldFault;

use crate::domain::email::Email;
use crate::domain::fields::{self, keep_fault};
use crate::domain::password::Password;

pub struct Credentials {
    pub email: Email,
    pub password: Password,
    pub lang: Option<String>,
}

impl Credentials {
    pub fn parse(email: &str, password: &str, lang: &str) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let credentials = Self {
            email: keep_fault(&mut faults, Email::parse(email)),
            password: keep_fault(&mut faults, Password::presented(password)),
            lang: keep_fault(&mut faults, fields::lang(lang)),
        };
        if faults.is_empty() {
            Ok(credentials)
        } else {
            Err(faults)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_form_names_both_fields() {
        let Err(faults) = Credentials::parse("", "", "") else {
            panic!("accepted")
        };
        let named: Vec<_> = faults
            .iter()
            .map(|fault| (fault.field.as_str(), fault.code.as_str()))
            .collect();
        assert_eq!(named, [("email", "REQUIRED"), ("password", "REQUIRED")]);
    }

    #[test]
    fn the_rules_for_new_passwords_do_not_apply() {
        assert!(Credentials::parse("ada@example.com", "123", "en").is_ok());
    }
}
