//! Events of withdrawals. They carry no personal data; the mail sender calls `GetWithdrawal`.

use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use proto::events::v1 as events;
use sqlx::PgConnection;

use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::order::Order;
use crate::domain::withdrawal::{Accepted, Withdrawal};
use crate::error::Result;

/// The order that a withdrawal is accepted for.
pub struct WithdrawnOrder<'a> {
    pub order: &'a Order,
    /// `None` where there is no subscription.
    pub subscription_id: Option<SubscriptionId>,
}

pub async fn received(tx: &mut PgConnection, clock: &Clock, withdrawal: &Withdrawal) -> Result<()> {
    let data = events::WithdrawalReceived {
        withdrawal_id: withdrawal.withdrawal_id.to_string(),
        user_id: withdrawal
            .user_id
            .as_ref()
            .map(UserId::to_string)
            .unwrap_or_default(),
        had_reference: !withdrawal.declaration.reference.is_empty(),
        received_at: Some(withdrawal.received_at.into()),
    };
    let draft = NewEvent::new(withdrawal.withdrawal_id, &data)?;
    outbox::append(tx, clock, draft.lang(&withdrawal.declaration.language)).await?;
    Ok(())
}

pub async fn accepted(
    tx: &mut PgConnection,
    clock: &Clock,
    withdrawal: &Withdrawal,
    withdrawn: &WithdrawnOrder<'_>,
    accepted: &Accepted,
) -> Result<()> {
    let data = events::WithdrawalAccepted {
        withdrawal_id: withdrawal.withdrawal_id.to_string(),
        order_id: withdrawn.order.order_id.to_string(),
        user_id: withdrawn.order.user_id.public_id(),
        amount: accepted.refunded.map(Into::into),
        subscription_id: withdrawn
            .subscription_id
            .map(|id| id.to_string())
            .unwrap_or_default(),
    };
    let draft = NewEvent::new(withdrawal.withdrawal_id, &data)?
        .lang(&withdrawal.declaration.language)
        .country(&withdrawn.order.country);
    outbox::append(tx, clock, draft).await?;
    Ok(())
}
