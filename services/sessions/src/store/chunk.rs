//! Chunks of a reply's text.
use sqlx::PgConnection;

use crate::domain::reply::ReplyId;

#[derive(Debug, sqlx::FromRow)]
pub struct Chunk {
    pub number: i32,
    pub text: String,
}

/// False if the reply is closed or purged; then the chunk is not stored.
pub async fn insert(
    connection: &mut PgConnection,
    reply_id: ReplyId,
    chunk: &Chunk,
) -> Result<bool, sqlx::Error> {
    let added = sqlx::query(
        "insert into ai_reply_chunk (reply_id, number, text)
         select reply_id, $2, $3 from ai_reply where reply_id = $1 and state = 'writing' for share",
    )
    .bind(reply_id)
    .bind(chunk.number)
    .bind(&chunk.text)
    .execute(connection)
    .await?;
    Ok(added.rows_affected() == 1)
}

/// In order.
pub async fn list_after(
    connection: &mut PgConnection,
    reply_id: ReplyId,
    number: i32,
    limit: i64,
) -> Result<Vec<Chunk>, sqlx::Error> {
    sqlx::query_as(
        "select number, text from ai_reply_chunk where reply_id = $1 and number > $2 order by number limit $3",
    )
    .bind(reply_id)
    .bind(number)
    .bind(limit)
    .fetch_all(connection)
    .await
}
