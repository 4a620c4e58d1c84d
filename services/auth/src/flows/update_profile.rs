//! Name, address and password from the profile form, which always has all three.
use crate::crypto::passwords::Verdict;
use crate::domain::mail::Template;
use crate::domain::profile::ProfileUpdate;
use crate::domain::user::User;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::live_session::live_session;
use crate::flows::write_mail::write_notice;
use crate::store::session::LiveSession;
use crate::store::{account, account_link, session};

pub async fn update_profile(context: &Context, token: &str, update: ProfileUpdate) -> Result<User, Error> {
    let current = live_session(context, token).await?.session;
    let password_hash = new_password_hash(context, &current.user, &update).await?;
    let user = User {
        full_name: update.full_name,
        email: update.email,
        ..current.user.clone()
    };
    save(context, &current, &user, password_hash.as_deref()).await?;
    Ok(user)
}

/// `None` where the form holds the password the account has: that ends no sessions.
async fn new_password_hash(
    context: &Context,
    user: &User,
    update: &ProfileUpdate,
) -> Result<Option<String>, Error> {
    let account = account::by_id(&mut *context.pool.acquire().await?, user.id).await?;
    let stored = account.ok_or(Error::SessionExpired)?.password_hash;
    let verdict = context
        .passwords
        .verify(&update.password, stored.as_deref())
        .await?;
    match verdict {
        Verdict::Fits | Verdict::FitsOutdated => Ok(None),
        Verdict::Refused => Ok(Some(context.passwords.hash(&update.password).await?)),
    }
}

async fn save(
    context: &Context,
    current: &LiveSession,
    user: &User,
    password_hash: Option<&str>,
) -> Result<(), Error> {
    let former = &current.user;
    let changed = changed_fields(former, user, password_hash);
    if changed.is_empty() {
        return Ok(());
    }
    let mut tx = context.pool.begin().await?;
    account::update_profile(&mut tx, user, password_hash).await?;
    if former.email != user.email {
        // A link on its way to the former address must not open the account.
        account_link::delete_of(&mut tx, user.id).await?;
        write_notice(
            context,
            &mut tx,
            Template::EmailChanged,
            user.id,
            Some(&former.email),
        )
        .await?;
    }
    if password_hash.is_some() {
        account_link::delete_of(&mut tx, user.id).await?;
        session::delete_all(&mut tx, user.id, Some(current.id)).await?;
        write_notice(context, &mut tx, Template::PasswordChanged, user.id, None).await?;
    }
    emit::profile_updated(&mut tx, &context.clock, user.id, &changed).await?;
    tx.commit().await?;
    Ok(())
}

fn changed_fields(former: &User, user: &User, password_hash: Option<&str>) -> Vec<&'static str> {
    let compared = [
        ("fullname", former.full_name != user.full_name),
        ("email", former.email != user.email),
        ("password", password_hash.is_some()),
    ];
    compared
        .into_iter()
        .filter_map(|(field, is_other)| is_other.then_some(field))
        .collect()
}
