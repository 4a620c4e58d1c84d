//! Rows of a member's data export.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::domain::ids::{OrderId, PaymentId, PlaylistId, RefundId, SubscriptionId, SurveyOrderId, UserId};
use crate::domain::provider::{Feature, Provider};
use crate::store::Stored;

#[derive(sqlx::FromRow)]
pub struct CustomerRow {
    pub email: String,
    pub full_name: String,
    pub stripe_customer_id: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// An order with its subscription.
#[derive(sqlx::FromRow)]
pub struct OrderRow {
    pub order_id: OrderId,
    pub product: String,
    pub state: String,
    pub amount_minor: i64,
    pub currency: String,
    pub trial_days: i32,
    pub payment_source: String,
    pub country: String,
    pub language: String,
    pub tracking: Json<BTreeMap<String, String>>,
    pub created_at: DateTime<Utc>,
    pub kind: String,
    /// Absent where the order is paid once.
    pub subscription_id: Option<SubscriptionId>,
    pub subscription_state: Option<String>,
    pub period_end: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub cancel_at: Option<DateTime<Utc>>,
    pub paused_until: Option<DateTime<Utc>>,
    pub card_brand: Option<String>,
    pub card_last4: Option<String>,
    pub overdue_since: Option<DateTime<Utc>>,
    pub coupon_code: Option<String>,
}

#[derive(sqlx::FromRow)]
pub struct PaymentRow {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub state: String,
    pub provider: String,
    pub payment_method_id: String,
    pub provider_subscription_id: Option<String>,
    pub provider_intent_id: Option<String>,
    pub captured_minor: Option<i64>,
    pub captured_currency: Option<String>,
    pub failure_code: Option<String>,
    pub failure_message: Option<String>,
    pub created_at: DateTime<Utc>,
    pub kind: String,
    pub period_start: Option<DateTime<Utc>>,
    pub period_end: Option<DateTime<Utc>>,
}

/// What they wanted of a subscription.
#[derive(sqlx::FromRow)]
pub struct ChangeRow {
    pub subscription_id: SubscriptionId,
    pub kind: String,
    pub state: String,
    pub refusal_code: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// What is charged by us of a subscription.
#[derive(sqlx::FromRow)]
pub struct BillingRow {
    pub subscription_id: SubscriptionId,
    pub provider: String,
    pub payment_method_id: Option<String>,
    pub payment_method_expires_at: Option<DateTime<Utc>>,
    pub card_brand: Option<String>,
    pub card_last4: Option<String>,
    pub period_months: i32,
    pub paid_until: DateTime<Utc>,
    pub resumes_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// One time the provider was asked for a period of it.
#[derive(sqlx::FromRow)]
pub struct ChargeRow {
    pub subscription_id: SubscriptionId,
    pub amount_minor: i64,
    pub currency: String,
    pub period_start: DateTime<Utc>,
    pub period_end: DateTime<Utc>,
    pub state: String,
    pub requested_at: DateTime<Utc>,
    pub provider_payment_id: Option<String>,
    pub decline_code: Option<String>,
}

#[derive(sqlx::FromRow)]
pub struct RefundRow {
    pub refund_id: RefundId,
    pub order_id: OrderId,
    pub payment_id: PaymentId,
    pub amount_minor: i64,
    pub currency: String,
    pub reason: String,
    pub state: String,
    pub provider_refund_id: Option<String>,
    pub failure_code: Option<String>,
    pub succeeded_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
pub struct SurveyOrderRow {
    pub survey_order_id: SurveyOrderId,
    pub flow: i32,
    pub variant: i32,
    pub ab_group: Option<String>,
    pub product_type: String,
    pub language: String,
    pub country: String,
    pub tracking: Json<BTreeMap<String, String>>,
    pub created_at: DateTime<Utc>,
    pub program: Option<String>,
    pub playlist_id: Option<PlaylistId>,
    /// Question → options; empty where the member has not shown that the answers are theirs.
    pub answers: Json<BTreeMap<String, Vec<String>>>,
}

#[derive(sqlx::FromRow)]
pub struct NotificationRow {
    pub kind: String,
    pub body: Vec<u8>,
    pub received_at: DateTime<Utc>,
}

pub async fn customer(conn: &mut PgConnection, user_id: &UserId) -> Stored<Option<CustomerRow>> {
    let found = sqlx::query_as(
        "select email, full_name, stripe_customer_id, created_at from customer where user_id = $1",
    )
    .bind(user_id.as_str())
    .fetch_optional(conn)
    .await?;
    Ok(found)
}

pub async fn orders(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<OrderRow>> {
    let found = sqlx::query_as(
        "select o.order_id, o.product, o.state, o.amount_minor, o.currency, o.trial_days, o.payment_source, o.country,
             o.language, o.tracking, o.created_at, o.kind, s.subscription_id, s.state as subscription_state, s.period_end,
             s.ended_at, l.cancel_at, l.paused_until, l.card_brand, l.card_last4, l.overdue_since, c.code as coupon_code
         from orders o left join subscription s using (order_id) left join billing_state l using (subscription_id)
             left join coupon_claim c using (order_id) where o.user_id = $1 order by o.created_at, o.order_id",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn payments(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<PaymentRow>> {
    let found = sqlx::query_as(
        "select p.payment_id, p.order_id, p.state, p.provider, p.payment_method_id,
             p.provider_subscription_id, p.provider_intent_id, p.captured_minor, p.captured_currency, p.failure_code, p.failure_message,
             p.kind, p.period_start, p.period_end,
             p.created_at
         from payment p join orders o using (order_id) where o.user_id = $1 order by p.order_id, p.attempt",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn changes(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<ChangeRow>> {
    let found = sqlx::query_as(
        "select change.subscription_id, change.kind, change.state, change.refusal_code, change.created_at
         from subscription_change change join subscription using (subscription_id) where user_id = $1
         order by change.created_at, change.change_id",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn billings(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<BillingRow>> {
    let found = sqlx::query_as(
        "select b.subscription_id, b.provider, b.payment_method_id, b.payment_method_expires_at, b.card_brand, b.card_last4,
             b.period_months, b.paid_until, b.resumes_at, b.ended_at
         from merchant_schedule b join subscription using (subscription_id) where user_id = $1 order by b.subscription_id",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn charges(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<ChargeRow>> {
    let found = sqlx::query_as(
        "select c.subscription_id, c.amount_minor, c.currency, c.period_start, c.period_end, t.state, t.requested_at,
             t.provider_payment_id, t.decline_code
         from charge_attempt t join charge c using (charge_id) join subscription using (subscription_id)
         where user_id = $1 order by t.requested_at, t.attempt_key",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn refunds(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<RefundRow>> {
    let found = sqlx::query_as(
        "select r.refund_id, r.order_id, r.payment_id, r.amount_minor, r.currency, r.reason, r.state,
             r.provider_refund_id, r.failure_code, r.succeeded_at, r.created_at
         from refund r join orders o using (order_id) where o.user_id = $1 order by r.created_at, r.refund_id",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn survey_orders(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<SurveyOrderRow>> {
    let found = sqlx::query_as(
        "select survey_order_id, flow, variant, ab_group, product_type, language, country, tracking, created_at,
             case when is_owner_verified then program end as program, playlist_id,
             coalesce((select jsonb_object_agg(question, to_jsonb(options)) from survey_answer
                 where survey_answer.survey_order_id = survey_order.survey_order_id and survey_order.is_owner_verified),
                 '{}') as answers
         from survey_order where user_id = $1 order by created_at, survey_order_id",
    )
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    Ok(found)
}

pub async fn notifications(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<NotificationRow>> {
    let found = sqlx::query_as(
        "select kind, body, received_at from webhook_event
         where provider_customer_id = (select stripe_customer_id from customer where user_id = $1)
             or (provider <> all($2) and provider_object_id in (
                 select unnest(array[provider_subscription_id, provider_intent_id])
                 from payment join orders using (order_id) where orders.user_id = $1
                 union select provider_payment_id from hosted_checkout where user_id = $1))
         order by received_at, event_id",
    )
    .bind(user_id.as_str())
    .bind(Provider::names_with(Feature::Customers))
    .fetch_all(conn)
    .await?;
    Ok(found)
}
