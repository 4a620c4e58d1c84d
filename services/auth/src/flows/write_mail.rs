//! Puts a mail into the outbox of the open transaction. Texts and sending are the mailer's.
use chrono::{DateTime, Utc};
use kit::money::Money;
use sqlx::PgConnection;

use crate::crypto::links::LinkTokens;
use crate::domain::email::Email;
use crate::domain::mail::{LinkId, MailId, Template};
use crate::domain::user::UserId;
use crate::flows::Context;
use crate::store::account;
use crate::store::account_link::{self, NewLink};
use crate::store::mail::{self, NewMail};

/// A mail with a link. `user_id` is `None` for an address that nobody has: the same rows, and nothing is sent.
pub async fn write_link_mail(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    user_id: Option<UserId>,
    lang: Option<&str>,
) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let link_id = LinkId::new(now);
    let link = NewLink {
        id: link_id,
        token_hash: LinkTokens::digest(&context.link_tokens.token(link_id)),
        user_id,
        expires_at: now + template.link_lives(),
    };
    account_link::insert(tx, &link).await?;
    let mail = NewMail {
        id: MailId::new(now),
        template,
        lang,
        user_id,
        former_email: None,
        link_id: Some(link_id),
        withdrawal_id: None,
        amount: None,
        moment: None,
        created_at: now,
    };
    mail::insert(tx, &mail).await
}

/// Tells somebody what was done with their account.
pub async fn write_notice(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    user_id: UserId,
    former_email: Option<&Email>,
) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let notice = NewMail {
        id: MailId::new(now),
        template,
        lang: None,
        user_id: Some(user_id),
        former_email,
        link_id: None,
        withdrawal_id: None,
        amount: None,
        moment: None,
        created_at: now,
    };
    mail::insert(tx, &notice).await
}

/// What a mail about money is about.
#[derive(Default)]
pub struct MoneyMatter {
    pub amount: Option<Money>,
    pub moment: Option<DateTime<Utc>>,
}

/// Tells somebody of their money or their subscription. An account that is gone is told nothing.
pub async fn write_money_mail(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    user_id: UserId,
    matter: MoneyMatter,
) -> Result<(), sqlx::Error> {
    if account::by_id(tx, user_id).await?.is_none() {
        return Ok(());
    }
    let now = context.clock.now();
    let told = NewMail {
        id: MailId::new(now),
        template,
        lang: None,
        user_id: Some(user_id),
        former_email: None,
        link_id: None,
        withdrawal_id: None,
        amount: matter.amount,
        moment: matter.moment,
        created_at: now,
    };
    mail::insert(tx, &told).await
}

/// Tells whoever declared a withdrawal what has become of it. Nothing of them is kept here.
pub async fn write_withdrawal_mail(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    (withdrawal_id, lang): (&str, Option<&str>),
    amount: Option<Money>,
) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let told = NewMail {
        id: MailId::new(now),
        template,
        lang,
        user_id: None,
        former_email: None,
        link_id: None,
        withdrawal_id: Some(withdrawal_id),
        amount,
        moment: None,
        created_at: now,
    };
    mail::insert(tx, &told).await
}
