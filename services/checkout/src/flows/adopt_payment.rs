//! Takes in what a buyer has paid, or begun to pay, on a provider's own pages: there it has its order. What nobody sells is
//! given back.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::erasure::is_tombstoned;
use sqlx::PgConnection;

use super::Checkout;
use super::abandon_order::abandon_order;
use super::check_sold::check_not_owned;
use super::claim_trial::claim_agreed;
use super::close_payment::close_payment;
use super::create_subscription::lock_held;
use super::return_unsold::return_unsold;
use super::settle_payment::settle_payment;
use crate::domain::adoption::{self, Offer, at_provider};
use crate::domain::buyer::Buyer;
use crate::domain::catalogue::Price;
use crate::domain::coupon::{self, HELD_FOR};
use crate::domain::ids::{OrderId, PaymentId, SubscriptionId, UserId};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::{Payment, PaymentState};
use crate::domain::provider::Provider;
use crate::domain::purchase::{Attempt, Purchase};
use crate::domain::report::{Report, Snapshot};
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::emit;
use crate::error::{Error, Result};
use crate::store::coupons::Held;
use crate::store::{coupons, customers, payments, purchases, subscriptions};

/// Closing an attempt can be overtaken by another tab that opens the next one.
const CLOSINGS_MAX: usize = 3;

#[derive(Clone)]
pub struct Adoption {
    pub buyer: Buyer,
    pub price: Price,
    pub provider: Provider,
    /// The account it is paid from, by PayPal's name.
    pub payer_id: Option<String>,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
    pub snapshot: Snapshot,
}

impl Adoption {
    /// The same of somebody who is erased.
    pub fn of_nobody(&self, now: DateTime<Utc>) -> Self {
        Self {
            buyer: Buyer {
                user_id: UserId::nobody(now),
                email: String::new(),
                full_name: String::new(),
            },
            payer_id: None,
            language: String::new(),
            tracking: BTreeMap::new(),
            ..self.clone()
        }
    }
}

enum Place {
    At(PaymentId),
    Close(PaymentId),
    /// It is not sold to them: what was taken goes back.
    Nowhere(Error),
}

pub async fn adopt_payment(checkout: &Checkout, adoption: &Adoption) -> Result<Purchase> {
    for _ in 0..CLOSINGS_MAX {
        match place(checkout, adoption).await? {
            Place::At(payment_id) => {
                let report = Report::Snapshot(adoption.snapshot.clone());
                return settle_payment(checkout, payment_id, &report).await;
            }
            Place::Close(payment_id) => close_payment(checkout, payment_id).await.map(drop)?,
            Place::Nowhere(why) => {
                return_unsold(checkout, adoption).await?;
                return Err(why);
            }
        }
    }
    Err(Error::PaymentInProgress)
}

async fn place(checkout: &Checkout, adoption: &Adoption) -> Result<Place> {
    let mut tx = checkout.pool.begin().await?;
    let user_id = &adoption.buyer.user_id;
    if user_id.is_nobody() || is_tombstoned(&mut tx, &[user_id.to_string()]).await? {
        return Ok(Place::Nowhere(Error::MemberErased));
    }
    customers::lock(&mut tx, &adoption.buyer, checkout.clock.now()).await?;
    let Adoption {
        provider, snapshot, ..
    } = adoption;
    let id = &snapshot.provider_subscription_id;
    if let Some(known) = payments::find_by_provider_subscription(&mut tx, *provider, id).await? {
        return Ok(Place::At(known.payment_id));
    }
    match check_not_owned(&mut tx, user_id, &adoption.price.terms).await {
        Err(owned @ Error::AlreadyOwned) => return Ok(Place::Nowhere(owned)),
        checked => checked?,
    }
    let offer = Offer {
        provider: *provider,
        price_id: adoption.price.price_id,
        amount: adoption.price.terms.amount,
    };
    let held = lock_held(&mut tx, user_id, &adoption.price).await?;
    let attempts = match &held {
        Some(held) => payments::of_order(&mut tx, held.order.order_id).await?,
        None => Vec::new(),
    };
    let beside = held.as_ref().map(|purchase| adoption::Held {
        purchase,
        attempts: &attempts,
    });
    let payment = match (adoption::place(beside, offer, snapshot), held) {
        (adoption::Place::Attach, Some(held)) => {
            Some(attach(&mut tx, checkout, adoption, (&held, &attempts)).await?)
        }
        (adoption::Place::Replace, Some(held)) => {
            abandon_order(&mut tx, checkout, held).await?;
            open(&mut tx, checkout, adoption).await?
        }
        (adoption::Place::Open | adoption::Place::Attach | adoption::Place::Replace, _) => {
            open(&mut tx, checkout, adoption).await?
        }
        (adoption::Place::Close(payment_id), _) => return Ok(Place::Close(payment_id)),
        (adoption::Place::Wait, _) => return Err(Error::PaymentInProgress),
        (adoption::Place::Nowhere(refusal), _) => return Ok(Place::Nowhere(refusal.into())),
    };
    let Some(payment_id) = payment else {
        return Ok(Place::Nowhere(coupon::Refusal::Exhausted.into()));
    };
    let placed = purchases::read_payment(&mut tx, payment_id).await?;
    if !claim_agreed(&mut tx, checkout, &placed.order, adoption.payer_id.as_deref()).await? {
        return Ok(Place::Nowhere(Error::TrialUsed));
    }
    tx.commit().await?;
    Ok(Place::At(payment_id))
}

/// `None`: the coupon of this price is no longer to be had.
async fn open(tx: &mut PgConnection, checkout: &Checkout, adoption: &Adoption) -> Result<Option<PaymentId>> {
    let now = checkout.clock.now();
    let purchase = purchase(checkout, adoption);
    let payment = at_provider(&purchase.payment, &adoption.snapshot);
    purchases::insert(tx, &purchase).await?;
    payments::save(tx, &payment).await?;
    let code = &adoption.price.terms.coupon_code;
    if !code.is_empty() {
        let held = coupons::hold(tx, code, &purchase.order, now + HELD_FOR).await?;
        if !matches!(held, Held::Yes) {
            return Ok(None);
        }
    }
    emit::subscription_created(tx, &checkout.clock, &purchase).await?;
    tell_of_link(tx, checkout, adoption, &purchase.order, &payment).await?;
    Ok(Some(purchase.payment.payment_id))
}

/// A new order of it, with its first attempt to pay.
pub fn purchase(checkout: &Checkout, adoption: &Adoption) -> Purchase {
    let now = checkout.clock.now();
    let Adoption { price, .. } = adoption;
    let order = Order {
        order_id: OrderId::new(now),
        kind: OrderKind::Subscription,
        user_id: adoption.buyer.user_id.clone(),
        product: price.terms.product.clone(),
        opens: price.terms.opens,
        price_id: price.price_id,
        amount: price.terms.amount,
        trial_days: price.terms.trial_days,
        payment_source: adoption.provider.name().to_owned(),
        country: adoption.country.clone(),
        language: adoption.language.clone(),
        tracking: adoption.tracking.clone(),
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
    let payment = intent(checkout, adoption, &order, &subscription, 1);
    Purchase {
        order,
        subscription,
        payment,
        attempt: Attempt::Latest,
    }
}

/// One more attempt to pay for an order that is there already. Should whoever attaches it not come to settle it, the reconciler
/// does.
async fn attach(
    tx: &mut PgConnection,
    checkout: &Checkout,
    adoption: &Adoption,
    (held, attempts): (&Purchase, &[Payment]),
) -> Result<PaymentId> {
    let last = attempts.iter().map(|payment| payment.attempt).max().unwrap_or(0);
    let payment = intent(checkout, adoption, &held.order, &held.subscription, last + 1);
    payments::insert_intent(tx, &payment).await?;
    let payment = at_provider(&payment, &adoption.snapshot);
    payments::save(tx, &payment).await?;
    let watched = Subscription {
        next_check_at: Some(checkout.clock.now() + checkout.patience.0),
        checks: 0,
        ..held.subscription.clone()
    };
    subscriptions::save(tx, &watched).await?;
    tell_of_link(tx, checkout, adoption, &held.order, &payment).await?;
    Ok(payment.payment_id)
}

async fn tell_of_link(
    tx: &mut PgConnection,
    checkout: &Checkout,
    adoption: &Adoption,
    order: &Order,
    payment: &Payment,
) -> Result<()> {
    if adoption.provider != Provider::Paypal {
        return Ok(());
    }
    emit::paypal_subscription_linked(tx, &checkout.clock, order, payment, &adoption.tracking).await
}

fn intent(
    checkout: &Checkout,
    adoption: &Adoption,
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
        provider: adoption.provider,
        attempt,
        payment_method_id: String::new(),
        card_network: None,
        idempotency_key: payment_id.to_string(),
        state: PaymentState::Intended,
        provider_subscription_id: None,
        provider_intent_id: None,
        created_at: now,
    }
}
