//! Imported seed files and their hashes.

use std::collections::HashMap;

use sqlx::PgConnection;

use crate::domain::ContentHash;
use crate::error::Error;

/// The content hash of every seed file, by its name.
pub async fn all(connection: &mut PgConnection) -> Result<HashMap<String, Vec<u8>>, Error> {
    let rows: Vec<(String, Vec<u8>)> = sqlx::query_as("select source, content_hash from seed_import")
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().collect())
}

pub async fn remember(connection: &mut PgConnection, source: &str, hash: ContentHash) -> Result<(), Error> {
    sqlx::query(
        "insert into seed_import (source, content_hash) values ($1, $2)
         on conflict (source) do update set content_hash = excluded.content_hash",
    )
    .bind(source)
    .bind(hash.as_bytes())
    .execute(connection)
    .await?;
    Ok(())
}
