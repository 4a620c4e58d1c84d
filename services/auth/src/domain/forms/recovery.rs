//! The forms that request a password link and set a password with it.
use kit::error::FieldFault;

use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::forms::fields::{self, collect_fault};
use crate::domain::password::Password;

pub struct ForgotPassword {
    pub email: Email,
    pub lang: Option<String>,
    pub caller: Caller,
}

impl ForgotPassword {
    pub fn parse(email: &str, lang: &str, caller: Caller) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let forgotten = Self {
            email: collect_fault(&mut faults, Email::parse(email)),
            lang: collect_fault(&mut faults, fields::lang(lang)),
            caller,
        };
        if faults.is_empty() {
            Ok(forgotten)
        } else {
            Err(faults)
        }
    }
}

pub struct PasswordReset {
    pub token: String,
    pub password: Password,
}

impl PasswordReset {
    pub fn parse(token: String, password: &str) -> Result<Self, Vec<FieldFault>> {
        let password = Password::chosen(password).map_err(|fault| vec![fault])?;
        Ok(Self { token, password })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_one_is_named() {
        let Err(faults) = ForgotPassword::parse("a@", "en", Caller::default()) else {
            panic!("accepted")
        };
        assert_eq!(faults[0].field, "email");
    }

    #[test]
    fn the_new_password_follows_the_rules_for_new_passwords() {
        let Err(faults) = PasswordReset::parse("t".to_owned(), "12345") else {
            panic!("accepted")
        };
        assert_eq!(
            (faults[0].field.as_str(), faults[0].code.as_str()),
            ("password", "TOO_SHORT")
        );
    }
}
