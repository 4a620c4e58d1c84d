//! Paid one-time orders as their buyer sees them.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, PriceId, UserId};
use crate::domain::provider::Provider;
use crate::store::{StoreError, Stored};

#[derive(Debug, Clone)]
pub struct OneTimePurchase {
    pub order_id: OrderId,
    /// As `OrderKind::name`.
    pub kind: String,
    pub product: String,
    pub price_id: PriceId,
    pub price: Money,
    pub provider: Provider,
    pub payment_id: PaymentId,
    pub paid_at: DateTime<Utc>,
    /// Zero where nothing was given back.
    pub refunded: Money,
}

#[derive(sqlx::FromRow)]
struct OneTimePurchaseRow {
    order_id: OrderId,
    kind: String,
    product: String,
    price_id: PriceId,
    amount_minor: i64,
    currency: String,
    provider: String,
    payment_id: PaymentId,
    paid_at: DateTime<Utc>,
    refunded_minor: i64,
}

impl TryFrom<OneTimePurchaseRow> for OneTimePurchase {
    type Error = StoreError;

    fn try_from(row: OneTimePurchaseRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("orders", column, row.order_id);
        let currency = Currency::parse(&row.currency).map_err(|_| wrong("currency"))?;
        Ok(Self {
            provider: Provider::named(&row.provider).ok_or_else(|| wrong("provider"))?,
            order_id: row.order_id,
            kind: row.kind,
            product: row.product,
            price_id: row.price_id,
            price: Money::new(row.amount_minor, currency),
            payment_id: row.payment_id,
            paid_at: row.paid_at,
            refunded: Money::new(row.refunded_minor, currency),
        })
    }
}

/// Newest first.
pub async fn of_member(
    conn: &mut PgConnection,
    user_id: &UserId,
    limit: i64,
) -> Stored<Vec<OneTimePurchase>> {
    let rows: Vec<OneTimePurchaseRow> = sqlx::query_as(
        "select orders.order_id, orders.kind, orders.product, orders.price_id, orders.amount_minor, orders.currency,
             payment.provider, payment.payment_id, orders.paid_at,
             coalesce((
                 select sum(refund.amount_minor) from refund
                 where refund.payment_id = payment.payment_id and refund.state = 'succeeded'), 0)::bigint as refunded_minor
         from orders join payment on payment.payment_id = orders.paid_by
         where orders.user_id = $1 and orders.kind <> 'subscription' and orders.state = 'paid'
         order by orders.paid_at desc, orders.order_id desc limit $2",
    )
    .bind(user_id.as_str())
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(OneTimePurchase::try_from).collect()
}
