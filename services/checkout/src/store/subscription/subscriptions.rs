//! The subscription table.

use chrono::{DateTime, Utc};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, PgConnection, Row};

use crate::domain::ids::{OrderId, SubscriptionId, UserId};
use crate::domain::order::Order;
use crate::domain::provider::{Feature, Provider};
use crate::domain::subscription_state::{Subscription, SubscriptionState};
use crate::store::{StoreError, Stored};

#[derive(sqlx::FromRow)]
pub(in crate::store) struct SubscriptionRow {
    subscription_id: SubscriptionId,
    subscription_state: String,
    period_end: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    activated_at: Option<DateTime<Utc>>,
    subscription_created_at: DateTime<Utc>,
}

macro_rules! subscription_columns {
    () => {
        "subscription.subscription_id, subscription.state as subscription_state, subscription.period_end, subscription.ended_at,
         activated_at, subscription.created_at as subscription_created_at"
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

/// The subscription of an order. `None`: a one-time order.
pub(in crate::store) struct OptionalSubscriptionRow(pub Option<SubscriptionRow>);

impl<'r> FromRow<'r, PgRow> for OptionalSubscriptionRow {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let state: Option<String> = row.try_get("subscription_state")?;
        let found = state.map(|_| SubscriptionRow::from_row(row)).transpose()?;
        Ok(Self(found))
    }
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
        "insert into subscription (subscription_id, order_id, user_id, product, state, created_at, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(subscription.subscription_id)
    .bind(order.order_id)
    .bind(order.user_id.as_str())
    .bind(&order.product)
    .bind(subscription.state.name())
    .bind(subscription.created_at)
    .bind(ended_at(&subscription.state))
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn save(conn: &mut PgConnection, subscription: &Subscription) -> Stored<()> {
    sqlx::query(
        "update subscription
         set state = $2, period_end = $3, ended_at = $4, activated_at = $5
         where subscription_id = $1",
    )
    .bind(subscription.subscription_id)
    .bind(subscription.state.name())
    .bind(subscription.state.period_end())
    .bind(ended_at(&subscription.state))
    .bind(subscription.activated_at)
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
    Provider::names_with(Feature::ExclusiveSubscription)
}

/// What blocks another subscription.
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
