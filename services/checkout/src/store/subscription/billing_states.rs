//! The `billing_state` table: what is known of a subscription after its first payment, and the queue of those who look
//! after it.

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, PriceId, SubscriptionId, UserId};
use crate::domain::subscription::billing_state::{BillingState, Card, NextPlan};
use crate::domain::subscription::dunning::Dunning;
use crate::store::{StoreError, Stored};

/// Subscriptions to be synced.
pub const QUEUE: DueQueue = kit::due_queue! {
    table: "billing_state",
    key: "subscription_id",
    due_at: "due_at",
    attempts: "sync_attempts",
    returning: "subscription_id,
        (select order_id from subscription where subscription.subscription_id = leased.subscription_id)",
};

#[derive(sqlx::FromRow)]
struct BillingStateRow {
    subscription_id: SubscriptionId,
    due_at: Option<DateTime<Utc>>,
    sync_attempts: i32,
    cancel_at: Option<DateTime<Utc>>,
    paused_until: Option<DateTime<Utc>>,
    card_brand: Option<String>,
    card_last4: Option<String>,
    plan_price_id: Option<PriceId>,
    next_plan_price_id: Option<PriceId>,
    next_plan_provider_price_id: Option<String>,
    next_plan_starts_at: Option<DateTime<Utc>>,
    overdue_invoice_id: Option<String>,
    overdue_minor: Option<i64>,
    overdue_currency: Option<String>,
    overdue_since: Option<DateTime<Utc>>,
    grace_until: Option<DateTime<Utc>>,
    decline_code: Option<String>,
    attempts: i32,
    next_attempt_at: Option<DateTime<Utc>>,
    attempt_key: Option<String>,
    auto_advance_disabled: bool,
    pause_emitted_at: Option<DateTime<Utc>>,
    trial_emitted_at: Option<DateTime<Utc>>,
    ended_emitted_at: Option<DateTime<Utc>>,
}

macro_rules! select_billing_state {
    ($rest:literal) => {
        concat!(
            "select subscription_id, due_at, sync_attempts, cancel_at, paused_until, card_brand, card_last4, plan_price_id,
             next_plan_price_id, next_plan_provider_price_id, next_plan_starts_at, overdue_invoice_id, overdue_minor,
             overdue_currency, overdue_since, grace_until, decline_code, attempts, next_attempt_at, attempt_key,
             auto_advance_disabled, pause_emitted_at, trial_emitted_at, ended_emitted_at
             from billing_state ",
            $rest
        )
    };
}

impl BillingStateRow {
    fn dunning(&self) -> Stored<Option<Dunning>> {
        let wrong = |column| StoreError::inconsistent("billing_state", column, self.subscription_id);
        let Some(provider_invoice_id) = self.overdue_invoice_id.clone() else {
            return Ok(None);
        };
        let currency = self
            .overdue_currency
            .as_deref()
            .ok_or_else(|| wrong("overdue_currency"))?;
        let currency = Currency::parse(currency).map_err(|_| wrong("overdue_currency"))?;
        Ok(Some(Dunning {
            provider_invoice_id,
            amount: Money::new(
                self.overdue_minor.ok_or_else(|| wrong("overdue_minor"))?,
                currency,
            ),
            since: self.overdue_since.ok_or_else(|| wrong("overdue_since"))?,
            grace_until: self.grace_until.ok_or_else(|| wrong("grace_until"))?,
            decline_code: self.decline_code.clone().ok_or_else(|| wrong("decline_code"))?,
            attempts: self.attempts,
            next_attempt_at: self.next_attempt_at,
            attempt_key: self.attempt_key.clone(),
            auto_advance_disabled: self.auto_advance_disabled,
        }))
    }

    fn next_plan(&self) -> Option<NextPlan> {
        Some(NextPlan {
            price_id: self.next_plan_price_id?,
            provider_price_id: self.next_plan_provider_price_id.clone()?,
            starts_at: self.next_plan_starts_at?,
        })
    }
}

impl TryFrom<BillingStateRow> for BillingState {
    type Error = StoreError;

    fn try_from(row: BillingStateRow) -> Stored<Self> {
        let dunning = row.dunning()?;
        let next_plan = row.next_plan();
        let card = row
            .card_brand
            .zip(row.card_last4)
            .map(|(brand, last4)| Card { brand, last4 });
        Ok(Self {
            subscription_id: row.subscription_id,
            due_at: row.due_at,
            sync_attempts: row.sync_attempts,
            cancel_at: row.cancel_at,
            paused_until: row.paused_until,
            card,
            plan_price_id: row.plan_price_id,
            next_plan,
            dunning,
            pause_emitted_at: row.pause_emitted_at,
            trial_end_emitted_at: row.trial_emitted_at,
            ended_emitted_at: row.ended_emitted_at,
        })
    }
}

/// From the first payment or trial on.
pub async fn begin(conn: &mut PgConnection, subscription_id: SubscriptionId) -> Stored<()> {
    sqlx::query(
        "insert into billing_state (subscription_id, due_at) values ($1, 'epoch')
         on conflict (subscription_id) do nothing",
    )
    .bind(subscription_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Sets the next sync to now. No effect on an inactive subscription, or one that is due already.
pub async fn schedule_now(conn: &mut PgConnection, order_id: OrderId) -> Stored<()> {
    sqlx::query(
        "update billing_state billing set due_at = 'epoch', sync_attempts = 0
         from subscription where subscription.subscription_id = billing.subscription_id and order_id = $1
             and (due_at is distinct from 'epoch' or sync_attempts <> 0)",
    )
    .bind(order_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// Leases one subscription that is due now. `None`: it is not due.
pub async fn lease(
    conn: &mut PgConnection,
    subscription_id: SubscriptionId,
    until: DateTime<Utc>,
) -> Stored<Option<DateTime<Utc>>> {
    let leased = sqlx::query_scalar(
        "update billing_state set due_at = $2 where subscription_id = $1 and due_at = 'epoch' returning due_at",
    )
    .bind(subscription_id)
    .bind(until)
    .fetch_optional(conn)
    .await?;
    Ok(leased)
}

pub async fn find(conn: &mut PgConnection, subscription_id: SubscriptionId) -> Stored<Option<BillingState>> {
    let row: Option<BillingStateRow> = sqlx::query_as(select_billing_state!("where subscription_id = $1"))
        .bind(subscription_id)
        .fetch_optional(conn)
        .await?;
    row.map(BillingState::try_from).transpose()
}

/// In no order.
pub async fn of_subscriptions(conn: &mut PgConnection, ids: &[SubscriptionId]) -> Stored<Vec<BillingState>> {
    let rows: Vec<BillingStateRow> = sqlx::query_as(select_billing_state!("where subscription_id = any($1)"))
        .bind(ids)
        .fetch_all(conn)
        .await?;
    rows.into_iter().map(BillingState::try_from).collect()
}

pub async fn lock(conn: &mut PgConnection, subscription_id: SubscriptionId) -> Stored<Option<BillingState>> {
    let row: Option<BillingStateRow> =
        sqlx::query_as(select_billing_state!("where subscription_id = $1 for update"))
            .bind(subscription_id)
            .fetch_optional(conn)
            .await?;
    row.map(BillingState::try_from).transpose()
}

pub async fn save(conn: &mut PgConnection, billing: &BillingState) -> Stored<()> {
    let dunning = billing.dunning.as_ref();
    let next_plan = billing.next_plan.as_ref();
    sqlx::query(
        "update billing_state
         set due_at = $2, sync_attempts = $3, cancel_at = $4, paused_until = $5, card_brand = $6, card_last4 = $7,
             overdue_invoice_id = $8, overdue_minor = $9, overdue_currency = $10, overdue_since = $11,
             grace_until = $12, decline_code = $13, attempts = $14, next_attempt_at = $15, attempt_key = $16,
             auto_advance_disabled = $17, pause_emitted_at = $18, trial_emitted_at = $19, ended_emitted_at = $20, plan_price_id = $21,
             next_plan_price_id = $22, next_plan_provider_price_id = $23, next_plan_starts_at = $24
         where subscription_id = $1",
    )
    .bind(billing.subscription_id)
    .bind(billing.due_at)
    .bind(billing.sync_attempts)
    .bind(billing.cancel_at)
    .bind(billing.paused_until)
    .bind(billing.card.as_ref().map(|card| &card.brand))
    .bind(billing.card.as_ref().map(|card| &card.last4))
    .bind(dunning.map(|dunning| &dunning.provider_invoice_id))
    .bind(dunning.map(|dunning| dunning.amount.minor))
    .bind(dunning.map(|dunning| dunning.amount.currency.code()))
    .bind(dunning.map(|dunning| dunning.since))
    .bind(dunning.map(|dunning| dunning.grace_until))
    .bind(dunning.map(|dunning| &dunning.decline_code))
    .bind(dunning.map_or(0, |dunning| dunning.attempts))
    .bind(dunning.and_then(|dunning| dunning.next_attempt_at))
    .bind(dunning.and_then(|dunning| dunning.attempt_key.as_ref()))
    .bind(dunning.is_some_and(|dunning| dunning.auto_advance_disabled))
    .bind(billing.pause_emitted_at)
    .bind(billing.trial_end_emitted_at)
    .bind(billing.ended_emitted_at)
    .bind(billing.plan_price_id)
    .bind(next_plan.map(|next| next.price_id))
    .bind(next_plan.map(|next| &next.provider_price_id))
    .bind(next_plan.map(|next| next.starts_at))
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the billing states of a member.
pub async fn erase(conn: &mut PgConnection, user_id: &UserId) -> Stored<()> {
    for statement in [
        "delete from subscription_change using subscription
         where subscription.subscription_id = subscription_change.subscription_id and user_id = $1",
        "delete from billing_state using subscription
         where subscription.subscription_id = billing_state.subscription_id and user_id = $1",
    ] {
        sqlx::query(statement)
            .bind(user_id.as_str())
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}

/// Whether the payment is a renewal.
pub async fn is_renewal(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<bool> {
    let is_renewal =
        sqlx::query_scalar("select exists (select from payment where payment_id = $1 and kind <> 'initial')")
            .bind(payment_id)
            .fetch_one(conn)
            .await?;
    Ok(is_renewal)
}
