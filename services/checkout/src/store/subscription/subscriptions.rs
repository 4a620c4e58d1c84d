//! The subscription table, which is also the reconciler's queue.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, SubscriptionId, UserId};
use crate::domain::order::Order;
use crate::domain::provider::Provider;
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::store::{StoreError, Stored};

/// Orders whose payments are reconciled. The order is locked too, as by a settlement: orders that are being settled are
/// left for the next round.
pub const QUEUE: DueQueue = kit::due_queue! {
    table: "subscription",
    key: "order_id",
    due_at: "next_check_at",
    attempts: "poll_count",
    join: "join orders using (order_id)",
    returning: "order_id",
};

#[derive(sqlx::FromRow)]
pub(in crate::store) struct SubscriptionRow {
    subscription_id: SubscriptionId,
    subscription_state: String,
    period_end: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    activated_at: Option<DateTime<Utc>>,
    next_check_at: Option<DateTime<Utc>>,
    poll_count: i32,
    subscription_created_at: DateTime<Utc>,
}

macro_rules! subscription_columns {
    () => {
        "subscription.subscription_id, subscription.state as subscription_state, subscription.period_end, subscription.ended_at,
         activated_at, subscription.next_check_at, subscription.poll_count,
         subscription.created_at as subscription_created_at"
    };
}

pub(in crate::store) use subscription_columns;

macro_rules! select_subscription {
    ($rest:literal) => {
        concat!(
            "select ",
            subscription_columns!(),
            ", order_id from subscription ",
            $rest
        )
    };
}

impl TryFrom<SubscriptionRow> for Subscription {
    type Error = StoreError;

    fn try_from(row: SubscriptionRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("subscription", column, row.subscription_id);
        let end = || row.period_end.ok_or_else(|| wrong("period_end"));
        let ended = || row.ended_at.ok_or_else(|| wrong("ended_at"));
        let state = match row.subscription_state.as_str() {
            "incomplete" => SubscriptionState::Incomplete,
            "trialing" => SubscriptionState::Trialing { until: end()? },
            "active" => SubscriptionState::Active { period_end: end()? },
            "past_due" => SubscriptionState::PastDue { period_end: end()? },
            "canceled" => SubscriptionState::Canceled { at: ended()? },
            "expired" => SubscriptionState::Expired { at: ended()? },
            _ => return Err(wrong("state")),
        };
        Ok(Self {
            subscription_id: row.subscription_id,
            state,
            activated_at: row.activated_at,
            next_check_at: row.next_check_at,
            poll_count: row.poll_count,
            created_at: row.subscription_created_at,
        })
    }
}

fn ended_at(state: &SubscriptionState) -> Option<DateTime<Utc>> {
    match state {
        SubscriptionState::Canceled { at } | SubscriptionState::Expired { at } => Some(*at),
        _ => None,
    }
}

pub async fn insert(conn: &mut PgConnection, order: &Order, subscription: &Subscription) -> Stored<()> {
    sqlx::query(
        "insert into subscription (subscription_id, order_id, user_id, product, state, next_check_at, created_at, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(subscription.subscription_id)
    .bind(order.order_id)
    .bind(order.user_id.as_str())
    .bind(&order.product)
    .bind(subscription.state.name())
    .bind(subscription.next_check_at)
    .bind(subscription.created_at)
    .bind(ended_at(&subscription.state))
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn save(conn: &mut PgConnection, subscription: &Subscription) -> Stored<()> {
    sqlx::query(
        "update subscription
         set state = $2, period_end = $3, ended_at = $4, activated_at = $5, next_check_at = $6, poll_count = $7
         where subscription_id = $1",
    )
    .bind(subscription.subscription_id)
    .bind(subscription.state.name())
    .bind(subscription.state.period_end())
    .bind(ended_at(&subscription.state))
    .bind(subscription.activated_at)
    .bind(subscription.next_check_at)
    .bind(subscription.poll_count)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn of_order(conn: &mut PgConnection, order_id: OrderId) -> Stored<Subscription> {
    let row: SubscriptionRow = sqlx::query_as(select_subscription!("where order_id = $1"))
        .bind(order_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

#[derive(sqlx::FromRow)]
struct OfOrder {
    order_id: OrderId,
    #[sqlx(flatten)]
    subscription: SubscriptionRow,
}

/// In no order.
pub async fn of_orders(
    conn: &mut PgConnection,
    orders: &[OrderId],
) -> Stored<HashMap<OrderId, Subscription>> {
    let rows: Vec<OfOrder> = sqlx::query_as(select_subscription!("where order_id = any($1)"))
        .bind(orders)
        .fetch_all(conn)
        .await?;
    rows.into_iter()
        .map(|row| Ok((row.order_id, row.subscription.try_into()?)))
        .collect()
}

pub async fn find_order(
    conn: &mut PgConnection,
    subscription_id: SubscriptionId,
    user_id: &UserId,
) -> Stored<Option<OrderId>> {
    let found =
        sqlx::query_scalar("select order_id from subscription where subscription_id = $1 and user_id = $2")
            .bind(subscription_id)
            .bind(user_id.as_str())
            .fetch_optional(conn)
            .await?;
    Ok(found)
}

/// Whether the member has one that was paid at an exclusive provider.
pub async fn has_exclusive(conn: &mut PgConnection, user_id: &UserId) -> Stored<bool> {
    let has = sqlx::query_scalar(
        "select exists (
             select from subscription join orders using (order_id) join payment on payment_id = paid_by
             where subscription.user_id = $1 and subscription.state not in ('canceled', 'expired')
                 and payment.provider = any($2))",
    )
    .bind(user_id.as_str())
    .bind(exclusive_providers())
    .fetch_one(conn)
    .await?;
    Ok(has)
}

/// Names, as stored.
fn exclusive_providers() -> Vec<&'static str> {
    Provider::names_with(|capabilities| capabilities.is_exclusive)
}

/// What stands in the way of another.
#[derive(sqlx::FromRow)]
pub struct ExistingSubscriptions {
    /// Of the order of this product whose subscription has not ended. Found in one statement, so that an order on its way from
    /// open to paid is seen as one or the other.
    pub order_id: Option<OrderId>,
    /// The member has one that was paid at an exclusive provider, of any product.
    pub is_exclusive: bool,
}

pub async fn find_existing(
    conn: &mut PgConnection,
    user_id: &UserId,
    product: &str,
) -> Stored<ExistingSubscriptions> {
    let held = sqlx::query_as(
        "with own as (
             select order_id, product from subscription where user_id = $1 and state not in ('canceled', 'expired'))
         select (select order_id from own where product = $2) as order_id,
             exists (
                 select from own join orders using (order_id) join payment on payment_id = paid_by
                 where payment.provider = any($3)) as is_exclusive",
    )
    .bind(user_id.as_str())
    .bind(product)
    .bind(exclusive_providers())
    .fetch_one(conn)
    .await?;
    Ok(held)
}
