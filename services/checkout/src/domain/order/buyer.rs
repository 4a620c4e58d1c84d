//! The buyer as sent to providers.

use crate::domain::ids::UserId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buyer {
    pub user_id: UserId,
    pub email: String,
    pub full_name: String,
}
