//! Additions: extras that members buy, charged to their saved card.

use std::sync::Arc;
use std::time::Duration;

use super::create_intent::{CreateIntent, create_intent};
use crate::domain::ids::UserId;
use crate::domain::order::OrderKind;
use crate::domain::order::one_time_order::kind_of;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::pricing::catalogue::{Price, PriceQuery};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::refresh_payment::refresh_for_page;
use crate::flows::steps::pricing::check_available::check_bookable;
use crate::ports::SavedCard;
use crate::store::order::{customers, order_attempts};
use crate::store::payment::payments;

const CARD_WITHIN: Duration = Duration::from_secs(1);
const THERAPY_FILTER: &str = "therapy_addition";

#[derive(Debug, Clone, Copy)]
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

/// Charges the saved card; without one, the page asks for a card.
pub async fn confirm_addition(checkout: &Arc<Checkout>, command: CreateIntent) -> Result<OrderAttempt> {
    let Some(buyer) = &command.buyer else {
        return Err(Error::UnknownPrice);
    };
    let card = saved_card(checkout, &buyer.user_id).await?;
    let card = card.map(|card| card.payment_method_id).unwrap_or_default();
    create_intent(checkout, &CreateIntent { card, ..command }).await
}

/// Called by the page after payment. The state is fetched from the provider.
pub async fn confirm_intent(checkout: &Checkout, user_id: &UserId, intent_id: &str) -> Result<OrderAttempt> {
    let provider = checkout.providers.own_page().id();
    let mut connection = checkout.pool.acquire().await?;
    let found = payments::find_by_provider_intent(&mut connection, provider, intent_id).await?;
    // A renewal's intent is no order of its own.
    let found = found.filter(|payment| payment.is_initial);
    let payment_id = found.ok_or(Error::UnknownOrder)?.payment_id;
    let attempt = order_attempts::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    if attempt.subscription.is_some() || attempt.order.user_id != *user_id {
        return Err(Error::UnknownOrder);
    }
    refresh_for_page(checkout, attempt).await
}

async fn saved_card(checkout: &Checkout, user_id: &UserId) -> Result<Option<SavedCard>> {
    let mut connection = checkout.pool.acquire().await?;
    let customer = customers::provider_customer_id(&mut connection, user_id).await?;
    drop(connection);
    match customer {
        Some(customer) => Ok(checkout.providers.own_page().saved_card(&customer).await?),
        None => Ok(None),
    }
}
