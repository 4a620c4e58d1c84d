//! Sells a subscription. The intent is committed before the provider is called; whoever repeats the submit, however often
//! and however many at once, joins the first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kit::idempotency::{self, Begin, Key};
use sqlx::PgConnection;
use tracing::Instrument;

use super::Checkout;
use super::abandon_order::abandon_order;
use super::agree_price::{Agreed, Shown, agree_price};
use super::check_sold::check_not_owned;
use super::close_payment::close_payment;
use super::pursue_payment::{Pursuit, pursue};
use crate::domain::buyer::Buyer;
use crate::domain::catalogue::Price;
use crate::domain::ids::{OrderId, PaymentId, SubscriptionId, UserId};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::{Payment, PaymentState, Standing};
use crate::domain::provider::Provider;
use crate::domain::purchase::{Attempt, Purchase};
use crate::domain::submission::{self, Next, Submission};
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::emit;
use crate::error::{Error, Result};
use crate::store::purchases::Which;
use crate::store::{coupons, customers, orders, payments, purchases, subscriptions};

/// Closing an attempt can be overtaken by another tab that opens the next one.
const CLOSINGS_MAX: usize = 3;
const JOIN_POLL_FIRST: Duration = Duration::from_millis(20);
const JOIN_POLL_MAX: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub struct CreateSubscription {
    pub buyer: Buyer,
    pub shown: Shown,
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

/// What one transaction over the stored state made of a submit.
enum Step {
    Pursue(Box<Pursuit>),
    Join(PaymentId),
    Close(PaymentId),
}

/// Returns as soon as the outcome is known, or with a payment still in flight when that takes too long.
pub async fn create_subscription(checkout: &Arc<Checkout>, command: &CreateSubscription) -> Result<Purchase> {
    for _ in 0..CLOSINGS_MAX {
        let (payment_id, is_joined) = match place(checkout, command).await? {
            Step::Close(payment_id) => {
                close_payment(checkout, payment_id).await?;
                continue;
            }
            Step::Pursue(pursuit) => {
                let payment_id = pursuit.purchase.payment.payment_id;
                match pursue_detached(checkout, *pursuit).await {
                    Some(purchase) => return Ok(purchase),
                    None => (payment_id, false),
                }
            }
            Step::Join(payment_id) => {
                join(checkout, payment_id).await?;
                (payment_id, true)
            }
        };
        let mut connection = checkout.pool.acquire().await?;
        let purchase = purchases::read_payment(&mut connection, payment_id).await?;
        // It expired as the buyer came to it: that is no answer to somebody who wants to pay.
        if is_joined && command.key.is_none() && purchase.payment.state == PaymentState::Canceled {
            continue;
        }
        return Ok(purchase);
    }
    Err(Error::PaymentInProgress)
}

/// In a task of its own: a buyer who closes the page must not cut the work off half-way. What goes wrong inside leaves the
/// payment in flight, for the reconciler. Then the answer is read: it may have been settled by somebody else.
async fn pursue_detached(checkout: &Arc<Checkout>, pursuit: Pursuit) -> Option<Purchase> {
    let payment_id = pursuit.purchase.payment.payment_id;
    let owned = Arc::clone(checkout);
    let pursuing = async move { pursue(&owned, pursuit).await }.in_current_span();
    match tokio::time::timeout(checkout.time_to_answer(), tokio::spawn(pursuing)).await {
        Ok(Ok(Ok(purchase))) => return Some(purchase),
        Ok(Ok(Err(error))) => tracing::error!(%error, "Payment {payment_id} is left to the reconciler"),
        Ok(Err(error)) => tracing::error!(%error, "The task of payment {payment_id} ended early"),
        Err(_) => tracing::warn!("The provider takes long over payment {payment_id}; answering without it"),
    }
    None
}

/// Waits for whoever is at work on the payment, in this process or another.
async fn join(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let waiting = async {
        let mut pause = JOIN_POLL_FIRST;
        loop {
            let mut connection = checkout.pool.acquire().await?;
            let purchase = purchases::read_payment(&mut connection, payment_id).await?;
            drop(connection);
            if purchase.payment.standing() != Standing::InFlight {
                return Ok(());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(JOIN_POLL_MAX);
        }
    };
    // Too long is no error: the answer then says that the payment is being processed.
    tokio::time::timeout(checkout.time_to_answer(), waiting)
        .await
        .unwrap_or(Ok(()))
}

async fn place(checkout: &Checkout, command: &CreateSubscription) -> Result<Step> {
    let mut tx = checkout.pool.begin().await?;
    let now = checkout.clock.now();
    let customer = customers::lock_unbarred(&mut tx, &command.buyer, now).await?;
    let customer = customer.ok_or(Error::MemberErased)?;
    if let Some(key) = &command.key {
        match idempotency::begin(&mut tx, &checkout.clock, key).await? {
            Begin::Fresh | Begin::Resumed => {}
            Begin::Replay(stored) => return Ok(Step::Join(payment_of(&stored)?)),
            Begin::OtherBody => return Err(Error::IdempotencyConflict),
            Begin::InProgress => return Err(Error::KeyInUse),
        }
    }
    let agreed = agree_price(&mut tx, checkout, &command.shown).await?;
    check_not_owned(&mut tx, &command.buyer.user_id, &agreed.price.terms).await?;
    let product = &agreed.price.terms.product;
    let standing = subscriptions::held(&mut tx, &command.buyer.user_id, product).await?;
    if standing.is_russian {
        return Err(Error::RussianSubscription);
    }
    let held = match standing.order_id {
        Some(order_id) => lock_held_order(&mut tx, order_id).await?,
        None => None,
    };

    let (payment_id, begun) = match decide(&mut tx, checkout, command, &agreed, held).await? {
        Decided::Close(payment_id) => return Ok(Step::Close(payment_id)),
        Decided::Join(payment_id) => (payment_id, None),
        Decided::Begin(purchase) => (purchase.payment.payment_id, Some(purchase)),
    };

    if let Some(key) = &command.key {
        // What the key stands for is the payment: a repeat is answered with what has become of it by then.
        let stored = payment_id.as_uuid().into_bytes();
        idempotency::finish(&mut tx, &checkout.clock, key, &stored).await?;
    }
    tx.commit().await?;
    Ok(match begun {
        None => Step::Join(payment_id),
        Some(purchase) => Step::Pursue(Box::new(Pursuit {
            purchase: *purchase,
            price: agreed.price,
            customer,
        })),
    })
}

enum Decided {
    Begin(Box<Purchase>),
    Join(PaymentId),
    Close(PaymentId),
}

async fn decide(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateSubscription,
    agreed: &Agreed,
    held: Option<Purchase>,
) -> Result<Decided> {
    let submission = Submission {
        price_id: agreed.price.price_id,
        trial_days: agreed.trial_days,
        payment_method_id: command.payment_method_id.clone(),
    };
    let next = submission::decide(&submission, held.as_ref());
    if !matches!(next, Next::Join(_) | Next::Refuse(_)) {
        agreed.check_in_time(checkout.clock.now())?;
        agreed.check_trial(tx, &command.buyer.user_id).await?;
    }
    let begun = match (next, held) {
        (Next::Refuse(refusal), _) => return Err(refusal.into()),
        (Next::Close(payment_id), _) => return Ok(Decided::Close(payment_id)),
        (Next::Join(payment_id), _) => return Ok(Decided::Join(payment_id)),
        (Next::Retry, Some(held)) => retry(tx, checkout, command, held).await?,
        (Next::Replace, Some(held)) => {
            let wanted = &agreed.price.terms.coupon_code;
            coupons::lock_swapped(tx, held.order.order_id, wanted).await?;
            abandon_order(tx, checkout, held).await?;
            open(tx, checkout, command, agreed).await?
        }
        (Next::Open | Next::Retry | Next::Replace, _) => open(tx, checkout, command, agreed).await?,
    };
    Ok(Decided::Begin(Box::new(begun)))
}

fn payment_of(stored: &[u8]) -> Result<PaymentId> {
    let uuid = uuid::Uuid::from_slice(stored).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(PaymentId::from_uuid(uuid))
}

pub(super) async fn lock_held(
    tx: &mut PgConnection,
    user_id: &UserId,
    price: &Price,
) -> Result<Option<Purchase>> {
    match orders::find_held(tx, user_id, &price.terms.product).await? {
        Some(order_id) => lock_held_order(tx, order_id).await,
        None => Ok(None),
    }
}

async fn lock_held_order(tx: &mut PgConnection, order_id: OrderId) -> Result<Option<Purchase>> {
    let held = purchases::lock(tx, order_id, Which::InTheWay).await?;
    // It may have ended while we waited for the lock; no other can have been opened, for the member is locked.
    Ok(Some(held).filter(|held| !held.subscription.state.has_ended()))
}

async fn open(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateSubscription,
    agreed: &Agreed,
) -> Result<Purchase> {
    let now = checkout.clock.now();
    let price = &agreed.price;
    let order = Order {
        order_id: OrderId::new(now),
        kind: OrderKind::Subscription,
        user_id: command.buyer.user_id.clone(),
        product: price.terms.product.clone(),
        opens: price.terms.opens,
        price_id: price.price_id,
        amount: price.terms.amount,
        trial_days: agreed.trial_days,
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
        next_check_at: Some(now + checkout.patience.0),
        checks: 0,
        created_at: now,
    };
    let payment = intent(checkout, command, &order, &subscription, 1);
    let purchase = Purchase {
        order,
        subscription,
        payment,
        attempt: Attempt::Latest,
    };
    purchases::insert(tx, &purchase).await?;
    agreed.hold_coupon(tx, checkout, &purchase.order).await?;
    emit::subscription_created(tx, &checkout.clock, &purchase).await?;
    Ok(purchase)
}

async fn retry(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateSubscription,
    held: Purchase,
) -> Result<Purchase> {
    let Purchase {
        order,
        mut subscription,
        payment: earlier,
        ..
    } = held;
    let payment = intent(checkout, command, &order, &subscription, earlier.attempt + 1);
    payments::insert_intent(tx, &payment).await?;
    subscription.state = SubscriptionState::Incomplete;
    subscription.next_check_at = Some(checkout.clock.now() + checkout.patience.0);
    subscription.checks = 0;
    subscriptions::save(tx, &subscription).await?;
    Ok(Purchase {
        order,
        subscription,
        payment,
        attempt: Attempt::Latest,
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
        provider: Provider::Stripe,
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
