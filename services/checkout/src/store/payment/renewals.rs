//! Renewals: rows of the payment table that are always captured.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::payment::renewal::{Renewal, RenewalKind};
use crate::domain::provider::Provider;
use crate::store::{StoreError, Stored};

#[derive(sqlx::FromRow)]
struct RenewalRow {
    payment_id: PaymentId,
    order_id: OrderId,
    subscription_id: SubscriptionId,
    provider: String,
    kind: String,
    provider_invoice_id: String,
    provider_intent_id: Option<String>,
    captured_minor: i64,
    captured_currency: String,
    succeeded_at: DateTime<Utc>,
    period_start: DateTime<Utc>,
    period_end: DateTime<Utc>,
}

impl TryFrom<RenewalRow> for Renewal {
    type Error = StoreError;

    fn try_from(row: RenewalRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("payment", column, row.payment_id);
        let currency = Currency::parse(&row.captured_currency).map_err(|_| wrong("captured_currency"))?;
        Ok(Self {
            payment_id: row.payment_id,
            order_id: row.order_id,
            subscription_id: row.subscription_id,
            provider: Provider::named(&row.provider).ok_or_else(|| wrong("provider"))?,
            kind: RenewalKind::named(&row.kind).ok_or_else(|| wrong("kind"))?,
            provider_invoice_id: row.provider_invoice_id,
            provider_intent_id: row.provider_intent_id,
            captured: Money::new(row.captured_minor, currency),
            at: row.succeeded_at,
            period_start: row.period_start,
            period_end: row.period_end,
        })
    }
}

/// The invoice is its key: an invoice is a renewal once.
pub async fn insert(conn: &mut PgConnection, renewal: &Renewal) -> Stored<()> {
    sqlx::query(
        "insert into payment (payment_id, order_id, subscription_id, attempt, payment_method_id, idempotency_key,
             state, created_at, provider, kind, provider_invoice_id, provider_intent_id, captured_minor,
             captured_currency, succeeded_at, period_start, period_end)
         values ($1, $2, $3, (select count(*) from payment where order_id = $2 and kind <> 'initial') + 1, '', $4,
             'succeeded', $5, $6, $7, $4, $8, $9, $10, $5, $11, $12)",
    )
    .bind(renewal.payment_id)
    .bind(renewal.order_id)
    .bind(renewal.subscription_id)
    .bind(&renewal.provider_invoice_id)
    .bind(renewal.at)
    .bind(renewal.provider.name())
    .bind(renewal.kind.name())
    .bind(&renewal.provider_intent_id)
    .bind(renewal.captured.minor)
    .bind(renewal.captured.currency.code())
    .bind(renewal.period_start)
    .bind(renewal.period_end)
    .execute(conn)
    .await?;
    Ok(())
}

/// Earliest first.
pub async fn of_order(conn: &mut PgConnection, order_id: OrderId) -> Stored<Vec<Renewal>> {
    of_orders(conn, &[order_id]).await
}

/// Of all of them, the earliest first.
pub async fn of_orders(conn: &mut PgConnection, orders: &[OrderId]) -> Stored<Vec<Renewal>> {
    let rows: Vec<RenewalRow> = sqlx::query_as(
        "select payment_id, order_id, subscription_id, provider, kind, provider_invoice_id, provider_intent_id,
             captured_minor, captured_currency, succeeded_at, period_start, period_end
         from payment where order_id = any($1) and kind <> 'initial' order by succeeded_at, payment_id",
    )
    .bind(orders)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Renewal::try_from).collect()
}
