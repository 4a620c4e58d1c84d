//! Settles a hosted checkout by the provider's state: paid, it becomes an order; expired, it is closed.

use std::collections::BTreeMap;

use sqlx::PgConnection;

use super::import_external_payment::import_external_payment;
use super::import_gift_payment::import_gift_payment;
use crate::domain::ids::HostedCheckoutId;
use crate::domain::order::OrderKind;
use crate::domain::order::hosted_checkout::{HostedCheckout, HostedCheckoutState, Reference};
use crate::domain::order::one_time_order::kind_of;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot};
use crate::domain::provider::Provider;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::payment_import::PaymentImport;
use crate::flows::steps::payment::emit_page_payment_events::emit_failed;
use crate::flows::steps::pricing::check_available::check_not_owned;
use crate::ports::{ObservedHostedCheckout, PreAuthorizationDecision};
use crate::store::order::hosted_checkouts;
use crate::store::pricing::prices;
use crate::store::subscription::{merchant_schedules, subscriptions};

pub async fn settle_hosted_checkout(
    checkout: &Checkout,
    hosted: HostedCheckout,
    poll_count: i32,
    snapshot: PaymentSnapshot,
) -> Result<()> {
    let charge = snapshot.charge.clone();
    if hosted.state.after(&charge) == HostedCheckoutState::Paid {
        import_payment(checkout, &hosted, snapshot).await?;
    }
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let before = hosted_checkouts::lock(&mut tx, hosted.hosted_checkout_id).await?;
    let state = before.state;
    let hosted = HostedCheckout {
        state: state.after(&charge),
        ..before
    };
    let next = hosted.next_check(poll_count, checkout.clock.now());
    hosted_checkouts::save_state(&mut tx, &hosted, next).await?;
    emit_failed(&mut tx, checkout, state, &hosted, &charge).await?;
    tx.commit().await?;
    Ok(())
}

async fn import_payment(
    checkout: &Checkout,
    hosted: &HostedCheckout,
    snapshot: PaymentSnapshot,
) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let price = prices::read(&mut connection, hosted.price_id).await?;
    drop(connection);
    if kind_of(&price.terms, None) == Some(OrderKind::Gift) {
        return import_gift_payment(checkout, hosted, &price, &snapshot).await;
    }
    let import = PaymentImport {
        buyer: hosted.buyer.clone(),
        price,
        provider: hosted.provider,
        payer_id: None,
        country: hosted.country.clone(),
        language: hosted.language.clone(),
        tracking: BTreeMap::new(),
        snapshot,
    };
    match import_external_payment(checkout, &import).await {
        // It was given back.
        Ok(_)
        | Err(
            Error::UnknownPrice
            | Error::AlreadySubscribed
            | Error::AlreadyOwned
            | Error::MemberErased
            | Error::Coupon(_),
        ) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Handles a webhook about a payment without an order.
pub async fn settle_from_webhook(
    checkout: &Checkout,
    provider: Provider,
    provider_payment_id: &str,
) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let is_charge =
        merchant_schedules::schedule_now_by_payment(&mut connection, provider, provider_payment_id).await?;
    drop(connection);
    if is_charge {
        return Ok(());
    }
    let port = checkout.providers.of(provider)?.hosted_checkouts()?;
    let ObservedHostedCheckout { reference, snapshot } =
        port.fetch_hosted_checkout(provider_payment_id).await?;
    let Some(Reference {
        hosted_checkout_id, ..
    }) = reference
    else {
        // Another installation at the same provider made it.
        return Ok(());
    };
    let mut connection = checkout.pool.acquire().await?;
    let hosted = hosted_checkouts::find(&mut connection, hosted_checkout_id).await?;
    drop(connection);
    match hosted {
        Some(hosted) => settle_hosted_checkout(checkout, hosted, 0, snapshot).await,
        // Sessions are never deleted. A payment of an unknown one is dead-lettered for an operator.
        None if matches!(snapshot.charge, Charge::Captured(_)) => Err(Error::UnknownOrder),
        None => Ok(()),
    }
}

/// Called by the reconciler.
pub async fn refresh_hosted_checkout(
    checkout: &Checkout,
    hosted: HostedCheckout,
    poll_count: i32,
) -> Result<()> {
    let Some(provider_payment_id) = hosted.provider_payment_id.clone() else {
        // Its creation had no response, so no buyer has seen it.
        let over = HostedCheckout {
            state: HostedCheckoutState::Expired,
            ..hosted
        };
        let mut connection = checkout.pool.acquire().await?;
        return Ok(hosted_checkouts::save_state(&mut connection, &over, None).await?);
    };
    let port = checkout.providers.of(hosted.provider)?.hosted_checkouts()?;
    match port.fetch_hosted_checkout(&provider_payment_id).await {
        Ok(seen) => settle_hosted_checkout(checkout, hosted, poll_count, seen.snapshot).await,
        Err(error) => {
            let mut connection = checkout.pool.acquire().await?;
            let next = hosted.next_check(poll_count, checkout.clock.now());
            hosted_checkouts::save_state(&mut connection, &hosted, next).await?;
            Err(error.into())
        }
    }
}

/// A provider's pre-payment check of a hosted checkout.
pub async fn pre_authorize(checkout: &Checkout, reference: &str) -> Result<PreAuthorizationDecision> {
    const OVER: PreAuthorizationDecision =
        PreAuthorizationDecision::Refused("This offer is over. Go back to the shop and choose again.");
    const HELD: PreAuthorizationDecision =
        PreAuthorizationDecision::Refused("You have this subscription already.");
    const OWNED: PreAuthorizationDecision =
        PreAuthorizationDecision::Refused("You own this for good. A subscription would add nothing to it.");
    const GIVEN: PreAuthorizationDecision = PreAuthorizationDecision::Refused("This gift is paid already.");

    let mut connection = checkout.pool.acquire().await?;
    let Ok(Reference {
        hosted_checkout_id, ..
    }) = reference.parse()
    else {
        let is_ours = merchant_schedules::is_in_flight(&mut connection, reference).await?;
        return Ok(if is_ours {
            PreAuthorizationDecision::Accepted
        } else {
            OVER
        });
    };
    let Some(hosted) = find_unless_erased(&mut connection, hosted_checkout_id).await? else {
        return Ok(OVER);
    };
    if !matches!(
        hosted.state,
        HostedCheckoutState::Intended | HostedCheckoutState::Open
    ) {
        return Ok(OVER);
    }
    let user_id = &hosted.buyer.user_id;
    if user_id.is_guest() && hosted_checkouts::is_paid(&mut connection, user_id).await? {
        return Ok(GIVEN);
    }
    let price = prices::read(&mut connection, hosted.price_id).await?;
    match check_not_owned(&mut connection, user_id, &price.terms).await {
        Err(Error::AlreadyOwned) => return Ok(OWNED),
        checked => checked?,
    }
    let is_held = subscriptions::has_exclusive(&mut connection, user_id).await?;
    Ok(if is_held {
        HELD
    } else {
        PreAuthorizationDecision::Accepted
    })
}

/// An erased buyer's session is used for late payments only; other callers do not find it.
pub async fn find_unless_erased(
    connection: &mut PgConnection,
    hosted_checkout_id: HostedCheckoutId,
) -> Result<Option<HostedCheckout>> {
    let hosted = hosted_checkouts::find(connection, hosted_checkout_id).await?;
    Ok(hosted.filter(|hosted| !hosted.buyer.user_id.is_anonymized()))
}
