//! The mail queue.
use chrono::{DateTime, Utc};
use kit::database::{Pool, delete_in_batches};
use kit::due_queue::DueQueue;
use kit::money::{Currency, Money, MoneyError};
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::mail::{LinkId, MailId, Template};
use crate::domain::user::UserId;

/// A due mail, leased to its reader.
#[derive(sqlx::FromRow)]
pub struct DueMail {
    #[sqlx(rename = "mail_id")]
    pub id: MailId,
    pub template: String,
    pub lang: String,
    /// `None`: checkout has the address of the withdrawal or guest.
    pub recipient: Option<String>,
    pub withdrawal_id: Option<String>,
    pub guest_order_id: Option<String>,
    pub link_id: Option<LinkId>,
    pub amount_minor: Option<i64>,
    pub currency: Option<String>,
    pub moment: Option<DateTime<Utc>>,
    pub device: Option<String>,
    pub country: Option<String>,
    pub created_at: DateTime<Utc>,
    /// This one included.
    pub attempts: i32,
}

impl DueMail {
    pub fn amount(&self) -> Result<Option<Money>, MoneyError> {
        let (Some(minor), Some(currency)) = (self.amount_minor, &self.currency) else {
            return Ok(None);
        };
        Ok(Some(Money::new(minor, Currency::parse(currency)?)))
    }
}

pub struct NewMail<'a> {
    pub id: MailId,
    pub template: Template,
    /// `None`: the language of the account, or English.
    pub lang: Option<&'a str>,
    pub user_id: Option<UserId>,
    pub former_email: Option<&'a Email>,
    pub link_id: Option<LinkId>,
    /// Checkout's; its declarer is written to.
    pub withdrawal_id: Option<&'a str>,
    /// Checkout's; who bought it without an account is written to.
    pub guest_order_id: Option<&'a str>,
    /// What it is about, for templates that name one.
    pub amount: Option<Money>,
    pub moment: Option<DateTime<Utc>>,
    /// Of a sign-in.
    pub device: Option<&'a str>,
    pub country: Option<&'a str>,
    pub created_at: DateTime<Utc>,
}

impl NewMail<'_> {
    /// Whom it is for is left to be said.
    pub fn without_recipient(template: Template, now: DateTime<Utc>) -> Self {
        Self {
            id: MailId::new(now),
            template,
            lang: None,
            user_id: None,
            former_email: None,
            link_id: None,
            withdrawal_id: None,
            guest_order_id: None,
            amount: None,
            moment: None,
            device: None,
            country: None,
            created_at: now,
        }
    }
}

pub async fn insert(tx: &mut PgConnection, new: &NewMail<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into mail_outbox (mail_id, template, lang, user_id, former_email, link_id, created_at, next_attempt_at,
             amount_minor, currency, moment, withdrawal_id, guest_order_id, device, country)
         values ($1, $2, coalesce($3, (select lang from account where user_id = $4), 'en'), $4, $5, $6, $7, $7, $8, $9, $10,
             $11, $12, $13, $14)",
    )
    .bind(new.id)
    .bind(new.template.as_str())
    .bind(new.lang)
    .bind(new.user_id)
    .bind(new.former_email.map(Email::as_str))
    .bind(new.link_id)
    .bind(new.created_at)
    .bind(new.amount.map(|amount| amount.minor))
    .bind(new.amount.map(|amount| amount.currency.code()))
    .bind(new.moment)
    .bind(new.withdrawal_id)
    .bind(new.guest_order_id)
    .bind(new.device)
    .bind(new.country)
    .execute(tx)
    .await?;
    Ok(())
}

/// Due mails, except those whose link has expired.
pub const QUEUE: DueQueue = kit::due_queue! {
    table: "mail_outbox",
    key: "mail_id",
    due_at: "next_attempt_at",
    attempts: "attempts",
    only: "(user_id is not null or former_email is not null or withdrawal_id is not null or guest_order_id is not null)
         and not exists (select from account_link link where link.link_id = due.link_id and link.expires_at <= $1)",
    returning: "mail_id, template, lang, link_id, amount_minor, currency, moment, created_at, attempts, withdrawal_id,
         guest_order_id, device, country,
         coalesce(
             former_email,
             (select new_email from account_link link where link.link_id = leased.link_id),
             (select email from account where account.user_id = leased.user_id)
         ) as recipient",
};

pub async fn delete(connection: &mut PgConnection, id: MailId) -> Result<(), sqlx::Error> {
    sqlx::query("delete from mail_outbox where mail_id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The number of waiting mails, and the age of the oldest in seconds.
pub async fn backlog(pool: &Pool, now: DateTime<Utc>) -> Result<(i64, i64), sqlx::Error> {
    sqlx::query_as(
        "select count(*), coalesce(extract(epoch from $1 - min(created_at)), 0)::bigint from mail_outbox
         where user_id is not null or former_email is not null or withdrawal_id is not null or guest_order_id is not null",
    )
    .bind(now)
    .fetch_one(pool)
    .await
}

pub async fn delete_created_before(
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
