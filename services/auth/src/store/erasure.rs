//! Erasures and the reports of services.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::erasure::{AUTH, Erasure, ErasureId, OTHER_SERVICES, ServiceReport};

pub struct NewErasure<'a> {
    pub id: ErasureId,
    pub request_token_hash: [u8; 32],
    pub recipient: &'a Email,
    pub lang: Option<&'a str>,
    pub requested_at: DateTime<Utc>,
}

/// To whom, and in which language, the last mail goes.
pub struct FinalMail {
    pub recipient: Email,
    pub lang: Option<String>,
}

pub async fn insert(tx: &mut PgConnection, new: &NewErasure<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into erasure (erasure_id, request_token_hash, recipient, lang, requested_at) values ($1, $2, $3, $4, $5)",
    )
    .bind(new.id)
    .bind(new.request_token_hash.as_slice())
    .bind(new.recipient.as_str())
    .bind(new.lang)
    .bind(new.requested_at)
    .execute(&mut *tx)
    .await?;
    // Here it is done with the request itself.
    sqlx::query(
        "insert into erasure_report (erasure_id, service, erased_at)
         select $1, $2, $3::timestamptz union all select $1, service, null from unnest($4::text[]) service",
    )
    .bind(new.id)
    .bind(AUTH)
    .bind(new.requested_at)
    .bind(OTHER_SERVICES.as_slice())
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn by_request_token(
    connection: &mut PgConnection,
    digest: &[u8; 32],
) -> Result<Option<ErasureId>, sqlx::Error> {
    sqlx::query_scalar("select erasure_id from erasure where request_token_hash = $1")
        .bind(digest.as_slice())
        .fetch_optional(connection)
        .await
}

pub async fn by_id(connection: &mut PgConnection, id: ErasureId) -> Result<Option<Erasure>, sqlx::Error> {
    let row: Option<(DateTime<Utc>, Option<DateTime<Utc>>)> =
        sqlx::query_as("select requested_at, finished_at from erasure where erasure_id = $1")
            .bind(id)
            .fetch_optional(&mut *connection)
            .await?;
    let Some((requested_at, finished_at)) = row else {
        return Ok(None);
    };
    let reports: Vec<(String, Option<DateTime<Utc>>, Vec<String>)> = sqlx::query_as(
        "select service, erased_at, kept from erasure_report where erasure_id = $1 order by service",
    )
    .bind(id)
    .fetch_all(connection)
    .await?;
    let report = |(service, erased_at, kept)| ServiceReport {
        service,
        erased_at,
        kept,
    };
    Ok(Some(Erasure {
        id,
        requested_at,
        finished_at,
        reports: reports.into_iter().map(report).collect(),
    }))
}

/// The first report stands.
pub async fn record_report(
    tx: &mut PgConnection,
    id: ErasureId,
    report: &ServiceReport,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update erasure_report set erased_at = $3, kept = $4
         where erasure_id = $1 and service = $2 and erased_at is null",
    )
    .bind(id)
    .bind(&report.service)
    .bind(report.erased_at)
    .bind(&report.kept)
    .execute(tx)
    .await?;
    Ok(())
}

/// `None` when it was finished before.
pub async fn finish(
    tx: &mut PgConnection,
    id: ErasureId,
    now: DateTime<Utc>,
) -> Result<Option<FinalMail>, sqlx::Error> {
    let row: Option<(String, Option<String>)> = sqlx::query_as(
        "update erasure new set recipient = null, lang = null, finished_at = $2 from erasure old
         where new.erasure_id = $1 and old.erasure_id = $1 and new.finished_at is null
         returning old.recipient, old.lang",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(recipient, lang)| FinalMail {
        recipient: Email::stored(recipient),
        lang,
    }))
}
