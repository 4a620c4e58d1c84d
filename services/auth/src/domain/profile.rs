//! The profile form: all three fields, each time.
use kit::error::FieldFault;

use crate::domain::email::Email;
use crate::domain::fields::{self, keep_fault};
use crate::domain::password::Password;

pub struct ProfileUpdate {
    pub full_name: String,
    pub email: Email,
    pub password: Password,
}

impl ProfileUpdate {
    pub fn parse(full_name: &str, email: &str, password: &str) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let password = Password::chosen_by(password, full_name, email);
        // This form calls the field by another name than the sign-up does.
        let full_name = fields::full_name(full_name).map_err(|fault| FieldFault {
            field: "fullname".to_owned(),
            ..fault
        });
        let update = Self {
            full_name: keep_fault(&mut faults, full_name),
            email: keep_fault(&mut faults, Email::parse(email)),
            password: keep_fault(&mut faults, password),
        };
        if faults.is_empty() {
            Ok(update)
        } else {
            Err(faults)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_missing_field_is_named_as_the_form_names_it() {
        let Err(faults) = ProfileUpdate::parse(" ", "", "") else {
            panic!("accepted")
        };
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["fullname", "email", "password"]);
    }
}
