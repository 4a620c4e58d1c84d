//! Mails a link to choose a password. An unknown address costs the same statements, rows and commit, so the response time
//! does not reveal accounts.
use crate::domain::forms::recovery::ForgotPassword;
use crate::domain::mail::Template;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::credentials::check_throttle::check_link_throttle;
use crate::flows::mails::queue_mail::queue_link_mail;
use crate::store::account;

pub async fn forgot_password(context: &Context, forgotten: ForgotPassword) -> Result<(), Error> {
    check_link_throttle(context, &forgotten.email, &forgotten.caller).await?;

    let lang = forgotten.lang.as_deref();
    let mut tx = kit::database::begin(&context.pool).await?;
    let account = account::by_email(&mut tx, &forgotten.email).await?;
    let user_id = account.map(|account| account.user.id);
    queue_link_mail(context, &mut tx, Template::ResetPassword, user_id, lang).await?;
    emit::password_reset_requested(&mut tx, &context.clock, user_id, lang).await?;
    tx.commit().await?;
    Ok(())
}
