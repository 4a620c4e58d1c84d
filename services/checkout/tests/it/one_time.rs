//! One-time orders: intents, gifts and additional sessions.

pub mod additions;
mod confirm_intent;
pub mod create_gift;
pub mod create_intent;
mod full_refunds;
mod get_guest;
mod intents_lost_answers;
mod intents_of_erased_members;
mod list_additions;
mod list_purchases;
mod unavailable_products;
