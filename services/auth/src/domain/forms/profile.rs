//! The profile form: name, address and password together.
use kit::error::FieldFault;

use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::forms::fields::{self, collect_fault};
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
    pub fn parse(form: Form) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let password = Password::chosen_by(&form.password, &form.full_name, &form.email);
        // This form calls the field by another name than the sign-up does.
        let full_name = fields::full_name(&form.full_name).map_err(|fault| under("fullname", fault));
        let current_password = match form.current_password.as_str() {
            "" => Ok(None),
            typed => Password::presented(typed).map(Some),
        };
        let current_password = current_password.map_err(|fault| under("currentPassword", fault));
        let update = Self {
            full_name: collect_fault(&mut faults, full_name),
            email: collect_fault(&mut faults, Email::parse(&form.email)),
            password: collect_fault(&mut faults, password),
            current_password: collect_fault(&mut faults, current_password),
            caller: form.caller,
        };
        if faults.is_empty() {
            Ok(update)
        } else {
            Err(faults)
        }
    }
}

fn under(field: &str, fault: FieldFault) -> FieldFault {
    FieldFault {
        field: field.to_owned(),
        ..fault
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
        let Err(faults) = ProfileUpdate::parse(blank) else {
            panic!("accepted")
        };
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["fullname", "email", "password", "currentPassword"]);
    }
}
