//! An order with one of its attempts, and with its subscription if it has one: read and written together.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::orders;
use super::orders::{OrderRow, order_columns};
use crate::domain::ids::{OrderId, PaymentId, UserId};
use crate::domain::order::order_attempt::{AttemptStatus, OrderAttempt, blocking_attempt};
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::subscription_state::Subscription;
use crate::store::payment::payments;
use crate::store::payment::payments::{PaymentRow, payment_columns};
use crate::store::subscription::subscriptions;
use crate::store::subscription::subscriptions::{OptionalSubscriptionRow, subscription_columns};
use crate::store::{StoreError, Stored};

/// Which attempt of an order is meant.
#[derive(Debug, Clone, Copy)]
pub enum AttemptSelector {
    /// The one that paid it; until one has, the latest.
    Current,
    /// The one that blocks another attempt.
    Blocking,
    Payment(PaymentId),
}

#[derive(sqlx::FromRow)]
struct AttemptRow {
    order_id: OrderId,
    #[sqlx(flatten)]
    order: OrderRow,
    #[sqlx(flatten)]
    subscription: OptionalSubscriptionRow,
    #[sqlx(flatten)]
    payment: PaymentRow,
    next_check_at: Option<DateTime<Utc>>,
    poll_count: i32,
}

/// A row for each attempt, earliest first. `$which` selects the orders, `$order` sorts them.
macro_rules! select_attempts {
    ($which:literal, $order:literal) => {
        concat!(
            "select ",
            order_columns!(),
            ", ",
            payment_columns!(),
            ", ",
            subscription_columns!(),
            ", orders.next_check_at, orders.poll_count
             from orders left join subscription using (order_id) join payment using (order_id)
             where payment.kind = 'initial' and orders.order_id ",
            $which,
            " order by ",
            $order,
            "attempt"
        )
    };
}

/// Holds the order's lock until the transaction ends: two settlements of one order go one after the other.
pub async fn lock(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<OrderAttempt> {
    orders::hold(conn, order_id).await?;
    read(conn, order_id, which).await
}

/// As [`lock`], of the order this payment is for; with all its attempts, earliest first.
pub async fn lock_payment(
    conn: &mut PgConnection,
    payment_id: PaymentId,
) -> Stored<(OrderAttempt, Vec<Payment>)> {
    orders::hold_by_payment(conn, payment_id).await?;
    of_payment(conn, payment_id).await
}

pub async fn read(
    conn: &mut PgConnection,
    order_id: OrderId,
    which: AttemptSelector,
) -> Stored<OrderAttempt> {
    let rows: Vec<AttemptRow> = sqlx::query_as(select_attempts!("= $1", ""))
        .bind(order_id)
        .fetch_all(conn)
        .await?;
    match assemble(rows, which)? {
        Some((attempt, _)) => Ok(attempt),
        None => Err(StoreError::inconsistent("payment", "order_id", order_id)),
    }
}

pub async fn read_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<OrderAttempt> {
    let (attempt, _) = of_payment(conn, payment_id).await?;
    Ok(attempt)
}

async fn of_payment(conn: &mut PgConnection, payment_id: PaymentId) -> Stored<(OrderAttempt, Vec<Payment>)> {
    let rows: Vec<AttemptRow> = sqlx::query_as(select_attempts!(
        "= (select order_id from payment where payment_id = $1)",
        ""
    ))
    .bind(payment_id)
    .fetch_all(conn)
    .await?;
    match assemble(rows, AttemptSelector::Payment(payment_id))? {
        Some(found) => Ok(found),
        None => Err(StoreError::inconsistent("payment", "order_id", payment_id)),
    }
}

/// The member's subscription orders with their current attempts, the newest first. An abandoned order is left out, unless its
/// subscription had begun.
pub async fn of_member(conn: &mut PgConnection, user_id: &UserId, limit: i64) -> Stored<Vec<OrderAttempt>> {
    let rows: Vec<AttemptRow> = sqlx::query_as(select_attempts!(
        "in (select order_id from orders
             where user_id = $1 and kind = 'subscription' and (state <> 'abandoned' or exists (
                 select from subscription
                 where subscription.order_id = orders.order_id and activated_at is not null))
             order by created_at desc, order_id desc limit $2)",
        "orders.created_at desc, orders.order_id desc, "
    ))
    .bind(user_id.as_str())
    .bind(limit)
    .fetch_all(conn)
    .await?;
    let mut found = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while let Some(first) = rows.next() {
        let order_id = first.order_id;
        let mut of_order = vec![first];
        while let Some(next) = rows.next_if(|row| row.order_id == order_id) {
            of_order.push(next);
        }
        found.extend(assemble(of_order, AttemptSelector::Current)?.map(|(attempt, _)| attempt));
    }
    Ok(found)
}

/// `None`: there is no such order. `rows` are of one order.
fn assemble(rows: Vec<AttemptRow>, which: AttemptSelector) -> Stored<Option<(OrderAttempt, Vec<Payment>)>> {
    let mut head = None;
    let mut attempts: Vec<Payment> = Vec::with_capacity(rows.len());
    for row in rows {
        attempts.push(row.payment.try_into()?);
        let poll = PollState {
            next_check_at: row.next_check_at,
            poll_count: row.poll_count,
        };
        head = Some((row.order, row.subscription.0, poll));
    }
    let Some((order, subscription, poll)) = head else {
        return Ok(None);
    };
    let order: Order = order.try_into()?;
    let subscription = subscription.map(Subscription::try_from).transpose()?;
    let (payment, attempt) = select(&order, &attempts, which)?;
    let found = OrderAttempt {
        order,
        subscription,
        payment,
        attempt,
        poll,
    };
    Ok(Some((found, attempts)))
}

/// `attempts` of this order, earliest first.
fn select(order: &Order, attempts: &[Payment], which: AttemptSelector) -> Stored<(Payment, AttemptStatus)> {
    let latest = attempts.last().map(|payment| payment.payment_id);
    let wanted = match which {
        AttemptSelector::Current => match &order.state {
            OrderState::Paid { by, .. } => Some(*by),
            _ => latest,
        },
        AttemptSelector::Blocking => blocking_attempt(order, attempts),
        AttemptSelector::Payment(payment_id) => Some(payment_id),
    };
    let mut candidates = attempts.iter();
    let Some(payment) = candidates.find(|payment| Some(payment.payment_id) == wanted) else {
        return Err(StoreError::inconsistent("payment", "order_id", order.order_id));
    };
    let attempt = if wanted == latest {
        AttemptStatus::Current
    } else {
        AttemptStatus::Superseded
    };
    Ok((payment.clone(), attempt))
}

pub async fn insert(conn: &mut PgConnection, attempt: &OrderAttempt) -> Stored<()> {
    orders::insert(conn, &attempt.order, attempt.poll).await?;
    if let Some(subscription) = &attempt.subscription {
        subscriptions::insert(conn, &attempt.order, subscription).await?;
    }
    payments::insert_intent(conn, &attempt.payment).await
}

/// Adds an attempt to a stored order, which is polled from `poll` on.
pub async fn insert_retry(conn: &mut PgConnection, payment: &Payment, poll: PollState) -> Stored<()> {
    payments::insert_intent(conn, payment).await?;
    orders::save_poll(conn, payment.order_id, poll).await
}

/// Most results change nothing: only changed rows are written.
pub async fn save_changes(
    conn: &mut PgConnection,
    before: &OrderAttempt,
    after: &OrderAttempt,
) -> Stored<()> {
    if after.payment != before.payment {
        payments::save(conn, &after.payment).await?;
    }
    if after.order.state != before.order.state || after.poll != before.poll {
        orders::save(conn, &after.order, after.poll).await?;
    }
    match &after.subscription {
        Some(subscription) if after.subscription != before.subscription => {
            subscriptions::save(conn, subscription).await
        }
        _ => Ok(()),
    }
}
