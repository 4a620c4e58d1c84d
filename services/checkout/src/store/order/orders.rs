//! The orders table, which is also the queue of the payment reconciler.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use kit::money::{Currency, Money};
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::domain::ids::{OrderId, PaymentId, PriceId, SubscriptionId, UserId};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::poll_schedule::PollState;
use crate::store::{StoreError, Stored, opens_of};

/// Orders whose payments are reconciled. Orders that are being settled are left for the next round.
pub const QUEUE: DueQueue = kit::due_queue! {
    table: "orders",
    key: "order_id",
    due_at: "next_check_at",
    attempts: "poll_count",
    returning: "order_id",
};

#[derive(sqlx::FromRow)]
pub(in crate::store) struct OrderRow {
    order_id: OrderId,
    kind: String,
    subscription_price_id: Option<PriceId>,
    user_id: String,
    product: String,
    opens: Vec<String>,
    price_id: PriceId,
    amount_minor: i64,
    currency: String,
    trial_days: i32,
    payment_source: String,
    country: String,
    language: String,
    tracking: Json<BTreeMap<String, String>>,
    order_state: String,
    trial_until: Option<DateTime<Utc>>,
    paid_by: Option<PaymentId>,
    paid_at: Option<DateTime<Utc>>,
    abandoned_at: Option<DateTime<Utc>>,
    order_created_at: DateTime<Utc>,
}

macro_rules! order_columns {
    () => {
        "orders.order_id, orders.kind, subscription_price_id, orders.user_id, orders.product, orders.opens, orders.price_id,
         orders.amount_minor, orders.currency, orders.trial_days, payment_source, orders.country, orders.language,
         orders.tracking, orders.state as order_state, trial_until, paid_by, paid_at, abandoned_at,
         orders.created_at as order_created_at"
    };
}

pub(in crate::store) use order_columns;

macro_rules! select_order {
    ($rest:literal) => {
        concat!("select ", order_columns!(), " from orders ", $rest)
    };
}

impl TryFrom<OrderRow> for Order {
    type Error = StoreError;

    fn try_from(row: OrderRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("orders", column, row.order_id);
        let state = match row.order_state.as_str() {
            "open" => OrderState::Open,
            "on_trial" => OrderState::OnTrial {
                until: row.trial_until.ok_or_else(|| wrong("trial_until"))?,
            },
            "paid" => OrderState::Paid {
                by: row.paid_by.ok_or_else(|| wrong("paid_by"))?,
                at: row.paid_at.ok_or_else(|| wrong("paid_at"))?,
            },
            "abandoned" => OrderState::Abandoned {
                at: row.abandoned_at.ok_or_else(|| wrong("abandoned_at"))?,
            },
            _ => return Err(wrong("state")),
        };
        let currency = Currency::parse(&row.currency).map_err(|_| wrong("currency"))?;
        Ok(Self {
            order_id: row.order_id,
            kind: OrderKind::read(&row.kind, row.subscription_price_id).ok_or_else(|| wrong("kind"))?,
            user_id: UserId::parse(&row.user_id).ok_or_else(|| wrong("user_id"))?,
            product: row.product,
            opens: opens_of(&row.opens).ok_or_else(|| wrong("opens"))?,
            price_id: row.price_id,
            amount: Money::new(row.amount_minor, currency),
            trial_days: row.trial_days,
            payment_source: row.payment_source,
            country: row.country,
            language: row.language,
            tracking: row.tracking.0,
            state,
            created_at: row.order_created_at,
        })
    }
}

/// The state's columns.
#[derive(Default)]
struct StateColumns {
    state: &'static str,
    trial_until: Option<DateTime<Utc>>,
    paid_by: Option<PaymentId>,
    paid_at: Option<DateTime<Utc>>,
    abandoned_at: Option<DateTime<Utc>>,
}

impl From<&OrderState> for StateColumns {
    fn from(state: &OrderState) -> Self {
        let none = Self::default();
        match state {
            OrderState::Open => Self {
                state: "open",
                ..none
            },
            OrderState::OnTrial { until } => Self {
                state: "on_trial",
                trial_until: Some(*until),
                ..none
            },
            OrderState::Paid { by, at } => Self {
                state: "paid",
                paid_by: Some(*by),
                paid_at: Some(*at),
                ..none
            },
            OrderState::Abandoned { at } => Self {
                state: "abandoned",
                abandoned_at: Some(*at),
                ..none
            },
        }
    }
}

/// Open, or given up before it began.
pub async fn insert(conn: &mut PgConnection, order: &Order, poll: PollState) -> Stored<()> {
    let state = StateColumns::from(&order.state);
    sqlx::query(
        "insert into orders (order_id, user_id, product, price_id, amount_minor, currency, trial_days,
             payment_source, country, language, tracking, state, created_at, kind, subscription_price_id, abandoned_at,
             opens, next_check_at, poll_count)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
    )
    .bind(order.order_id)
    .bind(order.user_id.as_str())
    .bind(&order.product)
    .bind(order.price_id)
    .bind(order.amount.minor)
    .bind(order.amount.currency.code())
    .bind(order.trial_days)
    .bind(&order.payment_source)
    .bind(&order.country)
    .bind(&order.language)
    .bind(Json(&order.tracking))
    .bind(state.state)
    .bind(order.created_at)
    .bind(order.kind.name())
    .bind(order.kind.subscription_price())
    .bind(state.abandoned_at)
    .bind(order.opens.names())
    .bind(poll.next_check_at)
    .bind(poll.poll_count)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn save(conn: &mut PgConnection, order: &Order, poll: PollState) -> Stored<()> {
    let state = StateColumns::from(&order.state);
    sqlx::query(
        "update orders set state = $2, trial_until = $3, paid_by = $4, paid_at = $5, abandoned_at = $6,
             next_check_at = $7, poll_count = $8
         where order_id = $1",
    )
    .bind(order.order_id)
    .bind(state.state)
    .bind(state.trial_until)
    .bind(state.paid_by)
    .bind(state.paid_at)
    .bind(state.abandoned_at)
    .bind(poll.next_check_at)
    .bind(poll.poll_count)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn save_poll(conn: &mut PgConnection, order_id: OrderId, poll: PollState) -> Stored<()> {
    sqlx::query("update orders set next_check_at = $2, poll_count = $3 where order_id = $1")
        .bind(order_id)
        .bind(poll.next_check_at)
        .bind(poll.poll_count)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn next_check_at(conn: &mut PgConnection, order_id: OrderId) -> Stored<Option<DateTime<Utc>>> {
    let at = sqlx::query_scalar("select next_check_at from orders where order_id = $1")
        .bind(order_id)
        .fetch_one(conn)
        .await?;
    Ok(at)
}

pub async fn lock(conn: &mut PgConnection, order_id: OrderId) -> Stored<Order> {
    let row: OrderRow = sqlx::query_as(select_order!("where order_id = $1 for update"))
        .bind(order_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

/// As [`lock`], for an id that may not exist.
pub async fn find_locked(conn: &mut PgConnection, order_id: OrderId) -> Stored<Option<Order>> {
    let row: Option<OrderRow> = sqlx::query_as(select_order!("where order_id = $1 for update"))
        .bind(order_id)
        .fetch_optional(conn)
        .await?;
    row.map(Order::try_from).transpose()
}

pub async fn read(conn: &mut PgConnection, order_id: OrderId) -> Stored<Order> {
    let row: OrderRow = sqlx::query_as(select_order!("where order_id = $1"))
        .bind(order_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

/// The next of all, by their ids.
pub async fn page(conn: &mut PgConnection, after: Option<OrderId>, limit: i64) -> Stored<Vec<Order>> {
    let rows: Vec<OrderRow> = sqlx::query_as(select_order!(
        "where $1::uuid is null or order_id > $1 order by order_id limit $2"
    ))
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Order::try_from).collect()
}

/// Holds the order's lock until the transaction ends. What is read of it comes afterwards, in a statement that sees what was
/// committed while this one waited.
pub async fn hold(conn: &mut PgConnection, order_id: OrderId) -> Stored<()> {
    sqlx::query("select from orders where order_id = $1 for update")
        .bind(order_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// As [`hold`], with the payment's order. An unknown payment id locks no order.
pub async fn hold_by_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<()> {
    sqlx::query(
        "select from orders where order_id = (select order_id from payment where payment_id = $1) for update",
    )
    .bind(payment_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// The member's order of the product whose subscription has not ended. One statement, so that an order on its way from
/// open to paid is seen as one or the other.
pub async fn find_held(conn: &mut PgConnection, user_id: &UserId, product: &str) -> Stored<Option<OrderId>> {
    let found = sqlx::query_scalar(
        "select order_id from subscription
         where user_id = $1 and product = $2 and state not in ('canceled', 'expired')",
    )
    .bind(user_id.as_str())
    .bind(product)
    .fetch_optional(conn)
    .await?;
    Ok(found)
}

/// Adds where the buyer came from to what is known of it already. `false`: the member has no such subscription, by our id
/// or the provider's.
pub async fn add_tracking(
    conn: &mut PgConnection,
    user_id: &UserId,
    subscription_id: Option<SubscriptionId>,
    provider_subscription_id: &str,
    tracking: &BTreeMap<String, String>,
) -> Stored<bool> {
    let noted = sqlx::query(
        "update orders set tracking = $4::jsonb || tracking
         where user_id = $1 and (
             order_id in (select order_id from subscription where subscription_id = $2)
             or order_id in (select order_id from payment where provider_subscription_id = $3))",
    )
    .bind(user_id.as_str())
    .bind(subscription_id)
    .bind(provider_subscription_id)
    .bind(Json(tracking))
    .execute(conn)
    .await?;
    Ok(noted.rows_affected() > 0)
}
