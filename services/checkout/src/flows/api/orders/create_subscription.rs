//! Creates a subscription. The intended payment is committed before the provider is called.

use std::collections::BTreeMap;
use std::sync::Arc;

use kit::idempotency::{self, Key};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::order::buyer::Buyer;
use crate::domain::order::checkout_request::{self, CheckoutDecision, CheckoutRequest};
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::subscription_state::{Subscription, SubscriptionState};
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::abandon_order::abandon_order;
use crate::flows::steps::payment::execute_order::{NextStep, execute_order};
use crate::flows::steps::payment::execute_payment::PaymentExecution;
use crate::flows::steps::pricing::check_available::check_not_owned;
use crate::flows::steps::pricing::resolve_price::{QuotedPrice, ResolvedPrice, resolve_price};
use crate::flows::steps::subscription::lock_held::lock_held_order;
use crate::store::order::{customers, order_attempts, subscription_orders};
use crate::store::pricing::coupons;
use crate::store::subscription::subscriptions;

#[derive(Debug)]
pub struct CreateSubscription {
    pub buyer: Buyer,
    pub quoted_price: QuotedPrice,
    pub payment_method_id: String,
    /// Of a card that leaves a choice.
    pub card_network: Option<String>,
    pub payment_source: String,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
    /// Absent: the open order of this member and product is the key.
    pub key: Option<Key>,
}

/// Returns as soon as the outcome is known, or with a payment still in flight when that takes too long.
pub async fn create_subscription(
    checkout: &Arc<Checkout>,
    command: &CreateSubscription,
) -> Result<SubscriptionOrder> {
    let prepare = || prepare_order(checkout, command);
    let attempt = execute_order(checkout, command.key.as_ref(), prepare).await?;
    Ok(subscription_orders::of_attempt(attempt)?)
}

async fn prepare_order(checkout: &Checkout, command: &CreateSubscription) -> Result<NextStep> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let now = checkout.clock.now();
    let customer = customers::lock_unless_erased(&mut tx, &command.buyer, now).await?;
    let customer = customer.ok_or(Error::MemberErased)?;
    let key = command.key.as_ref();
    if let Some(payment_id) = idempotency::claim::<_, Error>(&mut tx, &checkout.clock, key).await? {
        return Ok(NextStep::Join(payment_id));
    }
    let resolved = resolve_price(&mut tx, checkout, &command.quoted_price).await?;
    check_not_owned(&mut tx, &command.buyer.user_id, &resolved.price.terms).await?;
    let product = &resolved.price.terms.product;
    let input = subscriptions::find_existing(&mut tx, &command.buyer.user_id, product).await?;
    if input.is_exclusive {
        return Err(Error::RussianSubscription);
    }
    let held = match input.order_id {
        Some(order_id) => lock_held_order(&mut tx, order_id).await?,
        None => None,
    };

    let (payment_id, begun) = match decide(&mut tx, checkout, command, &resolved, held).await? {
        OrderDecision::Close(payment_id) => return Ok(NextStep::Close(payment_id)),
        OrderDecision::Join(payment_id) => (payment_id, None),
        OrderDecision::Begin(purchase) => (purchase.payment.payment_id, Some(purchase)),
    };

    // The key stands for the payment: a repeat returns the payment's current state.
    idempotency::store(&mut tx, &checkout.clock, key, &payment_id).await?;
    tx.commit().await?;
    Ok(match begun {
        None => NextStep::Join(payment_id),
        Some(purchase) => NextStep::Execute(PaymentExecution::Subscription {
            purchase,
            price: Box::new(resolved.price),
            customer: Box::new(customer),
        }),
    })
}

enum OrderDecision {
    Begin(Box<SubscriptionOrder>),
    Join(PaymentId),
    Close(PaymentId),
}

async fn decide(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateSubscription,
    resolved: &ResolvedPrice,
    held: Option<SubscriptionOrder>,
) -> Result<OrderDecision> {
    let submission = CheckoutRequest {
        price_id: resolved.price.price_id,
        trial_days: resolved.trial_days,
        payment_method_id: command.payment_method_id.clone(),
    };
    let next = checkout_request::decide(&submission, held.as_ref());
    if !matches!(next, CheckoutDecision::Join(_) | CheckoutDecision::Refuse(_)) {
        resolved.check_not_expired(checkout.clock.now())?;
        resolved.check_trial(tx, &command.buyer.user_id).await?;
    }
    let begun = match (next, held) {
        (CheckoutDecision::Refuse(refusal), _) => return Err(refusal.into()),
        (CheckoutDecision::Close(payment_id), _) => return Ok(OrderDecision::Close(payment_id)),
        (CheckoutDecision::Join(payment_id), _) => return Ok(OrderDecision::Join(payment_id)),
        (CheckoutDecision::Retry, Some(held)) => retry(tx, checkout, command, held).await?,
        (CheckoutDecision::Replace, Some(held)) => {
            let wanted = &resolved.price.terms.coupon_code;
            coupons::lock_swapped(tx, held.order.order_id, wanted).await?;
            abandon_order(tx, checkout, held.into()).await?;
            open(tx, checkout, command, resolved).await?
        }
        (CheckoutDecision::Open | CheckoutDecision::Retry | CheckoutDecision::Replace, _) => {
            open(tx, checkout, command, resolved).await?
        }
    };
    Ok(OrderDecision::Begin(Box::new(begun)))
}

async fn open(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateSubscription,
    resolved: &ResolvedPrice,
) -> Result<SubscriptionOrder> {
    let now = checkout.clock.now();
    let price = &resolved.price;
    let order = Order {
        order_id: OrderId::new(now),
        kind: OrderKind::Subscription,
        user_id: command.buyer.user_id.clone(),
        product: price.terms.product.clone(),
        opens: price.terms.opens,
        price_id: price.price_id,
        amount: price.terms.amount,
        trial_days: resolved.trial_days,
        payment_source: command.payment_source.clone(),
        country: command.country.clone(),
        language: command.language.clone(),
        tracking: command.tracking.clone(),
        state: OrderState::Open,
        created_at: now,
    };
    let subscription = Subscription {
        subscription_id: SubscriptionId::new(now),
        state: SubscriptionState::Incomplete,
        activated_at: None,
        created_at: now,
    };
    let payment = intended(checkout, command, &order, 1);
    let purchase = SubscriptionOrder {
        payment: of_subscription(payment, &subscription),
        order,
        subscription,
        attempt: AttemptStatus::Current,
        poll: PollState::at(now + checkout.in_flight_timeout.0),
    };
    order_attempts::insert(tx, &purchase.clone().into()).await?;
    resolved.reserve_coupon(tx, checkout, &purchase.order).await?;
    emit::subscription_created(tx, &checkout.clock, &purchase).await?;
    Ok(purchase)
}

async fn retry(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateSubscription,
    held: SubscriptionOrder,
) -> Result<SubscriptionOrder> {
    let payment = intended(checkout, command, &held.order, held.payment.attempt + 1);
    let subscription = Subscription {
        state: SubscriptionState::Incomplete,
        ..held.subscription
    };
    let retried = SubscriptionOrder {
        payment: of_subscription(payment, &subscription),
        subscription,
        attempt: AttemptStatus::Current,
        poll: PollState::at(checkout.clock.now() + checkout.in_flight_timeout.0),
        ..held
    };
    order_attempts::insert_retry(tx, &retried.payment, retried.poll).await?;
    subscriptions::save(tx, &retried.subscription).await?;
    Ok(retried)
}

fn intended(checkout: &Checkout, command: &CreateSubscription, order: &Order, attempt: i32) -> Payment {
    let now = checkout.clock.now();
    let provider = checkout.providers.own_page().id();
    Payment {
        payment_method_id: command.payment_method_id.clone(),
        card_network: command.card_network.clone(),
        ..Payment::intended(PaymentId::new(now), order.order_id, provider, attempt, now)
    }
}

fn of_subscription(payment: Payment, subscription: &Subscription) -> Payment {
    Payment {
        subscription_id: Some(subscription.subscription_id),
        ..payment
    }
}
