//! A withdrawal from a contract, as its declaration is confirmed. Kept by checkout, and here only while a mail is written.
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
