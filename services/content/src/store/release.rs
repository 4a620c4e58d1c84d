//! Releases and their members.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::content_key;
use crate::domain::{ContentKey, Release, ReleaseId};
use crate::error::Error;

pub async fn insert(connection: &mut PgConnection, release: &Release) -> Result<(), Error> {
    sqlx::query("insert into release (id, name, created_at) values ($1, $2, $3)")
        .bind(release.id)
        .bind(&release.name)
        .bind(release.created_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Locks the release against concurrent changes and publication. Its items are in order.
pub async fn lock(connection: &mut PgConnection, id: ReleaseId) -> Result<Option<Release>, Error> {
    let row = sqlx::query_as("select name, created_at, published_at from release where id = $1 for update")
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    with_members(connection, id, row).await
}

pub async fn find(connection: &mut PgConnection, id: ReleaseId) -> Result<Option<Release>, Error> {
    let row = sqlx::query_as("select name, created_at, published_at from release where id = $1")
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    with_members(connection, id, row).await
}

type Row = (String, DateTime<Utc>, Option<DateTime<Utc>>);

async fn with_members(
    connection: &mut PgConnection,
    id: ReleaseId,
    row: Option<Row>,
) -> Result<Option<Release>, Error> {
    let Some((name, created_at, published_at)) = row else {
        return Ok(None);
    };
    let members: Vec<(String, String)> =
        sqlx::query_as("select item, locale from release_member where release_id = $1")
            .bind(id)
            .fetch_all(connection)
            .await?;
    let places = members
        .iter()
        .map(|(item, locale)| content_key::read("release_member", item, locale));
    let mut places: Vec<ContentKey> = places.collect::<Result<_, _>>()?;
    places.sort();
    Ok(Some(Release {
        id,
        name,
        places,
        created_at,
        published_at,
    }))
}

pub async fn add(
    connection: &mut PgConnection,
    id: ReleaseId,
    content_key: &ContentKey,
) -> Result<(), Error> {
    sqlx::query(
        "insert into release_member (release_id, item, locale) values ($1, $2, $3) on conflict do nothing",
    )
    .bind(id)
    .bind(content_key.item.stored())
    .bind(content_key.locale.code())
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn remove(
    connection: &mut PgConnection,
    id: ReleaseId,
    content_key: &ContentKey,
) -> Result<(), Error> {
    sqlx::query("delete from release_member where release_id = $1 and item = $2 and locale = $3")
        .bind(id)
        .bind(content_key.item.stored())
        .bind(content_key.locale.code())
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn mark_published(
    connection: &mut PgConnection,
    id: ReleaseId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query("update release set published_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
