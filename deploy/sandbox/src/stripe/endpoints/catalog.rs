//! Products, prices, coupons.

pub mod coupons;
pub mod prices;
pub mod products;
