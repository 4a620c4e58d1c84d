//! Prices, campaigns and coupons: which price a buyer is offered and charged.

pub mod bin;
pub mod campaign;
pub mod catalogue;
pub mod catalogue_diff;
pub mod coupon;
pub mod currency_table;
pub mod free_trial;
pub mod opens;
pub mod quote;
pub mod seed;
