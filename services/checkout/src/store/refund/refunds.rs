//! The refund table. The database rejects refunds beyond the capture, also concurrent ones.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, RefundId};
use crate::domain::refund::{Refund, RefundReason, RefundState};
use crate::store::{StoreError, Stored};

const WITHIN_CAPTURE: &str = "refund_within_capture";

#[derive(sqlx::FromRow)]
struct RefundRow {
    refund_id: RefundId,
    order_id: OrderId,
    payment_id: PaymentId,
    amount_minor: i64,
    currency: String,
    reason: String,
    idempotency_key: String,
    keyed_at: DateTime<Utc>,
    state: String,
    provider_refund_id: Option<String>,
    succeeded_at: Option<DateTime<Utc>>,
    returned_at: Option<DateTime<Utc>>,
    failure_code: Option<String>,
    created_at: DateTime<Utc>,
}

macro_rules! select_refund {
    ($rest:literal) => {
        concat!(
            "select refund_id, order_id, payment_id, amount_minor, currency, reason, idempotency_key, keyed_at,
             state, provider_refund_id, succeeded_at, returned_at, failure_code, created_at
             from refund ",
            $rest
        )
    };
}

impl TryFrom<RefundRow> for Refund {
    type Error = StoreError;

    fn try_from(row: RefundRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("refund", column, row.refund_id);
        let succeeded_at = || row.succeeded_at.ok_or_else(|| wrong("succeeded_at"));
        let state = match row.state.as_str() {
            "intended" => RefundState::Intended,
            "unknown" => RefundState::Unknown,
            "processing" => RefundState::Processing,
            "succeeded" => RefundState::Succeeded { at: succeeded_at()? },
            "failed" => RefundState::Failed {
                code: row.failure_code.clone().ok_or_else(|| wrong("failure_code"))?,
            },
            "returned" => RefundState::Returned {
                given_at: succeeded_at()?,
                at: row.returned_at.ok_or_else(|| wrong("returned_at"))?,
            },
            _ => return Err(wrong("state")),
        };
        let reason = RefundReason::ALL
            .into_iter()
            .find(|reason| reason.name() == row.reason);
        let currency = Currency::parse(&row.currency).map_err(|_| wrong("currency"))?;
        Ok(Self {
            refund_id: row.refund_id,
            order_id: row.order_id,
            payment_id: row.payment_id,
            amount: Money::new(row.amount_minor, currency),
            reason: reason.ok_or_else(|| wrong("reason"))?,
            idempotency_key: row.idempotency_key,
            keyed_at: row.keyed_at,
            state,
            provider_refund_id: row.provider_refund_id,
            created_at: row.created_at,
        })
    }
}

/// The state's columns: when it was given back, when it came back, why it failed.
type StateColumns<'a> = (Option<DateTime<Utc>>, Option<DateTime<Utc>>, Option<&'a str>);

fn columns(state: &RefundState) -> StateColumns<'_> {
    match state {
        RefundState::Intended | RefundState::Unknown | RefundState::Processing => (None, None, None),
        RefundState::Succeeded { at } => (Some(*at), None, None),
        RefundState::Failed { code } => (None, None, Some(code)),
        RefundState::Returned { given_at, at } => (Some(*given_at), Some(*at), None),
    }
}

/// A new refund, always as an intent. `false`: the payment's excess is on its way already, or the provider's refund known.
pub async fn insert_intent(conn: &mut PgConnection, refund: &Refund) -> Stored<bool> {
    let inserted = sqlx::query(
        "insert into refund (refund_id, order_id, payment_id, amount_minor, currency, reason, idempotency_key, keyed_at,
             state, provider_refund_id, created_at, provider)
         values ($1, $2, $3, $4, $5, $6, $7, $8, 'intended', $9, $10,
             (select provider from payment where payment_id = $3)) on conflict do nothing",
    )
    .bind(refund.refund_id)
    .bind(refund.order_id)
    .bind(refund.payment_id)
    .bind(refund.amount.minor)
    .bind(refund.amount.currency.code())
    .bind(refund.reason.name())
    .bind(&refund.idempotency_key)
    .bind(refund.keyed_at)
    .bind(&refund.provider_refund_id)
    .bind(refund.created_at)
    .execute(conn)
    .await
    .map_err(refused)?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn save(conn: &mut PgConnection, refund: &Refund) -> Stored<()> {
    let (succeeded_at, returned_at, failure_code) = columns(&refund.state);
    sqlx::query(
        "update refund
         set state = $2, provider_refund_id = $3, succeeded_at = $4, returned_at = $5, failure_code = $6,
             idempotency_key = $7, keyed_at = $8
         where refund_id = $1",
    )
    .bind(refund.refund_id)
    .bind(refund.state.name())
    .bind(&refund.provider_refund_id)
    .bind(succeeded_at)
    .bind(returned_at)
    .bind(failure_code)
    .bind(&refund.idempotency_key)
    .bind(refund.keyed_at)
    .execute(conn)
    .await
    .map_err(refused)?;
    Ok(())
}

fn refused(error: sqlx::Error) -> StoreError {
    let constraint = error.as_database_error().and_then(|refusal| refusal.constraint());
    if constraint == Some(WITHIN_CAPTURE) {
        StoreError::RefundExceedsCapture
    } else {
        error.into()
    }
}

pub async fn read(conn: &mut PgConnection, refund_id: RefundId) -> Stored<Refund> {
    let row: RefundRow = sqlx::query_as(select_refund!("where refund_id = $1"))
        .bind(refund_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

pub async fn lock(conn: &mut PgConnection, refund_id: RefundId) -> Stored<Refund> {
    let row: RefundRow = sqlx::query_as(select_refund!("where refund_id = $1 for update"))
        .bind(refund_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

/// Earliest first.
pub async fn of_order(conn: &mut PgConnection, order_id: OrderId) -> Stored<Vec<Refund>> {
    let rows: Vec<RefundRow> = sqlx::query_as(select_refund!(
        "where order_id = $1 order by created_at, refund_id"
    ))
    .bind(order_id)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Refund::try_from).collect()
}
