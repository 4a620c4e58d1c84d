//! Campaigns, prices, coupons and quotes.

mod coupons;
mod publish_campaigns;
mod quote_offers;
mod quotes;
mod resolve_campaign;
mod sync_prices;
