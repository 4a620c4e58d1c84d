//! A withdrawal to confirm by mail. Stored by checkout, held here only while the mail is rendered.
use chrono::{DateTime, Utc};

use crate::domain::email::Email;

/// Deliberately without `Debug`: it is about a person.
#[derive(Clone)]
pub struct Withdrawal {
    pub number: String,
    pub full_name: String,
    pub email: Email,
    /// Empty where none was named.
    pub reference: String,
    pub received_at: DateTime<Utc>,
}
