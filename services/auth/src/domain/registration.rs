//! A sign-up form that has passed every rule.
use kit::error::FieldFault;

use crate::domain::email::Email;
use crate::domain::fields::{self, keep_fault};
use crate::domain::password::Password;

/// The form as it was typed.
#[derive(Default)]
pub struct Form {
    pub name: String,
    pub email: String,
    pub password: String,
    pub lang: String,
    pub country: String,
    pub order_id: String,
    pub idempotency_key: String,
}

pub struct Registration {
    pub full_name: String,
    pub email: Email,
    pub password: Password,
    pub lang: Option<String>,
    pub country: Option<String>,
    pub order_id: String,
    pub idempotency_key: Option<String>,
}

impl Registration {
    pub fn parse(form: &Form) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let registration = Self {
            full_name: keep_fault(&mut faults, fields::full_name(&form.name)),
            email: keep_fault(&mut faults, Email::parse(&form.email)),
            password: keep_fault(&mut faults, Password::chosen(&form.password)),
            lang: keep_fault(&mut faults, fields::lang(&form.lang)),
            country: keep_fault(&mut faults, fields::country(&form.country)),
            order_id: keep_fault(&mut faults, fields::order_id(&form.order_id)),
            idempotency_key: keep_fault(&mut faults, fields::idempotency_key(&form.idempotency_key)),
        };
        if faults.is_empty() {
            Ok(registration)
        } else {
            Err(faults)
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
        let Ok(registration) = Registration::parse(&form()) else {
            panic!("refused")
        };
        assert_eq!(registration.email.as_str(), "ada@example.com");
        assert_eq!(registration.idempotency_key, None);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let empty = Form {
            country: "Nowhere".to_owned(),
            ..Form::default()
        };
        let Err(faults) = Registration::parse(&empty) else {
            panic!("accepted")
        };
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["name", "email", "password", "country"]);
    }
}
