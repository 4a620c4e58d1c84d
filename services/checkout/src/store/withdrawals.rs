//! The `withdrawal` table, which is only added to, and what was done about each.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use super::{StoreError, Stored};
use crate::domain::ids::{OrderId, UserId, WithdrawalId};
use crate::domain::withdrawal::{Accepted, Declaration, Withdrawal};

#[derive(sqlx::FromRow)]
struct WithdrawalRow {
    withdrawal_id: WithdrawalId,
    full_name: String,
    email: String,
    reference: String,
    language: String,
    user_id: Option<String>,
    received_at: DateTime<Utc>,
    accepted_at: Option<DateTime<Utc>>,
    order_id: Option<OrderId>,
    refunded_minor: Option<i64>,
    currency: Option<String>,
}

impl WithdrawalRow {
    fn wrong(&self, column: &'static str) -> StoreError {
        StoreError::inconsistent("withdrawal", column, self.withdrawal_id)
    }

    fn accepted(&self) -> Stored<Option<Accepted>> {
        let Some(at) = self.accepted_at else {
            return Ok(None);
        };
        let refunded = match (self.refunded_minor, &self.currency) {
            (Some(minor), Some(currency)) => {
                let currency = Currency::parse(currency).map_err(|_| self.wrong("currency"))?;
                Some(Money::new(minor, currency))
            }
            _ => None,
        };
        Ok(Some(Accepted {
            order_id: self.order_id.ok_or_else(|| self.wrong("order_id"))?,
            at,
            refunded,
        }))
    }
}

impl TryFrom<WithdrawalRow> for Withdrawal {
    type Error = StoreError;

    fn try_from(row: WithdrawalRow) -> Stored<Self> {
        let accepted = row.accepted()?;
        let user_id = match &row.user_id {
            Some(text) => Some(UserId::parse(text).ok_or_else(|| row.wrong("user_id"))?),
            None => None,
        };
        Ok(Self {
            withdrawal_id: row.withdrawal_id,
            declaration: Declaration {
                full_name: row.full_name,
                email: row.email,
                reference: row.reference,
                language: row.language,
            },
            user_id,
            received_at: row.received_at,
            accepted,
        })
    }
}

macro_rules! select_withdrawal {
    ($rest:literal) => {
        concat!(
            "select w.withdrawal_id, full_name, email, reference, language, user_id, received_at, occurred_at as accepted_at,
                 order_id, refunded_minor, currency
             from withdrawal w left join withdrawal_event s on s.withdrawal_id = w.withdrawal_id and kind = 'accepted' ",
            $rest
        )
    };
}

/// With the first line of its audit.
pub async fn insert(conn: &mut PgConnection, withdrawal: &Withdrawal) -> Stored<()> {
    let Withdrawal { declaration, .. } = withdrawal;
    sqlx::query(
        "with declared as (
             insert into withdrawal (withdrawal_id, full_name, email, reference, language, user_id, received_at)
             values ($1, $2, $3, $4, $5, $6, $7) returning withdrawal_id, received_at)
         insert into withdrawal_event (withdrawal_id, kind, occurred_at)
         select withdrawal_id, 'received', received_at from declared",
    )
    .bind(withdrawal.withdrawal_id)
    .bind(&declaration.full_name)
    .bind(&declaration.email)
    .bind(&declaration.reference)
    .bind(&declaration.language)
    .bind(withdrawal.user_id.as_ref().map(UserId::as_str))
    .bind(withdrawal.received_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts one address's declarations; concurrent ones wait.
pub async fn count_since(conn: &mut PgConnection, email: &str, since: DateTime<Utc>) -> Stored<i64> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('withdrawal/' || $1, 0))")
        .bind(email)
        .execute(&mut *conn)
        .await?;
    let count = sqlx::query_scalar("select count(*) from withdrawal where email = $1 and received_at > $2")
        .bind(email)
        .bind(since)
        .fetch_one(conn)
        .await?;
    Ok(count)
}

pub async fn find(conn: &mut PgConnection, id: WithdrawalId) -> Stored<Option<Withdrawal>> {
    let row: Option<WithdrawalRow> = sqlx::query_as(select_withdrawal!("where w.withdrawal_id = $1"))
        .bind(id)
        .fetch_optional(conn)
        .await?;
    row.map(Withdrawal::try_from).transpose()
}

/// Whether a withdrawal from this order was accepted.
pub async fn is_accepted(conn: &mut PgConnection, order_id: OrderId) -> Stored<bool> {
    let accepted = sqlx::query_scalar(
        "select exists (select from withdrawal_event where order_id = $1 and kind = 'accepted')",
    )
    .bind(order_id)
    .fetch_one(conn)
    .await?;
    Ok(accepted)
}

/// Concurrent acceptance and erasure wait.
pub async fn lock(conn: &mut PgConnection, id: WithdrawalId) -> Stored<Option<Withdrawal>> {
    sqlx::query("select from withdrawal where withdrawal_id = $1 for update")
        .bind(id)
        .execute(&mut *conn)
        .await?;
    find(conn, id).await
}

/// Newest first.
pub async fn list(conn: &mut PgConnection, limit: i64) -> Stored<Vec<Withdrawal>> {
    let rows: Vec<WithdrawalRow> = sqlx::query_as(select_withdrawal!(
        "order by received_at desc, w.withdrawal_id desc limit $1"
    ))
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Withdrawal::try_from).collect()
}

/// While they were signed in.
pub async fn of_member(conn: &mut PgConnection, user_id: &UserId) -> Stored<Vec<Withdrawal>> {
    let rows: Vec<WithdrawalRow> = sqlx::query_as(select_withdrawal!(
        "where user_id = $1 order by received_at, w.withdrawal_id"
    ))
    .bind(user_id.as_str())
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Withdrawal::try_from).collect()
}

pub async fn accept(conn: &mut PgConnection, id: WithdrawalId, accepted: &Accepted) -> Stored<()> {
    sqlx::query(
        "insert into withdrawal_event (withdrawal_id, kind, occurred_at, order_id, refunded_minor, currency)
         values ($1, 'accepted', $2, $3, $4, $5)",
    )
    .bind(id)
    .bind(accepted.at)
    .bind(accepted.order_id)
    .bind(accepted.refunded.map(|amount| amount.minor))
    .bind(accepted.refunded.map(|amount| amount.currency.code()))
    .execute(conn)
    .await?;
    Ok(())
}

macro_rules! erase_where {
    ($which:literal) => {
        concat!(
            "with emptied as (
                 update withdrawal set full_name = '', email = '', reference = '', user_id = null
                 where email <> '' and ",
            $which,
            " returning withdrawal_id)
             insert into withdrawal_event (withdrawal_id, kind, occurred_at)
             select withdrawal_id, 'erased', $2 from emptied"
        )
    };
}

/// What they declared while they were signed in, and what was declared with their address.
pub async fn erase_member(conn: &mut PgConnection, user_id: &UserId, now: DateTime<Utc>) -> Stored<()> {
    sqlx::query(erase_where!(
        "(user_id = $1 or email = (select lower(email) from customer where user_id = $1))"
    ))
    .bind(user_id.as_str())
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// `false`: there was nothing left to erase.
pub async fn erase(conn: &mut PgConnection, id: WithdrawalId, now: DateTime<Utc>) -> Stored<bool> {
    let erased = sqlx::query(erase_where!("withdrawal_id = $1"))
        .bind(id)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(erased.rows_affected() == 1)
}
