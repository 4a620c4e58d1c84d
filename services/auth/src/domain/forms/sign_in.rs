//! The sign-in form.
use kit::error::FieldError;

use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::forms::fields::{self, collect_error};
use crate::domain::password::Password;

pub struct Credentials {
    pub email: Email,
    pub password: Password,
    pub lang: Option<String>,
    /// What this browser began with a provider is finished by the password.
    pub social_browser: String,
    /// The provider whose identity is to be joined, where the sign-in names one.
    pub join_provider: String,
    pub caller: Caller,
}

/// As it was typed.
#[derive(Default)]
pub struct Form {
    pub email: String,
    pub password: String,
    pub lang: String,
    pub social_browser: String,
    pub join_provider: String,
    pub caller: Caller,
}

impl Credentials {
    pub fn parse(form: Form) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let credentials = Self {
            email: collect_error(&mut errors, Email::parse(&form.email)),
            password: collect_error(&mut errors, Password::presented(&form.password)),
            lang: collect_error(&mut errors, fields::lang(&form.lang)),
            social_browser: form.social_browser,
            join_provider: form.join_provider,
            caller: form.caller,
        };
        if errors.is_empty() {
            Ok(credentials)
        } else {
            Err(errors)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_form_names_both_fields() {
        let Err(errors) = Credentials::parse(Form::default()) else {
            panic!("accepted")
        };
        let named: Vec<_> = errors
            .iter()
            .map(|error| (error.field.as_str(), error.code.as_str()))
            .collect();
        assert_eq!(named, [("email", "REQUIRED"), ("password", "REQUIRED")]);
    }

    #[test]
    fn the_rules_for_new_passwords_do_not_apply() {
        let form = Form {
            email: "ada@example.com".to_owned(),
            password: "123".to_owned(),
            ..Form::default()
        };
        assert!(Credentials::parse(form).is_ok());
    }
}
