//! Domain events, written to the outbox of the open transaction.

pub mod page_payments;
pub mod refunds;
pub mod subscription_facts;
pub mod survey_orders;
pub mod withdrawals;

use std::collections::BTreeMap;

use kit::bus::CloudEvent;
use kit::clock::Clock;
use kit::money::Money;
use kit::outbox::{self, NewEvent};
use proto::Timestamp;
use proto::common::v1::Tracking;
use proto::events::v1 as events;
use sqlx::PgConnection;

use crate::domain::ids::{QuoteId, UserId};
use crate::domain::order::Order;
use crate::domain::order::fact::Fact;
use crate::domain::order::order_attempt::{OrderAttempt, SubscriptionOrder};
use crate::domain::payment::Payment;
use crate::domain::pricing::bin::BinHash;
use crate::domain::pricing::catalogue::Price;
use crate::error::Result;

/// Who was quoted what, for [`campaign_resolved`].
pub struct Resolved<'a> {
    pub price: &'a Price,
    pub user_id: Option<&'a UserId>,
    pub language: &'a str,
    pub country: &'a str,
}

/// Published as it is, or written with others by [`all`].
pub fn campaign_resolved(clock: &Clock, resolved: &Resolved<'_>) -> Result<CloudEvent> {
    let price = resolved.price;
    let data = events::CampaignResolved {
        campaign: price.campaign.clone(),
        coupon_code: price.terms.coupon_code.clone(),
        price_id: price.price_id.to_string(),
        price: Some(price.terms.amount.into()),
        user_id: resolved.user_id.map(UserId::to_string).unwrap_or_default(),
    };
    // Each quote stands alone: a key of its own, so that a busy campaign's quotes need not wait for one another.
    let quote_id = QuoteId::new(clock.now());
    let draft = NewEvent::new(quote_id, &data)?;
    Ok(draft
        .lang(resolved.language)
        .country(resolved.country)
        .into_event(clock))
}

/// Published as it is: it changes nothing here, and is about no member.
pub fn bin_checked(clock: &Clock, bin_hash: BinHash, campaign: Option<&str>) -> Result<CloudEvent> {
    let data = events::BinChecked {
        bin_hash: hex::encode(bin_hash.0),
        eligible: campaign.is_some(),
        campaign: campaign.unwrap_or_default().to_owned(),
    };
    let draft = NewEvent::new(&data.bin_hash, &data)?;
    Ok(draft.into_event(clock))
}

pub async fn all(tx: &mut PgConnection, events: &[CloudEvent]) -> Result<()> {
    outbox::append_all(tx, events).await?;
    Ok(())
}

pub async fn campaign_published(tx: &mut PgConnection, clock: &Clock, code: &str) -> Result<()> {
    let data = events::CampaignPublished {
        campaign: code.to_owned(),
    };
    outbox::append(tx, clock, NewEvent::new(code, &data)?).await?;
    Ok(())
}

pub async fn subscription_created(
    tx: &mut PgConnection,
    clock: &Clock,
    purchase: &SubscriptionOrder,
) -> Result<()> {
    let SubscriptionOrder {
        order, subscription, ..
    } = purchase;
    let data = events::SubscriptionCreated {
        subscription_id: subscription.subscription_id.to_string(),
        user_id: order.user_id.to_string(),
        price_id: order.price_id.to_string(),
        status: subscription.state.name().to_owned(),
        payment_source: order.payment_source.clone(),
        tracking: Some(Tracking {
            parameters: order.tracking.clone().into_iter().collect(),
        }),
        order_id: order.order_id.to_string(),
    };
    let draft = NewEvent::new(subscription.subscription_id, &data)?;
    append(tx, clock, order, draft).await
}

/// At once with the payment that is PayPal's: a subscription is linked once.
pub async fn paypal_subscription_linked(
    tx: &mut PgConnection,
    clock: &Clock,
    order: &Order,
    payment: &Payment,
    tracking: &BTreeMap<String, String>,
) -> Result<()> {
    let data = events::PaypalSubscriptionLinked {
        subscription_id: payment
            .subscription_id
            .map(|id| id.to_string())
            .unwrap_or_default(),
        user_id: order.user_id.to_string(),
        tracking: Some(Tracking {
            parameters: tracking.clone().into_iter().collect(),
        }),
        order_id: order.order_id.to_string(),
        paypal_subscription_id: payment.provider_subscription_id.clone().unwrap_or_default(),
    };
    append(tx, clock, order, NewEvent::new(order.order_id, &data)?).await
}

/// Emits the events of a settlement.
pub async fn facts(
    tx: &mut PgConnection,
    clock: &Clock,
    attempt: &OrderAttempt,
    facts: &[Fact],
) -> Result<()> {
    let order = &attempt.order;
    let mut events = Vec::with_capacity(facts.len());
    for fact in facts {
        let draft = draft_of(attempt, fact)?.map(|draft| draft.lang(&order.language).country(&order.country));
        events.extend(draft.map(|draft| draft.into_event(clock)));
    }
    if events.is_empty() {
        return Ok(());
    }
    all(tx, &events).await
}

pub async fn payment_intent_created(
    tx: &mut PgConnection,
    clock: &Clock,
    one_time: &OrderAttempt,
) -> Result<()> {
    let OrderAttempt { order, payment, .. } = one_time;
    let data = events::PaymentIntentCreated {
        order_id: order.order_id.to_string(),
        user_id: order.user_id.public_id(),
        payment_id: payment.payment_id.to_string(),
        price_id: order.price_id.to_string(),
        kind: order.kind.name().to_owned(),
        source: order.payment_source.clone(),
        tracking: Some(Tracking {
            parameters: order.tracking.clone().into_iter().collect(),
        }),
    };
    append(tx, clock, order, NewEvent::new(order.order_id, &data)?).await
}

fn order_paid(order: &Order, payment: &Payment, amount: Money) -> Result<NewEvent> {
    let data = events::OrderPaid {
        order_id: order.order_id.to_string(),
        user_id: order.user_id.public_id(),
        payment_id: payment.payment_id.to_string(),
        amount: Some(amount.into()),
        product: order.product.clone(),
        kind: order.kind.name().to_owned(),
        source: order.payment_source.clone(),
        price_id: order.price_id.to_string(),
        provider: payment.provider.name().to_owned(),
        payment_intent_id: payment.provider_intent_id.clone().unwrap_or_default(),
        opens: order.opens_for_good().names(),
    };
    Ok(NewEvent::new(order.order_id, &data)?)
}

fn draft_of(attempt: &OrderAttempt, fact: &Fact) -> Result<Option<NewEvent>> {
    let OrderAttempt { order, payment, .. } = attempt;
    let draft = match (fact, &attempt.subscription) {
        (Fact::OrderPaid { amount }, _) => order_paid(order, payment, *amount)?,
        (Fact::SubscriptionActivated, Some(subscription)) => {
            let data = events::SubscriptionActivated {
                subscription_id: subscription.subscription_id.to_string(),
                user_id: order.user_id.to_string(),
                product: order.product.clone(),
                trial_days: order.trial_days,
                provider: payment.provider.name().to_owned(),
                order_id: order.order_id.to_string(),
                price: Some(order.amount.into()),
                current_period_end: subscription.state.period_end().map(Timestamp::from),
                opens: order.opens.names(),
            };
            NewEvent::new(subscription.subscription_id, &data)?
        }
        (Fact::PaymentFailed { code }, Some(subscription)) => {
            let data = events::SubscriptionPaymentFailed {
                subscription_id: subscription.subscription_id.to_string(),
                user_id: order.user_id.to_string(),
                code: code.clone(),
            };
            NewEvent::new(subscription.subscription_id, &data)?
        }
        // A refused one-time payment has no event. An unmatched capture is emitted when it is refunded.
        (Fact::SubscriptionActivated | Fact::PaymentFailed { .. }, None)
        | (Fact::DuplicateCapture { .. }, _) => return Ok(None),
    };
    Ok(Some(draft))
}

async fn append(tx: &mut PgConnection, clock: &Clock, order: &Order, draft: NewEvent) -> Result<()> {
    outbox::append(tx, clock, draft.lang(&order.language).country(&order.country)).await?;
    Ok(())
}
