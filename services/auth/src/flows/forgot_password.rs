//! Mails a link to choose a password. For an address that nobody has it does the same and nothing is sent: the same
//! statements, the same rows, one commit, so that neither answer nor time tells who has an account.
use crate::domain::mail::Template;
use crate::domain::recovery::Forgotten;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::admit_attempt::admit_link;
use crate::flows::write_mail::write_link_mail;
use crate::store::account;

pub async fn forgot_password(context: &Context, forgotten: Forgotten) -> Result<(), Error> {
    admit_link(context, &forgotten.email, &forgotten.caller).await?;

    let lang = forgotten.lang.as_deref();
    let mut tx = context.pool.begin().await?;
    let account = account::by_email(&mut tx, &forgotten.email).await?;
    let user_id = account.map(|account| account.user.id);
    write_link_mail(context, &mut tx, Template::ResetPassword, user_id, lang).await?;
    emit::password_reset_requested(&mut tx, &context.clock, user_id, lang).await?;
    tx.commit().await?;
    Ok(())
}
