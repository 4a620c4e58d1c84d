//! Inserts mails into the queue of the open transaction.
use chrono::{DateTime, Utc};
use kit::money::Money;
use kit::requester;
use sqlx::PgConnection;

use crate::crypto::links::LinkTokens;
use crate::domain::email::Email;
use crate::domain::mail::{LinkId, Template};
use crate::domain::user::UserId;
use crate::flows::Context;
use crate::store::account;
use crate::store::account_link::{self, NewLink};
use crate::store::mail::{self, NewMail};
use crate::store::session::NewSession;

/// A mail with a link that sets a password. `user_id` is `None` for an address without an account: the same rows, and
/// nothing is sent.
pub async fn queue_link_mail(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    user_id: Option<UserId>,
    lang: Option<&str>,
) -> Result<(), sqlx::Error> {
    let mail = LinkMail {
        template,
        user_id,
        lang,
        new_email: None,
        former_email: None,
    };
    insert_link_mail(context, tx, &mail).await
}

/// To an address that is to be the account's: its link confirms it.
pub async fn queue_confirmation(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    new_email: &Email,
) -> Result<(), sqlx::Error> {
    let mail = LinkMail {
        template: Template::ConfirmEmail,
        user_id: Some(user_id),
        lang: None,
        new_email: Some(new_email),
        former_email: None,
    };
    insert_link_mail(context, tx, &mail).await
}

/// To the address that was the account's: its link restores it.
pub async fn queue_email_changed(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    former_email: &Email,
) -> Result<(), sqlx::Error> {
    let mail = LinkMail {
        template: Template::EmailChanged,
        user_id: Some(user_id),
        lang: None,
        new_email: None,
        former_email: Some(former_email),
    };
    insert_link_mail(context, tx, &mail).await
}

struct LinkMail<'a> {
    template: Template,
    user_id: Option<UserId>,
    lang: Option<&'a str>,
    new_email: Option<&'a Email>,
    former_email: Option<&'a Email>,
}

async fn insert_link_mail(
    context: &Context,
    tx: &mut PgConnection,
    written: &LinkMail<'_>,
) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let link_id = LinkId::new(now);
    let link = NewLink {
        id: link_id,
        token_hash: LinkTokens::digest(&context.link_tokens.token(link_id)),
        user_id: written.user_id,
        expires_at: now + written.template.link_ttl(),
        new_email: written.new_email,
        former_email: written.former_email,
        ends_session: None,
    };
    account_link::insert(tx, &link).await?;
    let mail = NewMail {
        lang: written.lang,
        user_id: written.user_id,
        former_email: written.former_email,
        link_id: Some(link_id),
        ..NewMail::without_recipient(written.template, now)
    };
    mail::insert(tx, &mail).await
}

/// Reports a session that was opened from a new browser: its link ends it.
pub async fn queue_new_sign_in(
    context: &Context,
    tx: &mut PgConnection,
    opened: &NewSession<'_>,
) -> Result<(), sqlx::Error> {
    let template = Template::NewSignIn;
    let link_id = LinkId::new(opened.opened_at);
    let link = NewLink {
        id: link_id,
        token_hash: LinkTokens::digest(&context.link_tokens.token(link_id)),
        user_id: Some(opened.user_id),
        expires_at: opened.opened_at + template.link_ttl(),
        new_email: None,
        former_email: None,
        ends_session: Some(opened.id),
    };
    account_link::insert(tx, &link).await?;
    let device = opened.device.name();
    let country = requester::current().country;
    let mail = NewMail {
        user_id: Some(opened.user_id),
        link_id: Some(link_id),
        moment: Some(opened.opened_at),
        device: device.as_deref(),
        country: country.as_deref(),
        ..NewMail::without_recipient(template, opened.opened_at)
    };
    mail::insert(tx, &mail).await
}

/// Says what was done with an account.
pub async fn queue_notice(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    user_id: UserId,
) -> Result<(), sqlx::Error> {
    let notice = NewMail {
        user_id: Some(user_id),
        ..NewMail::without_recipient(template, context.clock.now())
    };
    mail::insert(tx, &notice).await
}

/// Amount and date of a billing mail.
#[derive(Default)]
pub struct BillingDetails {
    pub amount: Option<Money>,
    pub moment: Option<DateTime<Utc>>,
}

/// The recipient of a billing mail.
#[derive(Clone, Copy, Debug)]
pub enum Recipient<'a> {
    Member(UserId),
    /// The buyer of an order without an account.
    Guest {
        order_id: &'a str,
        lang: Option<&'a str>,
    },
}

impl<'a> Recipient<'a> {
    /// The recipient named by an event. `None`: an erased member.
    pub fn of(user_id: &str, order_id: &'a str, lang: Option<&'a str>) -> Option<Self> {
        if user_id.is_empty() && !order_id.is_empty() {
            return Some(Self::Guest { order_id, lang });
        }
        user_id.parse().ok().map(Self::Member)
    }
}

/// Queues a mail about a payment or subscription. Deleted accounts receive none.
pub async fn queue_billing_mail(
    context: &Context,
    tx: &mut PgConnection,
    template: Template,
    to: Recipient<'_>,
    matter: BillingDetails,
) -> Result<(), sqlx::Error> {
    let now = context.clock.now();
    let addressed = match to {
        Recipient::Member(user_id) if account::by_id(tx, user_id).await?.is_some() => NewMail {
            user_id: Some(user_id),
            ..NewMail::without_recipient(template, now)
        },
        Recipient::Guest { order_id, lang } => {
            let Some(template) = template.for_guests() else {
                return Ok(());
            };
            NewMail {
                guest_order_id: Some(order_id),
                lang,
                ..NewMail::without_recipient(template, now)
            }
        }
        Recipient::Member(_) => return Ok(()),
    };
    let mail = NewMail {
        amount: matter.amount,
        moment: matter.moment,
        ..addressed
    };
    mail::insert(tx, &mail).await
}

pub struct WithdrawalMail<'a> {
    pub template: Template,
    pub withdrawal_id: &'a str,
    pub lang: Option<&'a str>,
    pub amount: Option<Money>,
}

/// Queues a mail about a withdrawal. Its content stays in checkout.
pub async fn queue_withdrawal_mail(
    context: &Context,
    tx: &mut PgConnection,
    mail: WithdrawalMail<'_>,
) -> Result<(), sqlx::Error> {
    let mail = NewMail {
        lang: mail.lang,
        withdrawal_id: Some(mail.withdrawal_id),
        amount: mail.amount,
        ..NewMail::without_recipient(mail.template, context.clock.now())
    };
    mail::insert(tx, &mail).await
}
