//! Erases a member's data: deletes what bookkeeping does not need, and anonymises the rest.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, SurveyOrderId, UserId};
use crate::domain::provider::{Feature, Provider};
use crate::store::Stored;

/// Those with a subscription.
pub async fn orders(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<OrderId>> {
    let found = sqlx::query_scalar(
        "select order_id from orders where user_id = $1 and kind = 'subscription' order by created_at, order_id",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

/// Those that are paid once.
pub async fn one_time_orders(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<OrderId>> {
    let found = sqlx::query_scalar(
        "select order_id from orders where user_id = $1 and kind <> 'subscription' order by created_at, order_id",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

/// Called before dependent rows are locked, in the same order as settlement and synchronization, to avoid deadlocks.
/// Returns whether there are any.
pub async fn lock_orders(conn: &mut PgConnection, user_id: &UserId) -> Stored<bool> {
    let locked: Vec<OrderId> =
        sqlx::query_scalar("select order_id from orders where user_id = $1 order by order_id for update")
            .bind(user_id.as_str())
            .fetch_all(conn)
            .await?;
    Ok(!locked.is_empty())
}

/// Nothing of theirs is charged, asked for or open any more.
pub async fn close_open(conn: &mut PgConnection, user_id: &UserId, now: DateTime<Utc>) -> Stored<()> {
    sqlx::query(
        "update payment set state = 'canceled', client_secret = null, deferred_until = null
         from orders where payment.order_id = orders.order_id and orders.user_id = $1 and payment.state in
             ('intended', 'unknown', 'processing', 'requires_action', 'requires_setup', 'deferred')",
    )
    .bind(user_id.as_str())
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "update orders set next_check_at = null from subscription
         where subscription.order_id = orders.order_id and orders.user_id = $1
             and subscription.state not in ('canceled', 'expired')",
    )
    .bind(user_id.as_str())
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "update subscription set state = 'expired', ended_at = $2
         where user_id = $1 and state not in ('canceled', 'expired')",
    )
    .bind(user_id.as_str())
    .bind(now)
    .execute(&mut *conn)
    .await?;
    sqlx::query(
        "update orders set state = 'abandoned', abandoned_at = $2, next_check_at = null
         where user_id = $1 and state in ('open', 'on_trial')",
    )
    .bind(user_id.as_str())
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Replaces the member's id by `anonymized` and empties personal data. Amounts, days, products, countries and the
/// provider ids of postings stay.
pub async fn anonymize(conn: &mut PgConnection, user_id: &UserId, anonymized: &UserId) -> Stored<()> {
    let (member, anonymized) = (user_id.as_str(), anonymized.as_str());
    run(
        conn,
        "insert into customer (user_id, email, full_name, created_at)
         select $2, '', '', created_at from customer where user_id = $1",
        &[member, anonymized],
    )
    .await?;
    run(
        conn,
        "update payment set payment_method_id = '', failure_message = left(failure_message, 0)
         from orders where payment.order_id = orders.order_id and orders.user_id = $1",
        &[member],
    )
    .await?;
    run(
        conn,
        "update subscription set user_id = $2 where user_id = $1",
        &[member, anonymized],
    )
    .await?;
    run(
        conn,
        "update orders set user_id = $2, language = '', tracking = '{}' where user_id = $1",
        &[member, anonymized],
    )
    .await?;
    // They may still be paid: the rows stay, for what comes in to go back.
    run(
        conn,
        "update hosted_checkout set user_id = $2, email = '', full_name = '', language = ''
         where user_id = $1 or (user_id like 'guest\\_%'
             and email = (select email from customer where user_id = $1 and email <> ''))",
        &[member, anonymized],
    )
    .await?;
    // What they bought as a guest, by the address they wrote beside the card.
    run(
        conn,
        "update customer set email = '', full_name = '' where user_id like 'guest\\_%'
             and email = (select email from customer where user_id = $1 and email <> '')",
        &[member],
    )
    .await?;
    run(conn, "delete from customer where user_id = $1", &[member]).await
}

async fn run(conn: &mut PgConnection, statement: &'static str, values: &[&str]) -> Stored<()> {
    let query = values
        .iter()
        .fold(sqlx::query(statement), |query, value| query.bind(*value));
    query.execute(conn).await?;
    Ok(())
}

pub async fn delete_survey_orders(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<SurveyOrderId>> {
    let deleted = sqlx::query_scalar("delete from survey_order where user_id = $1 returning survey_order_id")
        .bind(user_id.as_str())
        .fetch_all(conn)
        .await?;
    Ok(deleted)
}

/// The rows stay: they are the guard against applying one event twice.
pub async fn empty_notifications(conn: &mut PgConnection, provider_customer_id: &str) -> Stored<()> {
    sqlx::query(
        "update webhook_event set body = '', provider_customer_id = null where provider_customer_id = $1",
    )
    .bind(provider_customer_id)
    .execute(conn)
    .await?;
    Ok(())
}

/// The ids of the member's payments at providers that store no customers.
pub async fn other_provider_ids(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<String>> {
    let found = sqlx::query_scalar(
        "select provider_subscription_id from payment join orders using (order_id)
         where orders.user_id = $1 and provider <> all($2) and provider_subscription_id is not null
         union
         select provider_intent_id from payment join orders using (order_id)
         where orders.user_id = $1 and provider <> all($2) and provider_intent_id is not null
         union
         select provider_payment_id from hosted_checkout where user_id = $1 and provider_payment_id is not null
         union
         select provider_payment_id
         from charge_attempt join charge using (charge_id) join subscription using (subscription_id)
         where user_id = $1 and provider_payment_id is not null",
    )
    .bind(user_id.as_str())
    .bind(Provider::names_with(Feature::Customers))
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn empty_notifications_about(conn: &mut PgConnection, subjects: &[String]) -> Stored<()> {
    sqlx::query(
        "update webhook_event set body = '', provider_customer_id = null
         where provider <> all($2) and provider_object_id = any($1)",
    )
    .bind(subjects)
    .bind(Provider::names_with(Feature::Customers))
    .execute(conn)
    .await?;
    Ok(())
}
