//! The price table. Terms never change: another amount is another row.

use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use sqlx::PgConnection;

use crate::domain::ids::{CampaignId, PriceId};
use crate::domain::pricing::campaign::{PriceKind, Terms};
use crate::domain::pricing::catalogue::Price;
use crate::store::{StoreError, Stored, opens_of};

#[derive(sqlx::FromRow)]
struct PriceRow {
    price_id: PriceId,
    campaign_id: CampaignId,
    campaign: String,
    kind: String,
    coupon_code: String,
    country: String,
    currency: String,
    amount_minor: i64,
    list_minor: i64,
    product: String,
    opens: Vec<String>,
    period_months: i32,
    trial_days: i32,
    lookup_key: String,
    stripe_price_id: Option<String>,
    paypal_plan_id: Option<String>,
}

impl TryFrom<PriceRow> for Price {
    type Error = StoreError;

    fn try_from(row: PriceRow) -> Stored<Self> {
        let wrong = |column| StoreError::inconsistent("price", column, row.price_id);
        let currency = Currency::parse(&row.currency).map_err(|_| wrong("currency"))?;
        let kind = PriceKind::parse(&row.kind).ok_or_else(|| wrong("kind"))?;
        Ok(Self {
            price_id: row.price_id,
            campaign_id: row.campaign_id,
            campaign: row.campaign,
            terms: Terms {
                kind,
                coupon_code: row.coupon_code,
                country: row.country,
                product: row.product,
                opens: opens_of(&row.opens).ok_or_else(|| wrong("opens"))?,
                period_months: row.period_months,
                trial_days: row.trial_days,
                amount: Money::new(row.amount_minor, currency),
                list: Money::new(row.list_minor, currency),
                lookup_key: row.lookup_key,
            },
            stripe_price_id: row.stripe_price_id,
            paypal_plan_id: row.paypal_plan_id,
        })
    }
}

macro_rules! select_price {
    ($rest:literal) => {
        concat!(
            "select price_id, campaign_id, campaign.code as campaign, kind, coupon_code, country, currency,
                 amount_minor, list_minor, price.product, opens, price.period_months, price.trial_days, lookup_key, stripe_price_id,
                 paypal_plan_id
             from price join campaign using (campaign_id) ",
            $rest
        )
    };
}

pub async fn on_sale(conn: &mut PgConnection) -> Stored<Vec<Price>> {
    let rows: Vec<PriceRow> = sqlx::query_as(select_price!("where price.retired_at is null"))
        .fetch_all(conn)
        .await?;
    rows.into_iter().map(Price::try_from).collect()
}

pub async fn find_on_sale(conn: &mut PgConnection, price_id: PriceId) -> Stored<Option<Price>> {
    let row: Option<PriceRow> =
        sqlx::query_as(select_price!("where price_id = $1 and price.retired_at is null"))
            .bind(price_id)
            .fetch_optional(conn)
            .await?;
    row.map(Price::try_from).transpose()
}

/// On sale or not: what a quote names.
pub async fn find(conn: &mut PgConnection, price_id: PriceId) -> Stored<Option<Price>> {
    let row: Option<PriceRow> = sqlx::query_as(select_price!("where price_id = $1"))
        .bind(price_id)
        .fetch_optional(conn)
        .await?;
    row.map(Price::try_from).transpose()
}

/// On sale or not: what an order points at.
pub async fn read(conn: &mut PgConnection, price_id: PriceId) -> Stored<Price> {
    let row: PriceRow = sqlx::query_as(select_price!("where price_id = $1"))
        .bind(price_id)
        .fetch_one(conn)
        .await?;
    row.try_into()
}

/// As [`read`], many at once and in no order.
pub async fn read_all(conn: &mut PgConnection, ids: &[PriceId]) -> Stored<Vec<Price>> {
    let rows: Vec<PriceRow> = sqlx::query_as(select_price!("where price_id = any($1)"))
        .bind(ids)
        .fetch_all(conn)
        .await?;
    rows.into_iter().map(Price::try_from).collect()
}

pub async fn insert(
    conn: &mut PgConnection,
    campaign_id: CampaignId,
    terms: &Terms,
    now: DateTime<Utc>,
) -> Stored<()> {
    sqlx::query(
        "insert into price (price_id, campaign_id, coupon_code, currency, amount_minor, list_minor, product,
             period_months, trial_days, lookup_key, created_at, kind, country, opens)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(PriceId::new(now))
    .bind(campaign_id)
    .bind(&terms.coupon_code)
    .bind(terms.currency().code())
    .bind(terms.amount.minor)
    .bind(terms.list.minor)
    .bind(&terms.product)
    .bind(terms.period_months)
    .bind(terms.trial_days)
    .bind(&terms.lookup_key)
    .bind(now)
    .bind(terms.kind.name())
    .bind(&terms.country)
    .bind(terms.opens.names())
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn retire(conn: &mut PgConnection, price_id: PriceId, now: DateTime<Utc>) -> Stored<()> {
    sqlx::query("update price set retired_at = $2 where price_id = $1")
        .bind(price_id)
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Since when it is no longer on sale.
pub async fn retired_at(conn: &mut PgConnection, price_id: PriceId) -> Stored<Option<DateTime<Utc>>> {
    let retired_at = sqlx::query_scalar("select retired_at from price where price_id = $1")
        .bind(price_id)
        .fetch_one(conn)
        .await?;
    Ok(retired_at)
}

/// The price that is sold by an approved plan.
pub async fn find_by_approval_plan(conn: &mut PgConnection, plan_id: &str) -> Stored<Option<Price>> {
    let row: Option<PriceRow> = sqlx::query_as(select_price!("where paypal_plan_id = $1"))
        .bind(plan_id)
        .fetch_optional(conn)
        .await?;
    row.map(Price::try_from).transpose()
}

pub async fn set_approval_plan(conn: &mut PgConnection, price_id: PriceId, plan_id: &str) -> Stored<()> {
    sqlx::query("update price set paypal_plan_id = $2 where price_id = $1 and paypal_plan_id is null")
        .bind(price_id)
        .bind(plan_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// For all rows with these terms, because they share the price at the provider.
pub async fn set_provider_price_id(
    conn: &mut PgConnection,
    lookup_key: &str,
    provider_price_id: &str,
) -> Stored<()> {
    sqlx::query("update price set stripe_price_id = $2 where lookup_key = $1")
        .bind(lookup_key)
        .bind(provider_price_id)
        .execute(conn)
        .await?;
    Ok(())
}
