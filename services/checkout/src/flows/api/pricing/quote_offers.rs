//! Quotes many campaigns for the price tags of a page, anonymously and in memory.

use std::sync::Arc;

use crate::domain::pricing::catalogue::{Price, PriceQuery};
use crate::flows::Checkout;
use crate::flows::steps::pricing::check_available::check_bookable;

/// Unknown campaigns and coupons are left out, and so is what is not sold: a page must not fail for one stale plan.
pub fn quote_offers<'a>(
    checkout: &Checkout,
    enquiries: impl IntoIterator<Item = PriceQuery<'a>>,
) -> Vec<Arc<Price>> {
    let now = checkout.clock.now();
    let catalogue = checkout.catalogue.get();
    enquiries
        .into_iter()
        .filter_map(|enquiry| catalogue.offer(enquiry, now).ok())
        .filter(|offered| check_bookable(checkout, &offered.price.terms).is_ok())
        .map(|offered| Arc::clone(offered.price))
        .collect()
}
