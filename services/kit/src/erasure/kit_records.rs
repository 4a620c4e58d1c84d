//! Erases a member from kit's own tables: published events, dead letters, stored idempotent responses.

use sqlx::PgConnection;

/// Deletes rows that contain one of `identifiers`. `false` if an unpublished event contains one: call it again later.
pub(super) async fn delete_records(
    tx: &mut PgConnection,
    identifiers: &[String],
) -> Result<bool, sqlx::Error> {
    const STATEMENTS: [&str; 3] = [
        "delete from outbox where published_at is not null
         and exists (select from unnest($1::text[]) identifier where position(identifier in event::text) > 0)",
        "delete from dead_letter
         where exists (select from unnest($1::text[]) identifier where position(identifier in payload) > 0)",
        "delete from idempotency where exists (select from unnest($1::text[]) identifier
         where position(identifier in scope) > 0 or position(convert_to(identifier, 'UTF8') in response) > 0)",
    ];
    for statement in STATEMENTS {
        sqlx::query(statement).bind(identifiers).execute(&mut *tx).await?;
    }
    sqlx::query_scalar(
        "select not exists (select from outbox where published_at is null
         and exists (select from unnest($1::text[]) identifier where position(identifier in event::text) > 0))",
    )
    .bind(identifiers)
    .fetch_one(tx)
    .await
}
