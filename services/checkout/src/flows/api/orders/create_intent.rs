//! Opens a one-time payment and returns its client secret. The intended payment is committed before the provider is called.

use std::collections::BTreeMap;
use std::sync::Arc;

use kit::erasure::is_tombstoned;
use kit::idempotency::{self, Key};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, PriceId, UserId};
use crate::domain::order::buyer::Buyer;
use crate::domain::order::checkout_request::{self, CheckoutRequest};
use crate::domain::order::one_time_order::{self, IntentDecision, IntentPurpose};
use crate::domain::order::order_attempt::{AttemptStatus, OrderAttempt};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::pricing::catalogue::Price;
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::abandon_order::abandon_order;
use crate::flows::steps::payment::execute_order::{NextStep, execute_order};
use crate::flows::steps::payment::execute_payment::PaymentExecution;
use crate::flows::steps::payment::saved_card::saved_card;
use crate::flows::steps::pricing::check_available::check_not_owned;
use crate::flows::steps::pricing::resolve_price::{QuotedPrice, ResolvedPrice, resolve_any_price};
use crate::flows::steps::subscription::lock_held::lock_held;
use crate::store::order::order_attempts::{self, AttemptSelector};
use crate::store::order::{customers, one_time_orders};
use crate::store::pricing::coupons;

#[derive(Debug)]
pub struct CreateIntent {
    pub purpose: IntentPurpose,
    /// `None`: a guest.
    pub buyer: Option<Buyer>,
    /// Of a trial, the subscription that begins with it.
    pub quoted_price: QuotedPrice,
    /// What is paid for the trial.
    pub trial_price_id: Option<PriceId>,
    /// A saved card, charged at once; empty where the page asks for one.
    pub card: String,
    pub payment_source: String,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
    /// Absent: the open order of this member, product and kind is the key.
    pub key: Option<Key>,
}

struct Offer {
    resolved: ResolvedPrice,
    /// What is charged now.
    price: Price,
    kind: OrderKind,
}

/// An order that is not stored yet.
struct NewOrder<'a> {
    order_id: OrderId,
    user_id: UserId,
    offer: &'a Offer,
}

/// Returns when the provider has confirmed it, or with a payment in flight after the response budget.
pub async fn create_intent(checkout: &Arc<Checkout>, command: &CreateIntent) -> Result<OrderAttempt> {
    let prepare = || prepare_order(checkout, command);
    execute_order(checkout, command.key.as_ref(), prepare).await
}

/// As [`create_intent`], for an addition: charges the saved card; without one, the page asks for a card.
pub async fn confirm_addition(checkout: &Arc<Checkout>, command: CreateIntent) -> Result<OrderAttempt> {
    let Some(buyer) = &command.buyer else {
        return Err(Error::UnknownPrice);
    };
    let card = saved_card(checkout, &buyer.user_id).await?;
    let card = card.map(|card| card.payment_method_id).unwrap_or_default();
    create_intent(checkout, &CreateIntent { card, ..command }).await
}

async fn prepare_order(checkout: &Checkout, command: &CreateIntent) -> Result<NextStep> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let now = checkout.clock.now();
    if let Some(buyer) = &command.buyer
        && is_tombstoned(&mut tx, &[buyer.user_id.to_string()]).await?
    {
        return Err(Error::MemberErased);
    }
    let key = command.key.as_ref();
    if let Some(payment_id) = idempotency::claim::<_, Error>(&mut tx, &checkout.clock, key).await? {
        return Ok(NextStep::Join(payment_id));
    }
    let offer = offer(&mut tx, checkout, command).await?;
    let order_id = OrderId::new(now);
    let buyer = command.buyer.clone().unwrap_or_else(|| Buyer {
        user_id: UserId::guest(order_id),
        email: String::new(),
        full_name: String::new(),
    });
    customers::lock(&mut tx, &buyer, now).await?;
    if let Some(payment_id) = check_available(&mut tx, checkout, &buyer.user_id, &offer).await? {
        return Ok(NextStep::Close(payment_id));
    }

    let open = find_open(&mut tx, &buyer.user_id, &offer).await?;
    let next = one_time_order::decide(offer.price.price_id, &command.card, open.as_ref());
    if !matches!(next, IntentDecision::Join(_) | IntentDecision::Wait) {
        offer.resolved.check_not_expired(now)?;
    }
    let new = NewOrder {
        order_id,
        user_id: buyer.user_id,
        offer: &offer,
    };
    let step = match (next, open) {
        (IntentDecision::Wait, _) => return Err(Error::PaymentInProgress),
        (IntentDecision::Close(payment_id), _) => return Ok(NextStep::Close(payment_id)),
        (IntentDecision::Join(payment_id), _) => NextStep::Join(payment_id),
        (IntentDecision::Retry, Some(open)) => retry(&mut tx, checkout, command, open).await?,
        (IntentDecision::Replace, Some(open)) => {
            let wanted = &offer.resolved.price.terms.coupon_code;
            coupons::lock_swapped(&mut tx, open.order.order_id, wanted).await?;
            abandon_order(&mut tx, checkout, open).await?;
            begin(&mut tx, checkout, command, new).await?
        }
        (IntentDecision::Open | IntentDecision::Retry | IntentDecision::Replace, _) => {
            begin(&mut tx, checkout, command, new).await?
        }
    };
    // The key stands for the payment: a repeat returns the payment's current state.
    idempotency::store(&mut tx, &checkout.clock, key, &step.payment_id()).await?;
    tx.commit().await?;
    Ok(step)
}

/// The price is the row's, or the quote's; and each call sells what it is there for.
async fn offer(tx: &mut PgConnection, checkout: &Checkout, command: &CreateIntent) -> Result<Offer> {
    let resolved = resolve_any_price(tx, checkout, &command.quoted_price).await?;
    let (price, starts) = if command.purpose == IntentPurpose::Trial {
        let catalogue = checkout.catalogue.get();
        let fee = catalogue.trial_of(&resolved.price).cloned();
        let fee = fee.filter(|fee| Some(fee.price_id) == command.trial_price_id);
        (fee.ok_or(Error::UnknownPrice)?, Some(resolved.price.price_id))
    } else {
        (resolved.price.clone(), None)
    };
    let kind = one_time_order::kind_of(&price.terms, starts).filter(|kind| command.purpose.sells(*kind));
    Ok(Offer {
        kind: kind.ok_or(Error::UnknownPrice)?,
        resolved,
        price,
    })
}

/// Rejects a trial or a lifetime purchase of an owned product. Returns the attempt that must be closed first.
async fn check_available(
    tx: &mut PgConnection,
    checkout: &Checkout,
    user_id: &UserId,
    offer: &Offer,
) -> Result<Option<PaymentId>> {
    check_not_owned(tx, user_id, &offer.resolved.price.terms).await?;
    let OrderKind::Trial {
        subscription_price: starts,
    } = offer.kind
    else {
        return Ok(None);
    };
    let held = lock_held(tx, user_id, &offer.resolved.price).await?;
    let wanted = CheckoutRequest {
        price_id: starts,
        trial_days: offer.resolved.price.terms.trial_days,
        // None yet: no attempt of another kind is the same.
        payment_method_id: String::new(),
    };
    match (checkout_request::decide(&wanted, held.as_ref()), held) {
        (checkout_request::CheckoutDecision::Open, _) | (_, None) => Ok(None),
        (checkout_request::CheckoutDecision::Close(payment_id), _) => Ok(Some(payment_id)),
        (checkout_request::CheckoutDecision::Join(_), _) => Err(Error::PaymentInProgress),
        (checkout_request::CheckoutDecision::Refuse(refusal), _) => Err(refusal.into()),
        (
            checkout_request::CheckoutDecision::Retry | checkout_request::CheckoutDecision::Replace,
            Some(held),
        ) => {
            abandon_order(tx, checkout, held.into()).await?;
            Ok(None)
        }
    }
}

async fn find_open(tx: &mut PgConnection, user_id: &UserId, offer: &Offer) -> Result<Option<OrderAttempt>> {
    let product = &offer.price.terms.product;
    let Some(order_id) = one_time_orders::find_open(tx, user_id, product, offer.kind).await? else {
        return Ok(None);
    };
    // It may have been paid while we waited for the lock; no other can have been opened, for the buyer is locked.
    let one_time = order_attempts::lock(tx, order_id, AttemptSelector::Current).await?;
    Ok(Some(one_time).filter(|one_time| one_time.order.state == OrderState::Open))
}

async fn begin(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateIntent,
    new: NewOrder<'_>,
) -> Result<NextStep> {
    let now = checkout.clock.now();
    let NewOrder {
        order_id,
        user_id,
        offer,
    } = new;
    let terms = &offer.price.terms;
    let order = Order {
        order_id,
        kind: offer.kind,
        user_id,
        product: terms.product.clone(),
        opens: terms.opens,
        price_id: offer.price.price_id,
        amount: terms.amount,
        trial_days: terms.trial_days,
        payment_source: command.payment_source.clone(),
        country: command.country.clone(),
        language: command.language.clone(),
        tracking: command.tracking.clone(),
        state: OrderState::Open,
        created_at: now,
    };
    let one_time = OrderAttempt {
        payment: intended(checkout, command, order_id, 1),
        order,
        subscription: None,
        attempt: AttemptStatus::Current,
        poll: PollState::at(now + checkout.in_flight_timeout.0),
    };
    order_attempts::insert(tx, &one_time).await?;
    offer
        .resolved
        .reserve_coupon(tx, checkout, &one_time.order)
        .await?;
    emit::payment_intent_created(tx, &checkout.clock, &one_time).await?;
    Ok(execute(one_time))
}

async fn retry(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateIntent,
    open: OrderAttempt,
) -> Result<NextStep> {
    let payment = intended(checkout, command, open.order.order_id, open.payment.attempt + 1);
    let poll = PollState::at(checkout.clock.now() + checkout.in_flight_timeout.0);
    order_attempts::insert_retry(tx, &payment, poll).await?;
    Ok(execute(OrderAttempt {
        payment,
        poll,
        attempt: AttemptStatus::Current,
        ..open
    }))
}

fn execute(one_time: OrderAttempt) -> NextStep {
    NextStep::Execute(PaymentExecution::OneTime(Box::new(one_time)))
}

fn intended(checkout: &Checkout, command: &CreateIntent, order_id: OrderId, attempt: i32) -> Payment {
    let now = checkout.clock.now();
    let provider = checkout.providers.own_page().id();
    Payment {
        payment_method_id: command.card.clone(),
        ..Payment::intended(PaymentId::new(now), order_id, provider, attempt, now)
    }
}
