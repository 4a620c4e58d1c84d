//! The forms that request a password link and set a password with it.
use kit::error::FieldError;

use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::forms::fields::{self, collect_error};
use crate::domain::password::Password;

pub struct ForgotPassword {
    pub email: Email,
    pub lang: Option<String>,
    pub caller: Caller,
}

impl ForgotPassword {
    pub fn parse(email: &str, lang: &str, caller: Caller) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let forgotten = Self {
            email: collect_error(&mut errors, Email::parse(email)),
            lang: collect_error(&mut errors, fields::lang(lang)),
            caller,
        };
        if errors.is_empty() {
            Ok(forgotten)
        } else {
            Err(errors)
        }
    }
}

pub struct PasswordReset {
    pub token: String,
    pub password: Password,
}

impl PasswordReset {
    pub fn parse(token: String, password: &str) -> Result<Self, Vec<FieldError>> {
        let password = Password::chosen(password).map_err(|error| vec![error])?;
        Ok(Self { token, password })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_one_is_named() {
        let Err(errors) = ForgotPassword::parse("a@", "en", Caller::default()) else {
            panic!("accepted")
        };
        assert_eq!(errors[0].field, "email");
    }

    #[test]
    fn the_new_password_follows_the_rules_for_new_passwords() {
        let Err(errors) = PasswordReset::parse("t".to_owned(), "12345") else {
            panic!("accepted")
        };
        assert_eq!(
            (errors[0].field.as_str(), errors[0].code.as_str()),
            ("password", "TOO_SHORT")
        );
    }
}
