//! A purchase to begin tests with: one month for 59.99 TRY, intended and not yet asked for.

use chrono::{DateTime, TimeDelta, Utc};
use kit::config::Env;
use kit::money::{Currency, Money};

use super::ids::{OrderId, PaymentId, PriceId, RefundId, SubscriptionId, UserId};
use super::order::{Order, OrderKind, OrderState};
use super::payment::{Decline, Payment, PaymentState};
use super::provider::Provider;
use super::refund::{self, Refund, RefundOutcome, RefundReason, RefundResult, RefundSnapshot, RefundTarget};
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderResult, ProviderStatus};
use crate::domain::pricing::campaign::{PriceKind, Terms};
use crate::domain::pricing::opens::Opens;
use crate::domain::subscription::billing_state::BillingState;
use crate::domain::subscription_state::{Subscription, SubscriptionState};

/// On the 20th of November 2026.
pub fn noon() -> DateTime<Utc> {
    // Not read from text: the models ask for it all the time.
    DateTime::from_timestamp(1_795_176_000, 0).unwrap()
}

pub fn later(hours: i64) -> DateTime<Utc> {
    noon() + TimeDelta::hours(hours)
}

pub fn price() -> Money {
    Money::new(5999, Currency::parse("TRY").unwrap())
}

pub fn premium() -> Opens {
    Opens {
        premium: true,
        ..Opens::default()
    }
}

/// A year of it.
pub fn terms() -> Terms {
    Terms {
        kind: PriceKind::Subscription,
        coupon_code: String::new(),
        country: String::new(),
        product: "premium".into(),
        opens: premium(),
        period_months: 12,
        trial_days: 0,
        amount: price(),
        list: price(),
        lookup_key: "premium.web-yearly.12m.none.TRY.5999".into(),
    }
}

pub fn decline() -> Decline {
    Decline {
        code: "insufficient_funds".into(),
        message: "Your card has insufficient funds.".into(),
    }
}

pub fn intended() -> SubscriptionOrder {
    let order_id = OrderId::new(noon());
    let subscription_id = SubscriptionId::new(noon());
    SubscriptionOrder {
        order: Order {
            order_id,
            kind: OrderKind::Subscription,
            user_id: UserId::parse("usr_1").unwrap(),
            product: "premium".into(),
            opens: premium(),
            price_id: PriceId::new(noon()),
            amount: price(),
            trial_days: 0,
            payment_source: "stripe".into(),
            country: "TR".into(),
            language: "tr".into(),
            tracking: std::collections::BTreeMap::new(),
            state: OrderState::Open,
            created_at: noon(),
        },
        subscription: Subscription {
            subscription_id,
            state: SubscriptionState::Incomplete,
            activated_at: None,
            created_at: noon(),
        },
        payment: Payment {
            payment_id: PaymentId::new(noon()),
            order_id,
            subscription_id: Some(subscription_id),
            provider: Provider::Stripe,
            attempt: 1,
            payment_method_id: "pm_1".into(),
            card_network: None,
            idempotency_key: "key".into(),
            state: PaymentState::Intended,
            provider_subscription_id: None,
            provider_intent_id: None,
            created_at: noon(),
        },
        attempt: AttemptStatus::Current,
        poll: PollState::at(later(1)),
    }
}

/// The billing state of a subscription that is synced.
pub fn synced(subscription: &Subscription) -> BillingState {
    BillingState {
        due_at: Some(later(1)),
        ..BillingState::new(subscription.subscription_id)
    }
}

pub fn snapshot(status: ProviderStatus, charge: Charge) -> ProviderResult {
    ProviderResult::Snapshot(PaymentSnapshot {
        provider_subscription_id: "sub_1".into(),
        payment_id: None,
        provider_intent_id: Some("pi_1".into()),
        status,
        period_end: later(24 * 30),
        charge,
    })
}

pub fn paid() -> ProviderResult {
    snapshot(ProviderStatus::Active, Charge::Captured(price()))
}

pub fn action_required() -> ProviderResult {
    snapshot(
        ProviderStatus::Incomplete,
        Charge::ActionRequired {
            client_secret: "pi_1_secret".into(),
        },
    )
}

pub fn declined() -> ProviderResult {
    snapshot(ProviderStatus::Incomplete, Charge::Declined(decline()))
}

pub fn trial() -> ProviderResult {
    snapshot(ProviderStatus::Trialing, Charge::NotDue)
}

pub fn trial_with_setup() -> ProviderResult {
    snapshot(
        ProviderStatus::Trialing,
        Charge::SetupRequired {
            client_secret: "seti_1_secret".into(),
        },
    )
}

pub fn closed() -> ProviderResult {
    snapshot(ProviderStatus::Expired, Charge::Closed)
}

pub fn refund_of(payment: &Payment, minor: i64) -> Refund {
    let claim = RefundTarget {
        order_id: payment.order_id,
        payment_id: payment.payment_id,
        reason: RefundReason::Requested,
    };
    let amount = Money::new(minor, price().currency);
    refund::intend(RefundId::new(noon()), claim, amount, noon())
}

pub fn seen(refund: &Refund, outcome: RefundOutcome) -> RefundResult {
    RefundResult::Snapshot(RefundSnapshot {
        provider_refund_id: format!("re_{}", refund.refund_id),
        refund_id: Some(refund.refund_id),
        amount: refund.amount,
        outcome,
        created_at: noon(),
        is_disputed: false,
    })
}

/// How many random schedules each model test tries.
pub fn schedules() -> u64 {
    let asked = Env::from_process();
    asked
        .get("CHECKOUT_SCHEDULES")
        .map_or(10_000, |count| count.parse().unwrap())
}
