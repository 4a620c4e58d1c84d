//! A sign-up form that has passed every rule.
use kit::error::FieldError;

use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::forms::fields::{self, collect_error};
use crate::domain::password::Password;

/// Name of accounts registered with an address only.
pub const DEFAULT_NAME: &str = "User";

/// The form as it was typed.
#[derive(Default)]
pub struct Form {
    pub name: String,
    pub email: String,
    pub password: String,
    pub context: RequestContext,
}

/// The form that asks for an address only.
#[derive(Default)]
pub struct EmailForm {
    pub email: String,
    pub context: RequestContext,
}

/// What comes with either form without being typed.
#[derive(Default)]
pub struct RequestContext {
    pub lang: String,
    pub country: String,
    pub order_id: String,
    pub idempotency_key: String,
    pub caller: Caller,
}

pub struct Registration {
    pub full_name: String,
    pub email: Email,
    /// `None`: to be chosen with a mailed link.
    pub password: Option<Password>,
    pub lang: Option<String>,
    pub country: Option<String>,
    pub order_id: String,
    pub idempotency_key: Option<String>,
    pub caller: Caller,
}

impl Registration {
    pub fn parse(form: Form) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let full_name = collect_error(&mut errors, fields::full_name(&form.name));
        let email = collect_error(&mut errors, Email::parse(&form.email));
        let password = Password::chosen_by(&form.password, &form.name, &form.email);
        let password = collect_error(&mut errors, password.map(Some));
        Self::read(full_name, email, form.context, errors).map(|read| Self { password, ..read })
    }

    pub fn parse_email_only(form: EmailForm) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let email = collect_error(&mut errors, Email::parse(&form.email));
        Self::read(DEFAULT_NAME.to_owned(), email, form.context, errors)
    }

    fn read(
        full_name: String,
        email: Email,
        rest: RequestContext,
        mut errors: Vec<FieldError>,
    ) -> Result<Self, Vec<FieldError>> {
        let registration = Self {
            full_name,
            email,
            password: None,
            lang: collect_error(&mut errors, fields::lang(&rest.lang)),
            country: collect_error(&mut errors, fields::country(&rest.country)),
            order_id: collect_error(&mut errors, fields::order_id(&rest.order_id)),
            idempotency_key: collect_error(&mut errors, fields::idempotency_key(&rest.idempotency_key)),
            caller: rest.caller,
        };
        if errors.is_empty() {
            Ok(registration)
        } else {
            Err(errors)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Form {
        Form {
            name: "Ada".to_owned(),
            email: "Ada@Example.com".to_owned(),
            password: "correct horse".to_owned(),
            ..Form::default()
        }
    }

    #[test]
    fn a_complete_form_is_a_registration() {
        let Ok(registration) = Registration::parse(form()) else {
            panic!("refused")
        };
        assert_eq!(registration.email.as_str(), "ada@example.com");
        assert_eq!(registration.idempotency_key, None);
    }

    #[test]
    fn every_error_is_named_at_once() {
        let empty = Form {
            context: RequestContext {
                country: "Nowhere".to_owned(),
                ..RequestContext::default()
            },
            ..Form::default()
        };
        let Err(errors) = Registration::parse(empty) else {
            panic!("accepted")
        };
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["name", "email", "password", "country"]);
    }
    #[test]
    fn an_address_alone_is_enough_where_nothing_else_is_asked() {
        let form = EmailForm {
            email: "ada@example.com".to_owned(),
            ..EmailForm::default()
        };
        let Ok(registration) = Registration::parse_email_only(form) else {
            panic!("refused")
        };
        assert_eq!(registration.full_name, "User");
        assert!(registration.password.is_none());
        assert!(Registration::parse_email_only(EmailForm::default()).is_err());
    }
}
