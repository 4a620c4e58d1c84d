//! What members buy beside what they have, and the card they have left for it.

use std::sync::Arc;
use std::time::Duration;

use super::Checkout;
use super::check_sold::check_bookable;
use super::close_intent::refresh_intent;
use super::create_intent::{CreateIntent, create_intent};
use crate::domain::catalogue::{Enquiry, Price};
use crate::domain::ids::UserId;
use crate::domain::order::OrderKind;
use crate::domain::provider::Provider;
use crate::domain::sale::{Sale, kind_of};
use crate::error::{Error, Result};
use crate::ports::SavedCard;
use crate::store::{customers, payments, sales};

const CARD_WITHIN: Duration = Duration::from_secs(1);
const THERAPY_FILTER: &str = "therapy_addition";

/// Without a coupon, where the member is; with the card they would be charged to.
pub async fn list_additions(
    checkout: &Checkout,
    user_id: &UserId,
    (filter, language, country): (&str, &str, &str),
) -> Result<(Vec<Price>, Option<SavedCard>)> {
    let now = checkout.clock.now();
    let catalogue = checkout.catalogue.get();
    let offers = catalogue.campaigns().into_iter().filter_map(|campaign| {
        let enquiry = Enquiry {
            campaign,
            coupon_code: "",
            language,
            country,
        };
        catalogue
            .offer(enquiry, now)
            .ok()
            .map(|offered| offered.price.as_ref())
    });
    let additions = offers.filter(|price| {
        kind_of(&price.terms, None) == Some(OrderKind::Addition)
            && (filter != THERAPY_FILTER || price.terms.opens.therapy)
            && check_bookable(checkout, &price.terms).is_ok()
    });
    let additions = additions.cloned().collect();
    // What is sold is told without the card as well.
    let asking = tokio::time::timeout(CARD_WITHIN, saved_card(checkout, user_id));
    let card = match asking.await {
        Ok(Ok(card)) => card,
        Ok(Err(Error::Provider(_))) | Err(_) => None,
        Ok(Err(inside)) => return Err(inside),
    };
    Ok((additions, card))
}

/// Charges the card the member has left; without one, the page asks for a card.
pub async fn confirm_addition(checkout: &Arc<Checkout>, command: CreateIntent) -> Result<Sale> {
    let Some(buyer) = &command.buyer else {
        return Err(Error::UnknownPrice);
    };
    let card = saved_card(checkout, &buyer.user_id).await?;
    let card = card.map(|card| card.payment_method_id).unwrap_or_default();
    create_intent(checkout, &CreateIntent { card, ..command }).await
}

/// The page says that its buyer has paid. It is not believed: the provider is asked.
pub async fn confirm_intent(checkout: &Checkout, user_id: &UserId, intent_id: &str) -> Result<Sale> {
    let mut connection = checkout.pool.acquire().await?;
    let found = payments::find_by_provider_intent(&mut connection, Provider::Stripe, intent_id).await?;
    let payment_id = found.ok_or(Error::UnknownOrder)?.payment_id;
    if sales::is_of_sale(&mut connection, payment_id).await? != Some(true) {
        return Err(Error::UnknownOrder);
    }
    let sale = sales::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    if sale.order.user_id != *user_id {
        return Err(Error::UnknownOrder);
    }
    let order_id = sale.order.order_id;
    let asking = refresh_intent(checkout, sale.clone());
    match tokio::time::timeout(checkout.time_to_answer(), asking).await {
        Ok(Err(Error::Provider(error))) => {
            tracing::warn!(order.id = %order_id, %error, "The provider could not be asked; answering what is known");
            Ok(sale)
        }
        Ok(outcome) => outcome,
        Err(_) => Ok(sale),
    }
}

async fn saved_card(checkout: &Checkout, user_id: &UserId) -> Result<Option<SavedCard>> {
    let mut connection = checkout.pool.acquire().await?;
    let customer = customers::stripe_id(&mut connection, user_id).await?;
    drop(connection);
    match customer {
        Some(customer) => Ok(checkout.providers.cards.intents.saved_card(&customer).await?),
        None => Ok(None),
    }
}
