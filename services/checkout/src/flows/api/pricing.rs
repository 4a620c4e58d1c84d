//! Campaigns, quotes and BIN offers.

pub mod check_bin;
pub mod quote_offers;
pub mod resolve_campaign;
