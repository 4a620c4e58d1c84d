//! Roles of accounts.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::user::UserId;
use crate::domain::user::role::Role;

/// A role of an account, as it is listed and exported.
#[derive(sqlx::FromRow)]
pub struct GrantedRole {
    pub role: String,
    pub granted_at: DateTime<Utc>,
}

/// `false`: the account has the role already.
pub async fn insert(
    tx: &mut PgConnection,
    user_id: UserId,
    role: Role,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "insert into account_role (user_id, role, granted_at) values ($1, $2, $3)
         on conflict on constraint account_role_pkey do nothing",
    )
    .bind(user_id)
    .bind(role.as_str())
    .bind(now)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// `false`: the account did not have the role.
pub async fn delete(tx: &mut PgConnection, user_id: UserId, role: Role) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query("delete from account_role where user_id = $1 and role = $2")
        .bind(user_id)
        .bind(role.as_str())
        .execute(tx)
        .await?;
    Ok(deleted.rows_affected() == 1)
}

pub async fn of_user(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Vec<GrantedRole>, sqlx::Error> {
    sqlx::query_as("select role, granted_at from account_role where user_id = $1 order by role")
        .bind(user_id)
        .fetch_all(connection)
        .await
}
