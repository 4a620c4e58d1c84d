//! The price tags of a page: many campaigns at once, for nobody in particular, from memory alone.

use std::sync::Arc;

use super::Checkout;
use crate::domain::catalogue::{Enquiry, Price};

/// Unknown campaigns and coupons are left out: a page must not fail for one stale plan.
pub fn quote_offers<'a>(
    checkout: &Checkout,
    enquiries: impl IntoIterator<Item = Enquiry<'a>>,
) -> Vec<Arc<Price>> {
    let now = checkout.clock.now();
    let catalogue = checkout.catalogue.get();
    enquiries
        .into_iter()
        .filter_map(|enquiry| catalogue.offer(enquiry, now).ok())
        .map(|offered| Arc::clone(offered.price))
        .collect()
}
