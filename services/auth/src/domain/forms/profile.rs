//! The profile form: name, address and password together.
use kit::error::FieldError;

use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::forms::fields::{self, collect_error};
use crate::domain::password::Password;

/// The form as it was typed.
#[derive(Default)]
pub struct Form {
    pub full_name: String,
    pub email: String,
    pub password: String,
    pub current_password: String,
    pub caller: Caller,
}

pub struct ProfileUpdate {
    pub full_name: String,
    pub email: Email,
    /// The password from now on.
    pub password: Password,
    /// The password the account has, where it was typed.
    pub current_password: Option<Password>,
    pub caller: Caller,
}

impl ProfileUpdate {
    pub fn parse(form: Form) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let password = Password::chosen_by(&form.password, &form.full_name, &form.email);
        // This form calls the field by another name than the sign-up does.
        let full_name = fields::full_name(&form.full_name).map_err(|error| under("fullname", error));
        let current_password = match form.current_password.as_str() {
            "" => Ok(None),
            typed => Password::presented(typed).map(Some),
        };
        let current_password = current_password.map_err(|error| under("currentPassword", error));
        let update = Self {
            full_name: collect_error(&mut errors, full_name),
            email: collect_error(&mut errors, Email::parse(&form.email)),
            password: collect_error(&mut errors, password),
            current_password: collect_error(&mut errors, current_password),
            caller: form.caller,
        };
        if errors.is_empty() {
            Ok(update)
        } else {
            Err(errors)
        }
    }
}

fn under(field: &str, error: FieldError) -> FieldError {
    FieldError {
        field: field.to_owned(),
        ..error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_missing_field_is_named_as_the_form_names_it() {
        let blank = Form {
            full_name: " ".to_owned(),
            current_password: "x".repeat(200),
            ..Form::default()
        };
        let Err(errors) = ProfileUpdate::parse(blank) else {
            panic!("accepted")
        };
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["fullname", "email", "password", "currentPassword"]);
    }
}
