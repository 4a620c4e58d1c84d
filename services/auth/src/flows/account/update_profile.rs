//! Name, address and password of the profile form. A new address or password requires a recent authentication or the current
//! password; a new address waits for its mailed link.
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::forms::profile::ProfileUpdate;
use crate::domain::mail::Template;
use crate::domain::password::Password;
use crate::domain::session::step_up::Brought;
use crate::domain::user::{User, UserId};
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::credentials::check_breached_password::check_breached_password;
use crate::flows::credentials::check_throttle::check_link_throttle;
use crate::flows::credentials::prove_member::Member;
use crate::flows::mails::queue_mail::{queue_confirmation, queue_notice};
use crate::flows::sessions::live_session::live_session;
use crate::store::second_factor::challenge;
use crate::store::session::LiveSession;
use crate::store::{account, account_link, handoff_token, session};

pub struct Updated {
    pub user: User,
    /// A link was mailed to it.
    pub pending_email: Option<Email>,
}

pub async fn update_profile(context: &Context, token: &str, update: ProfileUpdate) -> Result<Updated, Error> {
    let current = live_session(context, token).await?.session;
    let former = &current.user;
    let named = update
        .password
        .must_not_name(&former.full_name, former.email.as_str());
    named.map_err(|error| Error::Invalid(vec![error]))?;
    let password_hash = prove(context, &current, &update).await?;
    let updated = Updated {
        user: User {
            full_name: update.full_name,
            ..former.clone()
        },
        pending_email: Some(update.email).filter(|email| *email != former.email),
    };
    if let Some(email) = &updated.pending_email {
        check_link_throttle(context, email, &update.caller).await?;
    }
    save(context, &current, &updated, password_hash.as_deref()).await?;
    Ok(updated)
}

/// `None` where the form holds the password the account has: that is the proof, and it ends no sessions.
async fn prove(
    context: &Context,
    current: &LiveSession,
    update: &ProfileUpdate,
) -> Result<Option<String>, Error> {
    let account = account::by_id(&mut *context.pool.acquire().await?, current.user.id).await?;
    let stored = account.ok_or(Error::SessionExpired)?.password_hash;
    let member = Member {
        session: current,
        stored: stored.as_deref(),
        caller: &update.caller,
    };
    let now = context.clock.now();
    if current.authentication.is_recent(now) {
        if member.password_matches(context, &update.password).await? {
            return Ok(None);
        }
        return new_password_hash(context, &update.password).await;
    }
    // The answer says whether a password is the account's, so each form is an attempt.
    let admitted = member.check_throttle(context).await?;
    if member.password_matches(context, &update.password).await? {
        member.refund_attempt(context, &admitted).await?;
        if update.email != current.user.email {
            current.authentication.check(Brought::Password, now)?;
        }
        return Ok(None);
    }
    let typed = match &update.current_password {
        Some(typed) if current.authentication.has_password => typed,
        _ => return Err(Error::StepUpRequired(current.authentication.step_up_methods())),
    };
    if !member.password_matches(context, typed).await? {
        return Err(member.wrong_password(context, "currentPassword"));
    }
    member.refund_attempt(context, &admitted).await?;
    current.authentication.check(Brought::Password, now)?;
    new_password_hash(context, &update.password).await
}

async fn new_password_hash(context: &Context, password: &Password) -> Result<Option<String>, Error> {
    check_breached_password(context, password).await?;
    Ok(Some(context.passwords.hash(password).await?))
}

async fn save(
    context: &Context,
    current: &LiveSession,
    updated: &Updated,
    password_hash: Option<&str>,
) -> Result<(), Error> {
    let Updated { user, pending_email } = updated;
    let changed = changed_fields(&current.user, user, password_hash);
    if changed.is_empty() && pending_email.is_none() {
        return Ok(());
    }
    let mut tx = kit::database::begin(&context.pool).await?;
    if let Some(email) = pending_email {
        account::lock_email(&mut tx, email).await?;
    }
    account::update_profile(&mut tx, user, password_hash).await?;
    if password_hash.is_some() {
        // The member gets the password for what it closes: links, handoff tokens and sessions elsewhere.
        account_link::delete_of(&mut tx, user.id).await?;
        handoff_token::delete_of(&mut tx, user.id).await?;
        challenge::delete_of(&mut tx, user.id).await?;
        session::delete_all(&mut tx, user.id, Some(current.id)).await?;
        queue_notice(context, &mut tx, Template::PasswordChanged, user.id).await?;
    }
    if let Some(email) = pending_email {
        request_confirmation(context, &mut tx, user.id, email).await?;
    }
    if !changed.is_empty() {
        emit::profile_updated(&mut tx, &context.clock, user.id, &changed).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The latest address asked for is the one that can be confirmed. Call with the address locked.
async fn request_confirmation(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    email: &Email,
) -> Result<(), Error> {
    if account::is_email_taken(tx, email, user_id, context.clock.now()).await? {
        return Err(Error::EmailTaken);
    }
    account_link::delete_new_emails(tx, user_id).await?;
    queue_confirmation(context, tx, user_id, email).await?;
    Ok(())
}

fn changed_fields(former: &User, user: &User, password_hash: Option<&str>) -> Vec<&'static str> {
    let compared = [
        ("fullname", former.full_name != user.full_name),
        ("password", password_hash.is_some()),
    ];
    compared
        .into_iter()
        .filter_map(|(field, is_other)| is_other.then_some(field))
        .collect()
}
