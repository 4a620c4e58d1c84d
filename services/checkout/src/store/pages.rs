//! Pages of providers that are open for a member to pay.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::{StoreError, Stored};
use crate::domain::buyer::Buyer;
use crate::domain::ids::{PageId, PriceId, UserId};
use crate::domain::page::{Page, PageState};
use crate::domain::provider::Provider;

#[derive(sqlx::FromRow)]
struct PageRow {
    hosted_checkout_id: PageId,
    user_id: String,
    email: String,
    full_name: String,
    price_id: PriceId,
    provider: String,
    state: String,
    country: String,
    language: String,
    provider_payment_id: Option<String>,
    redirect_url_or_token: Option<String>,
    created_at: DateTime<Utc>,
}

macro_rules! select_page {
    ($rest:literal) => {
        concat!(
            "select hosted_checkout_id, user_id, email, full_name, price_id, provider, state, country, language,
             provider_payment_id, redirect_url_or_token, created_at
             from hosted_checkout ",
            $rest
        )
    };
}

impl TryFrom<PageRow> for Page {
    type Error = StoreError;

    fn try_from(row: PageRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("hosted_checkout", column, row.hosted_checkout_id);
        let state = PageState::ALL.into_iter().find(|state| state.name() == row.state);
        Ok(Self {
            page_id: row.hosted_checkout_id,
            buyer: Buyer {
                user_id: UserId::parse(&row.user_id).ok_or_else(|| wrong("user_id"))?,
                email: row.email,
                full_name: row.full_name,
            },
            price_id: row.price_id,
            provider: Provider::named(&row.provider).ok_or_else(|| wrong("provider"))?,
            state: state.ok_or_else(|| wrong("state"))?,
            country: row.country,
            language: row.language,
            provider_payment_id: row.provider_payment_id,
            handle: row.redirect_url_or_token,
            created_at: row.created_at,
        })
    }
}

pub async fn insert(
    conn: &mut PgConnection,
    page: &Page,
    next_check_at: Option<DateTime<Utc>>,
) -> Stored<()> {
    sqlx::query(
        "insert into hosted_checkout (hosted_checkout_id, user_id, email, full_name, price_id, provider, state, country,
             language, next_check_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(page.page_id)
    .bind(page.buyer.user_id.as_str())
    .bind(&page.buyer.email)
    .bind(&page.buyer.full_name)
    .bind(page.price_id)
    .bind(page.provider.name())
    .bind(page.state.name())
    .bind(&page.country)
    .bind(&page.language)
    .bind(next_check_at)
    .bind(page.created_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// What was opened; a page that is known to be paid or over stays so.
pub async fn save_opened(conn: &mut PgConnection, page: &Page) -> Stored<()> {
    sqlx::query(
        "update hosted_checkout set state = case when state = 'intended' then $2 else state end,
             provider_payment_id = coalesce(provider_payment_id, $3), redirect_url_or_token = $4
         where hosted_checkout_id = $1",
    )
    .bind(page.page_id)
    .bind(page.state.name())
    .bind(&page.provider_payment_id)
    .bind(&page.handle)
    .execute(conn)
    .await?;
    Ok(())
}

/// What was learnt of it. That it is paid stays.
pub async fn save_state(
    conn: &mut PgConnection,
    page: &Page,
    next_check_at: Option<DateTime<Utc>>,
) -> Stored<()> {
    sqlx::query(
        "update hosted_checkout set state = $2, next_check_at = $3
         where hosted_checkout_id = $1 and (state <> 'paid' or $2 = 'paid')",
    )
    .bind(page.page_id)
    .bind(page.state.name())
    .bind(next_check_at)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn find(conn: &mut PgConnection, page_id: PageId) -> Stored<Option<Page>> {
    let row: Option<PageRow> = sqlx::query_as(select_page!("where hosted_checkout_id = $1"))
        .bind(page_id)
        .fetch_optional(conn)
        .await?;
    row.map(Page::try_from).transpose()
}

/// Whoever else takes in what became of it waits until the transaction ends.
pub async fn lock(conn: &mut PgConnection, page_id: PageId) -> Stored<Page> {
    let row: PageRow = sqlx::query_as(select_page!("where hosted_checkout_id = $1 for update"))
        .bind(page_id)
        .fetch_one(conn)
        .await?;
    Page::try_from(row)
}

/// Whether somebody has paid on any of theirs.
pub async fn is_paid(conn: &mut PgConnection, user_id: &UserId) -> Stored<bool> {
    let is_paid = sqlx::query_scalar(
        "select exists (select from hosted_checkout where user_id = $1 and state = 'paid')",
    )
    .bind(user_id.as_str())
    .fetch_one(conn)
    .await?;
    Ok(is_paid)
}

/// The newest that the member was shown for this price; of two made at once, the one that opened.
pub async fn newest(
    conn: &mut PgConnection,
    user_id: &UserId,
    price_id: PriceId,
    provider: Provider,
) -> Stored<Option<Page>> {
    let row: Option<PageRow> = sqlx::query_as(select_page!(
        "where user_id = $1 and price_id = $2 and provider = $3
         order by created_at desc, state = 'open' desc limit 1"
    ))
    .bind(user_id.as_str())
    .bind(price_id)
    .bind(provider.name())
    .fetch_optional(conn)
    .await?;
    row.map(Page::try_from).transpose()
}

/// Takes what is due for `lease`, with how often each was looked at.
pub async fn lease_due(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
    lease: TimeDelta,
    limit: i64,
) -> Stored<Vec<(PageId, i32)>> {
    let leased = sqlx::query_as(
        "update hosted_checkout set next_check_at = $2, poll_count = poll_count + 1
         where hosted_checkout_id in (
             select hosted_checkout_id from hosted_checkout where next_check_at <= $1 order by next_check_at limit $3
             for update skip locked)
         returning hosted_checkout_id, poll_count",
    )
    .bind(now)
    .bind(now + lease)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(leased)
}

/// Not before then, unless nothing more is expected.
pub async fn postpone(conn: &mut PgConnection, page_id: PageId, until: DateTime<Utc>) -> Stored<()> {
    sqlx::query(
        "update hosted_checkout set next_check_at = $2 where hosted_checkout_id = $1 and next_check_at is not null",
    )
    .bind(page_id)
    .bind(until)
    .execute(conn)
    .await?;
    Ok(())
}

/// By then at the latest, unless nothing more is expected.
pub async fn hasten(conn: &mut PgConnection, page_id: PageId, by: DateTime<Utc>) -> Stored<()> {
    sqlx::query(
        "update hosted_checkout set next_check_at = $2 where hosted_checkout_id = $1 and next_check_at > $2",
    )
    .bind(page_id)
    .bind(by)
    .execute(conn)
    .await?;
    Ok(())
}
