//! Returns the state of a member's second factor.
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::second_factor::recovery_code;

pub struct SecondFactorState {
    pub is_enabled: bool,
    /// The account has a role that needs one.
    pub is_required: bool,
    pub recovery_codes_left: i64,
}

pub async fn get_second_factor(context: &Context, token: &str) -> Result<SecondFactorState, Error> {
    let session = live_session(context, token).await?.session;
    let mut connection = context.pool.acquire().await?;
    Ok(SecondFactorState {
        is_enabled: session.authentication.has_second_factor,
        is_required: !session.roles.is_empty(),
        recovery_codes_left: recovery_code::count(&mut connection, session.user.id).await?,
    })
}
