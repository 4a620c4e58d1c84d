//! Ledger postings. Append-only; the database rejects a transaction that does not sum to zero.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use super::{StoreError, Stored};
use crate::domain::ids::{OrderId, PaymentId, PostingId};
use crate::domain::ledger::{Entry, LedgerAccount, Posting, PostingKind};

/// Idempotent.
pub async fn post(conn: &mut PgConnection, posting: &Posting) -> Stored<()> {
    let entries = &posting.entries;
    let accounts: Vec<String> = entries.iter().map(|entry| entry.account.name()).collect();
    let currencies: Vec<&str> = entries.iter().map(|entry| entry.amount.currency.code()).collect();
    let amounts: Vec<i64> = entries.iter().map(|entry| entry.amount.minor).collect();
    sqlx::query(
        "with booked as (
             insert into ledger_transaction (transaction_id, kind, natural_key, order_id, payment_id, occurred_at)
             values ($1, $2, $3, $4, $5, $6) on conflict (natural_key) do nothing
             returning transaction_id)
         insert into ledger_entry (transaction_id, line, account, currency, amount_minor)
         select transaction_id, line, account, currency, amount_minor
         from booked, unnest($7::text[], $8::text[], $9::bigint[]) with ordinality
             as entry (account, currency, amount_minor, line)",
    )
    .bind(PostingId::new(posting.occurred_at))
    .bind(posting.kind.name())
    .bind(&posting.natural_key)
    .bind(posting.order_id)
    .bind(posting.payment_id)
    .bind(posting.occurred_at)
    .bind(accounts)
    .bind(currencies)
    .bind(amounts)
    .execute(conn)
    .await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct LineRow {
    transaction_id: PostingId,
    kind: String,
    natural_key: String,
    order_id: OrderId,
    payment_id: PaymentId,
    occurred_at: DateTime<Utc>,
    /// Null, like all that follows: a transaction without entries.
    account: Option<String>,
    currency: Option<String>,
    amount_minor: Option<i64>,
}

impl LineRow {
    fn wrong(&self, column: &'static str) -> StoreError {
        StoreError::inconsistent("ledger_entry", column, self.transaction_id)
    }

    fn head(&self) -> Stored<Posting> {
        Ok(Posting {
            kind: PostingKind::named(&self.kind).ok_or_else(|| self.wrong("kind"))?,
            natural_key: self.natural_key.clone(),
            order_id: self.order_id,
            payment_id: self.payment_id,
            occurred_at: self.occurred_at,
            entries: Vec::new(),
        })
    }

    fn entry(&self) -> Stored<Option<Entry>> {
        let (Some(account), Some(currency), Some(minor)) = (&self.account, &self.currency, self.amount_minor)
        else {
            return Ok(None);
        };
        let currency = Currency::parse(currency).map_err(|_| self.wrong("currency"))?;
        Ok(Some(Entry {
            account: LedgerAccount::named(account).ok_or_else(|| self.wrong("account"))?,
            amount: Money::new(minor, currency),
        }))
    }
}

/// Everything booked for the order, earliest first.
pub async fn of_order(conn: &mut PgConnection, order_id: OrderId) -> Stored<Vec<Posting>> {
    let rows: Vec<LineRow> = sqlx::query_as(
        "select transaction_id, kind, natural_key, order_id, payment_id, occurred_at, account, currency, amount_minor
         from ledger_transaction left join ledger_entry using (transaction_id)
         where order_id = $1 order by occurred_at, transaction_id, line",
    )
    .bind(order_id)
    .fetch_all(conn)
    .await?;
    let mut postings = Vec::new();
    for of_booking in rows.chunk_by(|one, other| one.transaction_id == other.transaction_id) {
        let mut posting = match of_booking.first() {
            Some(first) => first.head()?,
            None => continue,
        };
        for row in of_booking {
            posting.entries.extend(row.entry()?);
        }
        postings.push(posting);
    }
    Ok(postings)
}

/// What each account holds in each currency.
pub async fn balances(conn: &mut PgConnection) -> Stored<Vec<(String, String, i64)>> {
    let balances = sqlx::query_as(
        "select account, currency, sum(amount_minor)::bigint from ledger_entry
         group by account, currency order by account, currency",
    )
    .fetch_all(conn)
    .await?;
    Ok(balances)
}
