//! Proof of a signed-in member by the current password, required for changes that could take the account over.
use crate::crypto::passwords::PasswordCheck;
use crate::domain::caller::Caller;
use crate::domain::password::Password;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::credentials::check_throttle::{
    ThrottlePass, check_proof_throttle, network_tag, refund_attempt,
};
use crate::store::session::LiveSession;

/// A member, the hash of their password and the network of the request.
pub struct Member<'a> {
    pub session: &'a LiveSession,
    pub stored: Option<&'a str>,
    pub caller: &'a Caller,
}

impl Member<'_> {
    /// Call before any password is compared.
    pub async fn check_throttle(&self, context: &Context) -> Result<ThrottlePass, Error> {
        let user = &self.session.user;
        check_proof_throttle(context, user.id, &user.email, self.caller).await
    }

    pub async fn password_matches(&self, context: &Context, password: &Password) -> Result<bool, Error> {
        Ok(context.passwords.verify(password, self.stored).await? != PasswordCheck::Mismatch)
    }

    pub async fn refund_attempt(&self, context: &Context, admitted: &ThrottlePass) -> Result<(), Error> {
        let mut tx = kit::database::begin(&context.pool).await?;
        refund_attempt(&mut tx, admitted).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The refusal of a password that does not fit, logged.
    pub fn wrong_password(&self, context: &Context, field: &'static str) -> Error {
        tracing::info!(
            user.id = %self.session.user.id,
            network = network_tag(context, self.caller),
            "wrong current password"
        );
        Error::WrongPassword(field)
    }
}
