//! Mails waiting to be sent.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::mail::{LinkId, MailId, Template};
use crate::domain::user::UserId;

pub struct NewMail<'a> {
    pub id: MailId,
    pub template: Template,
    /// `None`: the language of the account, or English.
    pub lang: Option<&'a str>,
    pub user_id: Option<UserId>,
    pub former_email: Option<&'a Email>,
    pub link_id: Option<LinkId>,
    pub created_at: DateTime<Utc>,
}

pub async fn insert(tx: &mut PgConnection, new: &NewMail<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into mail_outbox (mail_id, template, lang, user_id, former_email, link_id, created_at, next_attempt_at)
         values ($1, $2, coalesce($3, (select lang from account where user_id = $4), 'en'), $4, $5, $6, $7, $7)",
    )
    .bind(new.id)
    .bind(new.template.as_str())
    .bind(new.lang)
    .bind(new.user_id)
    .bind(new.former_email.map(Email::as_str))
    .bind(new.link_id)
    .bind(new.created_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn delete_written_before(
    connection: &mut PgConnection,
    before: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from mail_outbox where mail_id in
         (select mail_id from mail_outbox where created_at <= $1 order by created_at limit $2 for update skip locked)",
        before,
        batch,
    )
    .await
}
