//! Creates a TOTP secret that waits for its first code. An enabled one stays until then.
use crate::crypto::totp::base32;
use crate::domain::session::second_factor::key_uri;
use crate::domain::session::step_up::Brought;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::second_factor;

pub struct Enrolment {
    /// In Base32.
    pub secret: String,
    pub uri: String,
}

pub async fn enrol_second_factor(context: &Context, token: &str) -> Result<Enrolment, Error> {
    let session = live_session(context, token).await?.session;
    let user = session.user;
    session
        .authentication
        .check(Brought::Nothing, context.clock.now())?;
    let new = context
        .second_factor_keys
        .new_secret(user.id)
        .map_err(|_| Error::SecondFactorKey)?;
    let mut tx = kit::database::begin(&context.pool).await?;
    second_factor::set_pending(&mut tx, user.id, &new.ciphertext).await?;
    tx.commit().await?;
    let secret = base32(&new.secret);
    Ok(Enrolment {
        uri: key_uri(&user.email, &secret),
        secret,
    })
}
