//! Entitlements per subscription or one-time order.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::user::UserId;

#[derive(sqlx::FromRow)]
pub struct Grant {
    /// Of an order where something was paid once.
    pub subscription_id: String,
    pub product: String,
    /// As it was when it began.
    pub opens: Vec<String>,
    pub is_open: bool,
}

/// News of a beginning: nothing, where those of an end came first. `false`: it has ended.
pub async fn begin(
    tx: &mut PgConnection,
    user_id: UserId,
    granted: &Grant,
    as_of: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "insert into entitlement_grant (subscription_id, user_id, product, is_open, as_of, opens)
         select $1, user_id, $3, true, $4, $5 from account where user_id = $2
         on conflict (subscription_id) do update set product = entitlement_grant.product
         returning is_open",
    )
    .bind(&granted.subscription_id)
    .bind(user_id)
    .bind(&granted.product)
    .bind(as_of)
    .bind(&granted.opens)
    .fetch_optional(tx)
    .await
    .map(|is_open: Option<bool>| is_open.unwrap_or(false))
}

/// What it opens, or opened. `None`: newer news came first, or the account is gone.
pub async fn set(
    tx: &mut PgConnection,
    user_id: UserId,
    granted: &Grant,
    as_of: DateTime<Utc>,
) -> Result<Option<Vec<String>>, sqlx::Error> {
    sqlx::query_scalar(
        "insert into entitlement_grant (subscription_id, user_id, product, is_open, as_of, opens)
         select $1, user_id, $3, $4, $5, $6 from account where user_id = $2
         on conflict (subscription_id) do update set is_open = excluded.is_open, as_of = excluded.as_of
         where entitlement_grant.as_of <= excluded.as_of
         returning opens",
    )
    .bind(&granted.subscription_id)
    .bind(user_id)
    .bind(&granted.product)
    .bind(granted.is_open)
    .bind(as_of)
    .bind(&granted.opens)
    .fetch_optional(tx)
    .await
}

pub async fn of_member(tx: &mut PgConnection, user_id: UserId) -> Result<Vec<Grant>, sqlx::Error> {
    sqlx::query_as(
        "select subscription_id, product, opens, is_open from entitlement_grant where user_id = $1
         order by subscription_id",
    )
    .bind(user_id)
    .fetch_all(tx)
    .await
}
