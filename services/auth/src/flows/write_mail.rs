//! Puts a mail into the outbox of the open transaction. Texts and sending are the mailer's.
use chrono::{DateTime, Utc};
use kit::money::Money;
use sqlx::PgConnection;

use crate::crypto::links::LinkTokens;
use crate::domain::email::Email;
use crate::domain::mail::{LinkId, Template};
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
        lang,
        user_id,
        link_id: Some(link_id),
        ..NewMail::to_nobody(template, now)
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
    let notice = NewMail {
        user_id: Some(user_id),
        former_email,
        ..NewMail::to_nobody(template, context.clock.now())
    };
    mail::insert(tx, &notice).await
}

/// What a mail about money is about.
#[derive(Default)]
pub struct MoneyMatter {
    pub amount: Option<Money>,
    pub moment: Option<DateTime<Utc>>,
}

/// Whom a mail about money is for.
#[derive(Clone, Copy, Debug)]
pub enum Addressee<'a> {
    Member(UserId),
    /// Who bought this without an account.
    GuestOf(&'a str),
}

impl<'a> Addressee<'a> {
    /// As events name them. `None`: somebody who has left, whom we could not write to.
    pub fn of(user_id: &str, order_id: &'a str) -> Option<Self> {
        if user_id.is_empty() && !order_id.is_empty() {
            return Some(Self::GuestOf(order_id));
        }
        user_id.parse().ok().map(Self::Member)
    }
}

/// Tells somebody of their money or their subscription. An account that is gone is told nothing.
pub async fn write_money_mail(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    (to, lang): (Addressee<'_>, Option<&str>),
    matter: MoneyMatter,
) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let addressed = match to {
        Addressee::Member(user_id) if account::by_id(tx, user_id).await?.is_some() => NewMail {
            user_id: Some(user_id),
            ..NewMail::to_nobody(template, now)
        },
        Addressee::GuestOf(order_id) => {
            let Some(template) = template.for_guests() else {
                return Ok(());
            };
            NewMail {
                guest_order_id: Some(order_id),
                lang,
                ..NewMail::to_nobody(template, now)
            }
        }
        Addressee::Member(_) => return Ok(()),
    };
    let told = NewMail {
        amount: matter.amount,
        moment: matter.moment,
        ..addressed
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
    let told = NewMail {
        lang,
        withdrawal_id: Some(withdrawal_id),
        amount,
        ..NewMail::to_nobody(template, context.clock.now())
    };
    mail::insert(tx, &told).await
}
