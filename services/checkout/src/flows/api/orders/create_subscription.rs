//! Creates a subscription. The intent is committed before the provider is called; repeated and concurrent requests
//! join the first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kit::idempotency::{self, Key};
use sqlx::PgConnection;
use tracing::Instrument;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId, UserId};
use crate::domain::order::buyer::Buyer;
use crate::domain::order::checkout_request::{self, CheckoutDecision, CheckoutRequest};
use crate::domain::order::subscription_order::{AttemptStatus, SubscriptionOrder};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::{Disposition, Payment, PaymentState};
use crate::domain::pricing::catalogue::Price;
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::abandon_order::abandon_order;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::flows::steps::payment::execute_payment::{PaymentExecution, execute};
use crate::flows::steps::pricing::check_available::check_not_owned;
use crate::flows::steps::pricing::resolve_price::{QuotedPrice, ResolvedPrice, resolve_price};
use crate::store::order::subscription_orders::AttemptSelector;
use crate::store::order::{customers, orders, subscription_orders};
use crate::store::payment::payments;
use crate::store::pricing::coupons;
use crate::store::subscription::subscriptions;

/// Closing an attempt can be overtaken by another tab that opens the next one.
const CLOSINGS_MAX: usize = 3;
const JOIN_POLL_FIRST: Duration = Duration::from_millis(20);
const JOIN_POLL_MAX: Duration = Duration::from_millis(250);

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

/// The step decided in one transaction over the stored state.
enum NextStep {
    Execute(Box<PaymentExecution>),
    Join(PaymentId),
    Close(PaymentId),
}

/// Returns as soon as the outcome is known, or with a payment still in flight when that takes too long.
pub async fn create_subscription(
    checkout: &Arc<Checkout>,
    command: &CreateSubscription,
) -> Result<SubscriptionOrder> {
    for _ in 0..CLOSINGS_MAX {
        let (payment_id, is_joined) = match prepare_order(checkout, command).await? {
            NextStep::Close(payment_id) => {
                close_payment(checkout, payment_id).await?;
                continue;
            }
            NextStep::Execute(execution) => {
                let payment_id = execution.purchase.payment.payment_id;
                match execute_detached(checkout, *execution).await {
                    Some(purchase) => return Ok(purchase),
                    None => (payment_id, false),
                }
            }
            NextStep::Join(payment_id) => {
                join(checkout, payment_id).await?;
                (payment_id, true)
            }
        };
        let mut connection = checkout.pool.acquire().await?;
        let purchase = subscription_orders::read_payment(&mut connection, payment_id).await?;
        // It expired concurrently: prepare another attempt.
        if is_joined && command.key.is_none() && purchase.payment.state == PaymentState::Canceled {
            continue;
        }
        return Ok(purchase);
    }
    Err(Error::PaymentInProgress)
}

/// In a task of its own: a buyer who closes the page must not cut the work off half-way. What goes wrong inside leaves the
/// payment in flight for the reconciler. Then the stored state is read, which another process may have settled.
async fn execute_detached(
    checkout: &Arc<Checkout>,
    execution: PaymentExecution,
) -> Option<SubscriptionOrder> {
    let payment_id = execution.purchase.payment.payment_id;
    let owned = Arc::clone(checkout);
    let pursuing = async move { execute(&owned, execution).await }.in_current_span();
    match tokio::time::timeout(checkout.remaining_response_budget(), tokio::spawn(pursuing)).await {
        Ok(Ok(Ok(purchase))) => return Some(purchase),
        Ok(Ok(Err(error))) => tracing::error!(%error, "Payment {payment_id} is left to the reconciler"),
        Ok(Err(error)) => tracing::error!(%error, "The task of payment {payment_id} ended early"),
        Err(_) => tracing::warn!(
            "payment {payment_id} in flight after the response budget; reconciler completes it"
        ),
    }
    None
}

/// Waits for the process that executes the payment.
async fn join(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let waiting = async {
        let mut pause = JOIN_POLL_FIRST;
        loop {
            let mut connection = checkout.pool.acquire().await?;
            let purchase = subscription_orders::read_payment(&mut connection, payment_id).await?;
            drop(connection);
            if purchase.payment.disposition() != Disposition::InFlight {
                return Ok(());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(JOIN_POLL_MAX);
        }
    };
    // Too long is no error: the answer then says that the payment is being processed.
    tokio::time::timeout(checkout.remaining_response_budget(), waiting)
        .await
        .unwrap_or(Ok(()))
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
        Some(purchase) => NextStep::Execute(Box::new(PaymentExecution {
            purchase: *purchase,
            price: resolved.price,
            customer,
        })),
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
            abandon_order(tx, checkout, held).await?;
            open(tx, checkout, command, resolved).await?
        }
        (CheckoutDecision::Open | CheckoutDecision::Retry | CheckoutDecision::Replace, _) => {
            open(tx, checkout, command, resolved).await?
        }
    };
    Ok(OrderDecision::Begin(Box::new(begun)))
}

pub(in crate::flows) async fn lock_held(
    tx: &mut PgConnection,
    user_id: &UserId,
    price: &Price,
) -> Result<Option<SubscriptionOrder>> {
    match orders::find_held(tx, user_id, &price.terms.product).await? {
        Some(order_id) => lock_held_order(tx, order_id).await,
        None => Ok(None),
    }
}

async fn lock_held_order(tx: &mut PgConnection, order_id: OrderId) -> Result<Option<SubscriptionOrder>> {
    let held = subscription_orders::lock(tx, order_id, AttemptSelector::Blocking).await?;
    // It may have ended while we waited for the lock; no other can have been opened, for the member is locked.
    Ok(Some(held).filter(|held| !held.subscription.state.has_ended()))
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
        next_check_at: Some(now + checkout.in_flight_timeout.0),
        poll_count: 0,
        created_at: now,
    };
    let payment = intent(checkout, command, &order, &subscription, 1);
    let purchase = SubscriptionOrder {
        order,
        subscription,
        payment,
        attempt: AttemptStatus::Current,
    };
    subscription_orders::insert(tx, &purchase).await?;
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
    let SubscriptionOrder {
        order,
        mut subscription,
        payment: earlier,
        ..
    } = held;
    let payment = intent(checkout, command, &order, &subscription, earlier.attempt + 1);
    payments::insert_intent(tx, &payment).await?;
    subscription.state = SubscriptionState::Incomplete;
    subscription.next_check_at = Some(checkout.clock.now() + checkout.in_flight_timeout.0);
    subscription.poll_count = 0;
    subscriptions::save(tx, &subscription).await?;
    Ok(SubscriptionOrder {
        order,
        subscription,
        payment,
        attempt: AttemptStatus::Current,
    })
}

fn intent(
    checkout: &Checkout,
    command: &CreateSubscription,
    order: &Order,
    subscription: &Subscription,
    attempt: i32,
) -> Payment {
    let now = checkout.clock.now();
    let payment_id = PaymentId::new(now);
    Payment {
        payment_id,
        order_id: order.order_id,
        subscription_id: Some(subscription.subscription_id),
        provider: checkout.providers.own_page().id(),
        attempt,
        payment_method_id: command.payment_method_id.clone(),
        card_network: command.card_network.clone(),
        idempotency_key: payment_id.to_string(),
        state: PaymentState::Intended,
        provider_subscription_id: None,
        provider_intent_id: None,
        created_at: now,
    }
}
