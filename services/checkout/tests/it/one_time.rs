//! One-time orders: intents, gifts and additional sessions.

pub mod additions;
pub mod create_gift;
pub mod create_intent;
mod full_refunds;
mod intents_lost_answers;
mod intents_of_erased_members;
mod list_purchases;
mod unavailable_products;
