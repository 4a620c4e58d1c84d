//! The answers of surveys, and what follows from them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::ids::{PlaylistId, SurveyOrderId, UserId};
use crate::domain::survey::survey_answers::{Answers, Ownership, Survey};
use crate::store::Stored;

#[derive(sqlx::FromRow)]
struct Row {
    survey_order_id: SurveyOrderId,
    flow: i32,
    variant: i32,
    ab_group: Option<String>,
    language: String,
    country: String,
    program: Option<String>,
    playlist_id: Option<PlaylistId>,
    user_id: Option<String>,
    is_owner_verified: bool,
    access_key_hash: Option<Vec<u8>>,
}

impl From<Row> for Survey {
    fn from(row: Row) -> Self {
        Self {
            survey_order_id: row.survey_order_id,
            flow: row.flow,
            variant: row.variant,
            ab_group: row.ab_group,
            language: row.language,
            country: row.country,
            program: row.program,
            playlist_id: row.playlist_id,
            ownership: Ownership {
                owner: row.user_id.as_deref().and_then(UserId::parse),
                is_proved: row.is_owner_verified,
            },
            access_key_hash: row.access_key_hash,
        }
    }
}

pub async fn lock(conn: &mut PgConnection, id: SurveyOrderId) -> Stored<Option<Survey>> {
    let found: Option<Row> = sqlx::query_as(
        "select survey_order_id, flow, variant, ab_group, language, country, program, playlist_id, user_id,
             is_owner_verified, access_key_hash
         from survey_order where survey_order_id = $1 for update",
    )
    .bind(id)
    .fetch_optional(conn)
    .await?;
    Ok(found.map(Survey::from))
}

pub async fn find(conn: &mut PgConnection, id: SurveyOrderId) -> Stored<Option<Survey>> {
    let found: Option<Row> = sqlx::query_as(
        "select survey_order_id, flow, variant, ab_group, language, country, program, playlist_id, user_id,
             is_owner_verified, access_key_hash
         from survey_order where survey_order_id = $1",
    )
    .bind(id)
    .fetch_optional(conn)
    .await?;
    Ok(found.map(Survey::from))
}

/// The last survey a member has answered.
pub async fn newest_of(conn: &mut PgConnection, user_id: &UserId) -> Stored<Option<SurveyOrderId>> {
    let found = sqlx::query_scalar(
        "select survey_order_id from survey_order
         where user_id = $1 and is_owner_verified
             and exists (select from survey_answer where survey_answer.survey_order_id = survey_order.survey_order_id)
         order by created_at desc, survey_order_id desc limit 1",
    )
    .bind(user_id.as_str())
    .fetch_optional(conn)
    .await?;
    Ok(found)
}

/// The owner has shown the key.
pub async fn prove(conn: &mut PgConnection, id: SurveyOrderId) -> Stored<()> {
    sqlx::query("update survey_order set is_owner_verified = true where survey_order_id = $1 and not is_owner_verified")
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn upsert(
    conn: &mut PgConnection,
    id: SurveyOrderId,
    answers: &Answers,
    now: DateTime<Utc>,
) -> Stored<()> {
    for (question, options) in answers.iter() {
        sqlx::query(
            "insert into survey_answer (survey_order_id, question, options, answered_at) values ($1, $2, $3, $4)
             on conflict (survey_order_id, question) do update
             set options = excluded.options, answered_at = excluded.answered_at",
        )
        .bind(id)
        .bind(question)
        .bind(options)
        .bind(now)
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

pub async fn of_order(conn: &mut PgConnection, id: SurveyOrderId) -> Stored<BTreeMap<String, Vec<String>>> {
    let rows: Vec<(String, Vec<String>)> = sqlx::query_as(
        "select question, options from survey_answer where survey_order_id = $1 order by question",
    )
    .bind(id)
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().collect())
}

/// A programme with a playlist stays as it is.
pub async fn set_program(conn: &mut PgConnection, id: SurveyOrderId, program: &str) -> Stored<()> {
    sqlx::query("update survey_order set program = $2 where survey_order_id = $1 and playlist_id is null")
        .bind(id)
        .bind(program)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn set_playlist(
    conn: &mut PgConnection,
    id: SurveyOrderId,
    playlist_id: PlaylistId,
    now: DateTime<Utc>,
) -> Stored<()> {
    sqlx::query(
        "update survey_order set playlist_id = $2, playlist_created_at = $3 where survey_order_id = $1",
    )
    .bind(id)
    .bind(playlist_id)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the answers of surveys that no member has claimed and that began before `oldest`. Returns of how many surveys.
pub async fn delete_unclaimed(conn: &mut PgConnection, oldest: DateTime<Utc>, limit: i64) -> Stored<u64> {
    let emptied = sqlx::query(
        "with old as (
             select survey_order_id from survey_order
             where user_id is null and access_key_hash is not null and created_at < $1
             order by created_at limit $2 for update skip locked),
         deleted as (delete from survey_answer using old where survey_answer.survey_order_id = old.survey_order_id)
         update survey_order set access_key_hash = null, program = null
         from old where survey_order.survey_order_id = old.survey_order_id",
    )
    .bind(oldest)
    .bind(limit)
    .execute(conn)
    .await?;
    Ok(emptied.rows_affected())
}
