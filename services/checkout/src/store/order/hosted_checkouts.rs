//! Hosted checkout sessions.

use chrono::{DateTime, Utc};
use kit::due_queue::DueQueue;
use sqlx::PgConnection;

use crate::domain::ids::{HostedCheckoutId, PriceId, UserId};
use crate::domain::order::buyer::Buyer;
use crate::domain::order::hosted_checkout::{HostedCheckout, HostedCheckoutState};
use crate::domain::provider::Provider;
use crate::store::{StoreError, Stored};

/// Open sessions to be polled, with their poll counts.
pub const QUEUE: DueQueue = kit::due_queue! {
    table: "hosted_checkout",
    key: "hosted_checkout_id",
    due_at: "next_check_at",
    attempts: "poll_count",
    returning: "hosted_checkout_id, poll_count",
};

#[derive(sqlx::FromRow)]
struct HostedCheckoutRow {
    hosted_checkout_id: HostedCheckoutId,
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

macro_rules! select_hosted_checkout {
    ($rest:literal) => {
        concat!(
            "select hosted_checkout_id, user_id, email, full_name, price_id, provider, state, country, language,
             provider_payment_id, redirect_url_or_token, created_at
             from hosted_checkout ",
            $rest
        )
    };
}

impl TryFrom<HostedCheckoutRow> for HostedCheckout {
    type Error = StoreError;

    fn try_from(row: HostedCheckoutRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("hosted_checkout", column, row.hosted_checkout_id);
        let state = HostedCheckoutState::ALL
            .into_iter()
            .find(|state| state.name() == row.state);
        Ok(Self {
            hosted_checkout_id: row.hosted_checkout_id,
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
            redirect_url_or_token: row.redirect_url_or_token,
            created_at: row.created_at,
        })
    }
}

pub async fn insert(
    conn: &mut PgConnection,
    page: &HostedCheckout,
    next_check_at: Option<DateTime<Utc>>,
) -> Stored<()> {
    sqlx::query(
        "insert into hosted_checkout (hosted_checkout_id, user_id, email, full_name, price_id, provider, state, country,
             language, next_check_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(page.hosted_checkout_id)
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
pub async fn save_opened(conn: &mut PgConnection, page: &HostedCheckout) -> Stored<()> {
    sqlx::query(
        "update hosted_checkout set state = case when state = 'intended' then $2 else state end,
             provider_payment_id = coalesce(provider_payment_id, $3), redirect_url_or_token = $4
         where hosted_checkout_id = $1",
    )
    .bind(page.hosted_checkout_id)
    .bind(page.state.name())
    .bind(&page.provider_payment_id)
    .bind(&page.redirect_url_or_token)
    .execute(conn)
    .await?;
    Ok(())
}

/// What was learnt of it. That it is paid stays.
pub async fn save_state(
    conn: &mut PgConnection,
    page: &HostedCheckout,
    next_check_at: Option<DateTime<Utc>>,
) -> Stored<()> {
    sqlx::query(
        "update hosted_checkout set state = $2, next_check_at = $3
         where hosted_checkout_id = $1 and (state <> 'paid' or $2 = 'paid')",
    )
    .bind(page.hosted_checkout_id)
    .bind(page.state.name())
    .bind(next_check_at)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn find(conn: &mut PgConnection, page_id: HostedCheckoutId) -> Stored<Option<HostedCheckout>> {
    let row: Option<HostedCheckoutRow> =
        sqlx::query_as(select_hosted_checkout!("where hosted_checkout_id = $1"))
            .bind(page_id)
            .fetch_optional(conn)
            .await?;
    row.map(HostedCheckout::try_from).transpose()
}

/// Locks the session until the transaction ends.
pub async fn lock(conn: &mut PgConnection, page_id: HostedCheckoutId) -> Stored<HostedCheckout> {
    let row: HostedCheckoutRow = sqlx::query_as(select_hosted_checkout!(
        "where hosted_checkout_id = $1 for update"
    ))
    .bind(page_id)
    .fetch_one(conn)
    .await?;
    HostedCheckout::try_from(row)
}

/// Whether any of the user's sessions is paid.
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
) -> Stored<Option<HostedCheckout>> {
    let row: Option<HostedCheckoutRow> = sqlx::query_as(select_hosted_checkout!(
        "where user_id = $1 and price_id = $2 and provider = $3
         order by created_at desc, state = 'open' desc limit 1"
    ))
    .bind(user_id.as_str())
    .bind(price_id)
    .bind(provider.name())
    .fetch_optional(conn)
    .await?;
    row.map(HostedCheckout::try_from).transpose()
}

/// By then at the latest, unless nothing more is expected.
pub async fn schedule_by(
    conn: &mut PgConnection,
    page_id: HostedCheckoutId,
    by: DateTime<Utc>,
) -> Stored<()> {
    sqlx::query(
        "update hosted_checkout set next_check_at = $2 where hosted_checkout_id = $1 and next_check_at > $2",
    )
    .bind(page_id)
    .bind(by)
    .execute(conn)
    .await?;
    Ok(())
}
