//! Events of other services, applied through the inbox.
mod refunds;
mod subscriptions;

use std::sync::Arc;

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::consumer::{ConsumerSpec, Handler, HandlerError};
use kit::money::Money;
use proto::events::Event;
use proto::events::v1::{MemberDataErased, SubscriptionActivated, WithdrawalAccepted, WithdrawalReceived};
use sqlx::PgConnection;

use crate::domain::mail::Template;
use crate::domain::user::UserId;
use crate::error::Error;
use crate::flows::{self, Context, EntitlementChange, WithdrawalMail};

pub use refunds::{REFUNDS, Refunds};
pub use subscriptions::{SUBSCRIPTIONS, Subscriptions};

pub const PURCHASES: ConsumerSpec = ConsumerSpec::new("auth", &[SubscriptionActivated::SUBJECT]);

pub const WITHDRAWALS: ConsumerSpec = ConsumerSpec::new(
    "auth-withdrawals",
    &[WithdrawalReceived::SUBJECT, WithdrawalAccepted::SUBJECT],
);

pub const ERASURE_REPORTS: ConsumerSpec = ConsumerSpec::new("auth-erasure", &[MemberDataErased::SUBJECTS]);

pub struct Purchases(pub Arc<Context>);

#[async_trait]
impl Handler for Purchases {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let activated: SubscriptionActivated = event.decode().map_err(reject)?;
        let user_id: UserId = activated.user_id.parse().map_err(reject)?;
        let begun = EntitlementChange {
            user_id,
            subscription_id: &activated.subscription_id,
            product: &activated.product,
            opens: &activated.opens,
            at: event.time,
        };
        flows::open_entitlements(tx, begun).await?;
        let noted = flows::record_payment(&self.0, tx, user_id, event.time).await;
        noted.map_err(|error: Error| HandlerError::Retry(error.into()))
    }
}

/// Mails about withdrawals, with or without an account.
pub struct Withdrawals(pub Arc<Context>);

#[async_trait]
impl Handler for Withdrawals {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let (template, id, amount) = if event.r#type == WithdrawalReceived::SUBJECT {
            let message: WithdrawalReceived = event.decode().map_err(reject)?;
            (Template::WithdrawalReceived, message.withdrawal_id, None)
        } else {
            let message: WithdrawalAccepted = event.decode().map_err(reject)?;
            // Nothing is open to a guest. A subscription has an event of its own when it ends.
            if let (true, Ok(user_id)) = (message.subscription_id.is_empty(), message.user_id.parse()) {
                flows::close_order(tx, user_id, &message.order_id, event.time).await?;
            }
            (
                Template::WithdrawalAccepted,
                message.withdrawal_id,
                message.amount,
            )
        };
        let amount = amount.map(Money::try_from).transpose().map_err(reject)?;
        let mail = WithdrawalMail {
            template,
            withdrawal_id: &id,
            lang: event.lang.as_deref(),
            amount,
        };
        Ok(flows::queue_withdrawal_mail(&self.0, tx, mail).await?)
    }
}

pub struct ErasureReports;

#[async_trait]
impl Handler for ErasureReports {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let message: MemberDataErased = event.decode().map_err(reject)?;
        Ok(flows::record_erasure_report(tx, message, event.time).await?)
    }
}

fn reject(error: impl std::fmt::Display) -> HandlerError {
    HandlerError::Reject(error.to_string())
}
