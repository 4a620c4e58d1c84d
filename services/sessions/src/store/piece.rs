//! The pieces of a text, as they came.
use sqlx::PgConnection;

use crate::domain::reply::ReplyId;

#[derive(Debug, sqlx::FromRow)]
pub struct Piece {
    pub number: i32,
    pub text: String,
}

/// False when the reply is closed or gone: then nothing is added to it any more.
pub async fn add(
    connection: &mut PgConnection,
    reply_id: ReplyId,
    piece: &Piece,
) -> Result<bool, sqlx::Error> {
    let added = sqlx::query(
        "insert into ai_piece (reply_id, number, text)
         select reply_id, $2, $3 from ai_reply where reply_id = $1 and state = 'writing' for share",
    )
    .bind(reply_id)
    .bind(piece.number)
    .bind(&piece.text)
    .execute(connection)
    .await?;
    Ok(added.rows_affected() == 1)
}

/// In order.
pub async fn after(
    connection: &mut PgConnection,
    reply_id: ReplyId,
    number: i32,
    at_most: i64,
) -> Result<Vec<Piece>, sqlx::Error> {
    sqlx::query_as(
        "select number, text from ai_piece where reply_id = $1 and number > $2 order by number limit $3",
    )
    .bind(reply_id)
    .bind(number)
    .bind(at_most)
    .fetch_all(connection)
    .await
}
