//! Unused recovery codes.
use sqlx::PgConnection;

use crate::domain::user::UserId;

pub async fn replace(tx: &mut PgConnection, user_id: UserId, hashes: &[[u8; 32]]) -> Result<(), sqlx::Error> {
    delete_of(tx, user_id).await?;
    let hashes: Vec<&[u8]> = hashes.iter().map(<[u8; 32]>::as_slice).collect();
    sqlx::query("insert into recovery_code (code_hash, user_id) select code_hash, $1 from unnest($2::bytea[]) as new (code_hash)")
        .bind(user_id)
        .bind(hashes)
        .execute(tx)
        .await?;
    Ok(())
}

/// `false`: it is unknown or used. Of two uses at once, one gets it.
pub async fn take(tx: &mut PgConnection, user_id: UserId, code_hash: &[u8; 32]) -> Result<bool, sqlx::Error> {
    let taken = sqlx::query("delete from recovery_code where code_hash = $1 and user_id = $2")
        .bind(code_hash.as_slice())
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(taken.rows_affected() == 1)
}

pub async fn count(connection: &mut PgConnection, user_id: UserId) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select count(*) from recovery_code where user_id = $1")
        .bind(user_id)
        .fetch_one(connection)
        .await
}

pub async fn delete_of(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query("delete from recovery_code where user_id = $1")
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(())
}
