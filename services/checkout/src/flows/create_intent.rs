//! Opens what is paid once, and hands its secret to the page that pays it. The intent is committed before the provider is
//! called; whoever asks again, however often and however many at once, pays what was opened first.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kit::erasure::is_tombstoned;
use kit::idempotency::{self, Begin, Key};
use sqlx::PgConnection;
use tracing::Instrument;

use super::Checkout;
use super::abandon_order::abandon_order;
use super::agree_price::{Agreed, Shown, agree_any};
use super::check_sold::check_not_owned;
use super::close_intent::{abandon_sale, close_intent};
use super::close_payment::close_payment;
use super::create_subscription::lock_held;
use super::pursue_intent::pursue_intent;
use crate::domain::buyer::Buyer;
use crate::domain::catalogue::Price;
use crate::domain::ids::{OrderId, PaymentId, PriceId, UserId};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::{Payment, PaymentState, Standing};
use crate::domain::provider::Provider;
use crate::domain::purchase::Attempt;
use crate::domain::sale::{self, Counter, Next, Sale, Watch};
use crate::domain::submission::{self, Submission};
use crate::emit;
use crate::error::{Error, Result};
use crate::store::purchases::Which;
use crate::store::{coupons, customers, payments, sales};

/// Closing an attempt can be overtaken by another tab that opens the next one.
const CLOSINGS_MAX: usize = 3;
const JOIN_POLL_FIRST: Duration = Duration::from_millis(20);
const JOIN_POLL_MAX: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub struct CreateIntent {
    pub counter: Counter,
    /// `None`: a guest.
    pub buyer: Option<Buyer>,
    /// Of a trial, the subscription that begins with it.
    pub shown: Shown,
    /// What is paid for the trial.
    pub trial_price_id: Option<PriceId>,
    /// A card the provider knows, to be charged at once; empty where the page asks for one.
    pub card: String,
    pub payment_source: String,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
    /// Absent: the open order of this member, product and kind is the key.
    pub key: Option<Key>,
}

/// What one transaction over the stored state made of it.
enum Step {
    Pursue(PaymentId),
    Join(PaymentId),
    Close(PaymentId),
    /// A subscription that waits for its buyer.
    CloseSubscription(PaymentId),
}

struct Offer {
    agreed: Agreed,
    /// What is charged now.
    price: Price,
    kind: OrderKind,
}

/// Returns as soon as the provider has it, or with a payment still in flight when that takes too long.
pub async fn create_intent(checkout: &Arc<Checkout>, command: &CreateIntent) -> Result<Sale> {
    for _ in 0..CLOSINGS_MAX {
        let payment_id = match place(checkout, command).await? {
            Step::CloseSubscription(payment_id) => {
                close_payment(checkout, payment_id).await?;
                continue;
            }
            Step::Close(payment_id) => {
                close_intent(checkout, payment_id).await?;
                continue;
            }
            Step::Pursue(payment_id) => {
                pursue_detached(checkout, payment_id).await;
                payment_id
            }
            Step::Join(payment_id) => {
                join(checkout, payment_id).await?;
                payment_id
            }
        };
        let mut connection = checkout.pool.acquire().await?;
        let sale = sales::read_payment(&mut connection, payment_id).await?;
        // It was closed as the buyer came to it: that is no answer to somebody who wants to pay.
        if sale.payment.state == PaymentState::Canceled && command.key.is_none() {
            continue;
        }
        return Ok(sale);
    }
    Err(Error::PaymentInProgress)
}

/// In a task of its own: a buyer who closes the page must not cut the work off half-way.
async fn pursue_detached(checkout: &Arc<Checkout>, payment_id: PaymentId) {
    let owned = Arc::clone(checkout);
    let pursuit = async move { pursue_intent(&owned, payment_id).await }.in_current_span();
    match tokio::time::timeout(checkout.time_to_answer(), tokio::spawn(pursuit)).await {
        Ok(Ok(Ok(_))) => {}
        Ok(Ok(Err(error))) => tracing::error!(%error, "Payment {payment_id} is left to the reconciler"),
        Ok(Err(error)) => tracing::error!(%error, "The task of payment {payment_id} ended early"),
        Err(_) => tracing::warn!("The provider takes long over payment {payment_id}; answering without it"),
    }
}

/// Waits for whoever is at work on it, in this process or another.
async fn join(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let waiting = async {
        let mut pause = JOIN_POLL_FIRST;
        loop {
            let mut connection = checkout.pool.acquire().await?;
            let sale = sales::read_payment(&mut connection, payment_id).await?;
            drop(connection);
            if sale.payment.standing() != Standing::InFlight {
                return Ok(());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(JOIN_POLL_MAX);
        }
    };
    tokio::time::timeout(checkout.time_to_answer(), waiting)
        .await
        .unwrap_or(Ok(()))
}

async fn place(checkout: &Checkout, command: &CreateIntent) -> Result<Step> {
    let mut tx = checkout.pool.begin().await?;
    let now = checkout.clock.now();
    if let Some(buyer) = &command.buyer
        && is_tombstoned(&mut tx, &[buyer.user_id.to_string()]).await?
    {
        return Err(Error::MemberErased);
    }
    if let Some(key) = &command.key {
        match idempotency::begin(&mut tx, &checkout.clock, key).await? {
            Begin::Fresh | Begin::Resumed => {}
            Begin::Replay(stored) => return Ok(Step::Join(payment_of(&stored)?)),
            Begin::OtherBody => return Err(Error::IdempotencyConflict),
            Begin::InProgress => return Err(Error::KeyInUse),
        }
    }
    let offer = offer(&mut tx, checkout, command).await?;
    let order_id = OrderId::new(now);
    let buyer = command.buyer.clone().unwrap_or_else(|| Buyer {
        user_id: UserId::guest(order_id),
        email: String::new(),
        full_name: String::new(),
    });
    customers::lock(&mut tx, &buyer, now).await?;
    if let Some(payment_id) = make_room(&mut tx, checkout, &buyer.user_id, &offer).await? {
        return Ok(Step::CloseSubscription(payment_id));
    }

    let open = find_open(&mut tx, &buyer.user_id, &offer).await?;
    let next = sale::decide(offer.price.price_id, &command.card, open.as_ref());
    if !matches!(next, Next::Join(_) | Next::Wait) {
        offer.agreed.check_in_time(now)?;
    }
    let step = match (next, open) {
        (Next::Wait, _) => return Err(Error::PaymentInProgress),
        (Next::Close(payment_id), _) => return Ok(Step::Close(payment_id)),
        (Next::Join(payment_id), _) => Step::Join(payment_id),
        (Next::Retry, Some(open)) => retry(&mut tx, checkout, command, open).await?,
        (Next::Replace, Some(open)) => {
            let wanted = &offer.agreed.price.terms.coupon_code;
            coupons::lock_swapped(&mut tx, open.order.order_id, wanted).await?;
            abandon_sale(&mut tx, checkout, open).await?;
            begin(&mut tx, checkout, command, (order_id, buyer.user_id, &offer)).await?
        }
        (Next::Open | Next::Retry | Next::Replace, _) => {
            begin(&mut tx, checkout, command, (order_id, buyer.user_id, &offer)).await?
        }
    };
    if let (Some(key), Step::Pursue(payment_id) | Step::Join(payment_id)) = (&command.key, &step) {
        // What the key stands for is the payment: a repeat is answered with what has become of it by then.
        let stored = payment_id.as_uuid().into_bytes();
        idempotency::finish(&mut tx, &checkout.clock, key, &stored).await?;
    }
    tx.commit().await?;
    Ok(step)
}

fn payment_of(stored: &[u8]) -> Result<PaymentId> {
    let uuid = uuid::Uuid::from_slice(stored).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(PaymentId::from_uuid(uuid))
}

/// The price is the row's, or the quote's; and each call sells what it is there for.
async fn offer(tx: &mut PgConnection, checkout: &Checkout, command: &CreateIntent) -> Result<Offer> {
    let agreed = agree_any(tx, checkout, &command.shown).await?;
    let (price, starts) = if command.counter == Counter::Trial {
        let catalogue = checkout.catalogue.get();
        let fee = catalogue.trial_of(&agreed.price).cloned();
        let fee = fee.filter(|fee| Some(fee.price_id) == command.trial_price_id);
        (fee.ok_or(Error::UnknownPrice)?, Some(agreed.price.price_id))
    } else {
        (agreed.price.clone(), None)
    };
    let kind = sale::kind_of(&price.terms, starts).filter(|kind| command.counter.sells(*kind));
    Ok(Offer {
        kind: kind.ok_or(Error::UnknownPrice)?,
        agreed,
        price,
    })
}

/// Nobody pays for a trial of what they have, nor for good what is theirs. Returns what has to be closed first.
async fn make_room(
    tx: &mut PgConnection,
    checkout: &Checkout,
    user_id: &UserId,
    offer: &Offer,
) -> Result<Option<PaymentId>> {
    check_not_owned(tx, user_id, &offer.agreed.price.terms).await?;
    let OrderKind::Trial { starts } = offer.kind else {
        return Ok(None);
    };
    let held = lock_held(tx, user_id, &offer.agreed.price).await?;
    let wanted = Submission {
        price_id: starts,
        trial_days: offer.agreed.price.terms.trial_days,
        // None yet: no attempt of another kind is the same.
        payment_method_id: String::new(),
    };
    match (submission::decide(&wanted, held.as_ref()), held) {
        (submission::Next::Open, _) | (_, None) => Ok(None),
        (submission::Next::Close(payment_id), _) => Ok(Some(payment_id)),
        (submission::Next::Join(_), _) => Err(Error::PaymentInProgress),
        (submission::Next::Refuse(refusal), _) => Err(refusal.into()),
        (submission::Next::Retry | submission::Next::Replace, Some(held)) => {
            abandon_order(tx, checkout, held).await?;
            Ok(None)
        }
    }
}

async fn find_open(tx: &mut PgConnection, user_id: &UserId, offer: &Offer) -> Result<Option<Sale>> {
    let product = &offer.price.terms.product;
    let Some(order_id) = sales::find_open(tx, user_id, product, offer.kind).await? else {
        return Ok(None);
    };
    // It may have been paid while we waited for the lock; no other can have been opened, for the buyer is locked.
    let sale = sales::lock(tx, order_id, Which::Current).await?;
    Ok(Some(sale).filter(|sale| sale.order.state == OrderState::Open))
}

async fn begin(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateIntent,
    (order_id, user_id, offer): (OrderId, UserId, &Offer),
) -> Result<Step> {
    let now = checkout.clock.now();
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
    let sale = Sale {
        payment: attempt(checkout, command, order_id, 1),
        order,
        attempt: Attempt::Latest,
        watch: Watch {
            next_check_at: Some(now + checkout.patience.0),
            checks: 0,
        },
    };
    sales::insert(tx, &sale).await?;
    offer.agreed.hold_coupon(tx, checkout, &sale.order).await?;
    emit::payment_intent_created(tx, &checkout.clock, &sale).await?;
    Ok(Step::Pursue(sale.payment.payment_id))
}

async fn retry(
    tx: &mut PgConnection,
    checkout: &Checkout,
    command: &CreateIntent,
    open: Sale,
) -> Result<Step> {
    let next = open.payment.attempt + 1;
    let payment = attempt(checkout, command, open.order.order_id, next);
    payments::insert_intent(tx, &payment).await?;
    let payment_id = payment.payment_id;
    let watch = Watch {
        next_check_at: Some(checkout.clock.now() + checkout.patience.0),
        checks: 0,
    };
    sales::save_watch(
        tx,
        &Sale {
            payment,
            watch,
            ..open
        },
    )
    .await?;
    Ok(Step::Pursue(payment_id))
}

fn attempt(checkout: &Checkout, command: &CreateIntent, order_id: OrderId, attempt: i32) -> Payment {
    let now = checkout.clock.now();
    let payment_id = PaymentId::new(now);
    Payment {
        payment_id,
        order_id,
        subscription_id: None,
        provider: Provider::Stripe,
        attempt,
        payment_method_id: command.card.clone(),
        card_network: None,
        idempotency_key: payment_id.to_string(),
        state: PaymentState::Intended,
        provider_subscription_id: None,
        provider_intent_id: None,
        created_at: now,
    }
}
