//! Subscription and order events: entitlements and billing mails.
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::bus::CloudEvent;
use kit::consumer::{ConsumerSpec, Handler, HandlerError};
use kit::money::Money;
use proto::common::v1::Money as MoneyMessage;
use proto::events::Event;
use proto::events::v1::{
    OrderPaid, SubscriptionCanceled, SubscriptionPastDue, SubscriptionPaused, SubscriptionRenewed,
    SubscriptionTrialEnding,
};
use sqlx::PgConnection;

use super::reject;
use crate::domain::mail::Template;
use crate::flows::{self, BillingDetails, Context, EntitlementChange, Recipient};

pub const SUBSCRIPTIONS: ConsumerSpec = ConsumerSpec::new(
    "auth-subscriptions",
    &[
        OrderPaid::SUBJECT,
        SubscriptionRenewed::SUBJECT,
        SubscriptionPastDue::SUBJECT,
        SubscriptionPaused::SUBJECT,
        SubscriptionCanceled::SUBJECT,
        SubscriptionTrialEnding::SUBJECT,
    ],
);

pub struct Subscriptions(pub Arc<Context>);

/// Whom it is about, and what they are written.
struct SubscriptionNotice {
    user_id: String,
    /// Empty where only a member can have it.
    order_id: String,
    mail: Option<(Template, BillingDetails)>,
}

#[async_trait]
impl Handler for Subscriptions {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let SubscriptionNotice {
            user_id,
            order_id,
            mail,
        } = match event.r#type.as_str() {
            OrderPaid::SUBJECT => paid(tx, event).await?,
            SubscriptionRenewed::SUBJECT => renewed(tx, event).await?,
            SubscriptionPastDue::SUBJECT => past_due(event)?,
            SubscriptionPaused::SUBJECT => paused(tx, event).await?,
            SubscriptionCanceled::SUBJECT => canceled(tx, event).await?,
            _ => trial_ending(event)?,
        };
        if let (Some(buyer), Some((template, matter))) =
            (Recipient::of(&user_id, &order_id, event.lang.as_deref()), mail)
        {
            flows::queue_billing_mail(&self.0, tx, template, buyer, matter).await?;
        }
        Ok(())
    }
}

fn money(amount: Option<MoneyMessage>) -> Result<Option<Money>, HandlerError> {
    amount.map(Money::try_from).transpose().map_err(reject)
}

fn moment(at: Option<proto::Timestamp>) -> Option<DateTime<Utc>> {
    at.and_then(|at| at.try_into().ok())
}

/// What is paid once opens something without an end.
async fn paid(tx: &mut PgConnection, event: &CloudEvent) -> Result<SubscriptionNotice, HandlerError> {
    let message: OrderPaid = event.decode().map_err(reject)?;
    if let Ok(user_id) = message.user_id.parse() {
        let bought = EntitlementChange {
            user_id,
            subscription_id: &message.order_id,
            product: &message.product,
            opens: &message.opens,
            at: event.time,
        };
        flows::open_entitlements(tx, bought).await?;
    }
    let matter = BillingDetails {
        amount: money(message.amount)?,
        moment: None,
    };
    Ok(SubscriptionNotice {
        user_id: message.user_id,
        order_id: message.order_id,
        mail: Some((Template::PaymentReceipt, matter)),
    })
}

/// What a pause had closed opens again.
async fn renewed(tx: &mut PgConnection, event: &CloudEvent) -> Result<SubscriptionNotice, HandlerError> {
    let message: SubscriptionRenewed = event.decode().map_err(reject)?;
    if let Ok(user_id) = message.user_id.parse() {
        let turn = EntitlementChange {
            user_id,
            subscription_id: &message.subscription_id,
            product: &message.product,
            opens: &message.opens,
            at: event.time,
        };
        flows::reopen_entitlements(tx, turn).await?;
    }
    let matter = BillingDetails {
        amount: money(message.amount)?,
        moment: None,
    };
    Ok(SubscriptionNotice {
        user_id: message.user_id,
        order_id: String::new(),
        mail: Some((Template::PaymentReceipt, matter)),
    })
}

fn past_due(event: &CloudEvent) -> Result<SubscriptionNotice, HandlerError> {
    let message: SubscriptionPastDue = event.decode().map_err(reject)?;
    let matter = BillingDetails {
        amount: money(message.amount)?,
        moment: moment(message.access_until),
    };
    Ok(SubscriptionNotice {
        user_id: message.user_id,
        order_id: String::new(),
        mail: Some((Template::PaymentOverdue, matter)),
    })
}

/// Members know: they paused it themselves.
async fn paused(tx: &mut PgConnection, event: &CloudEvent) -> Result<SubscriptionNotice, HandlerError> {
    let message: SubscriptionPaused = event.decode().map_err(reject)?;
    if let Ok(user_id) = message.user_id.parse() {
        let turn = EntitlementChange {
            user_id,
            subscription_id: &message.subscription_id,
            product: &message.product,
            opens: &message.opens,
            at: event.time,
        };
        flows::close_entitlements(tx, turn).await?;
    }
    Ok(SubscriptionNotice {
        user_id: message.user_id,
        order_id: String::new(),
        mail: None,
    })
}

async fn canceled(tx: &mut PgConnection, event: &CloudEvent) -> Result<SubscriptionNotice, HandlerError> {
    let message: SubscriptionCanceled = event.decode().map_err(reject)?;
    if let Ok(user_id) = message.user_id.parse() {
        let turn = EntitlementChange {
            user_id,
            subscription_id: &message.subscription_id,
            product: &message.product,
            opens: &message.opens,
            at: event.time,
        };
        flows::close_entitlements(tx, turn).await?;
    }
    let matter = BillingDetails {
        amount: None,
        moment: moment(message.ended_at),
    };
    Ok(SubscriptionNotice {
        user_id: message.user_id,
        order_id: String::new(),
        mail: Some((Template::SubscriptionCanceled, matter)),
    })
}

fn trial_ending(event: &CloudEvent) -> Result<SubscriptionNotice, HandlerError> {
    let message: SubscriptionTrialEnding = event.decode().map_err(reject)?;
    let matter = BillingDetails {
        amount: money(message.amount)?,
        moment: moment(message.trial_end),
    };
    Ok(SubscriptionNotice {
        user_id: message.user_id,
        order_id: String::new(),
        mail: Some((Template::TrialEnding, matter)),
    })
}
