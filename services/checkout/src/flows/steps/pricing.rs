//! Resolving a price for charging.

pub mod check_available;
pub mod check_card;
pub mod read_catalogue;
pub mod resolve_price;
pub mod sync_prices;
