//! Prices, campaigns and coupons.

pub mod campaigns;
pub mod coupons;
pub mod free_trials;
pub mod prices;
