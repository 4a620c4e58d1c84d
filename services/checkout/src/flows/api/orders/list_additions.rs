//! Lists additions: extras that members buy, charged to their saved card.

use std::time::Duration;

use crate::domain::ids::UserId;
use crate::domain::order::OrderKind;
use crate::domain::order::one_time_order::kind_of;
use crate::domain::pricing::catalogue::{Price, PriceQuery};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::saved_card::saved_card;
use crate::flows::steps::pricing::check_available::check_bookable;
use crate::ports::SavedCard;

const CARD_WITHIN: Duration = Duration::from_secs(1);
const THERAPY_FILTER: &str = "therapy_addition";

#[derive(Clone, Copy, Debug)]
pub struct AdditionQuery<'a> {
    /// `therapy_addition`; else all.
    pub filter: &'a str,
    pub language: &'a str,
    pub country: &'a str,
}

/// Prices for the member's country, without coupon, and the card that would be charged.
pub async fn list_additions(
    checkout: &Checkout,
    user_id: &UserId,
    query: AdditionQuery<'_>,
) -> Result<(Vec<Price>, Option<SavedCard>)> {
    let now = checkout.clock.now();
    let catalogue = checkout.catalogue.get();
    let offers = catalogue.campaigns().into_iter().filter_map(|campaign| {
        let enquiry = PriceQuery {
            campaign,
            coupon_code: "",
            language: query.language,
            country: query.country,
        };
        catalogue
            .offer(enquiry, now)
            .ok()
            .map(|offered| offered.price.as_ref())
    });
    let additions = offers.filter(|price| {
        kind_of(&price.terms, None) == Some(OrderKind::Addition)
            && (query.filter != THERAPY_FILTER || price.terms.opens.therapy)
            && check_bookable(checkout, &price.terms).is_ok()
    });
    let additions = additions.cloned().collect();
    // The offers are returned without the card as well.
    let asking = tokio::time::timeout(CARD_WITHIN, saved_card(checkout, user_id));
    let card = match asking.await {
        Ok(Ok(card)) => card,
        Ok(Err(Error::Provider(_))) | Err(_) => None,
        Ok(Err(inside)) => return Err(inside),
    };
    Ok((additions, card))
}
