//! What kit itself keeps of a member in a service's schema: events told, events not applied, answers to give again.

use sqlx::PgConnection;

/// Deletes whatever names one of `identifiers`. `false`: an event of theirs still has to be published, so not everything is gone.
pub(super) async fn delete_records(
    tx: &mut PgConnection,
    identifiers: &[String],
) -> Result<bool, sqlx::Error> {
    const STATEMENTS: [&str; 3] = [
        "delete from outbox where published_at is not null
         and exists (select from unnest($1::text[]) identifier where position(identifier in event::text) > 0)",
        "delete from dead_letter
         where exists (select from unnest($1::text[]) identifier where position(identifier in payload) > 0)",
        // An answer may be the id of what was made, as a text or as its 16 bytes.
        "delete from idempotency where exists (select from unnest($1::text[]) identifier
         where position(identifier in scope) > 0 or position(convert_to(identifier, 'UTF8') in response) > 0
            or (identifier ~ '_[0-9a-f]{32}$' and encode(response, 'hex') = right(identifier, 32)))",
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
