//! The current password of a member who is signed in: a browser that was left open, or a copied session, is not enough for what
//! could take the account over.
use crate::crypto::passwords::Verdict;
use crate::domain::caller::Caller;
use crate::domain::password::Password;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::admit_attempt::{Admitted, admit_proof, forgive, network_mark};
use crate::store::session::LiveSession;

/// A member, the hash of their password and the network of the request.
pub struct Member<'a> {
    pub session: &'a LiveSession,
    pub stored: Option<&'a str>,
    pub caller: &'a Caller,
}

impl Member<'_> {
    /// Call before any password is compared.
    pub async fn admit(&self, context: &Context) -> Result<Admitted, Error> {
        let user = &self.session.user;
        admit_proof(context, (user.id, &user.email), self.caller).await
    }

    pub async fn fits(&self, context: &Context, password: &Password) -> Result<bool, Error> {
        Ok(context.passwords.verify(password, self.stored).await? != Verdict::Refused)
    }

    pub async fn forgive(&self, context: &Context, admitted: &Admitted) -> Result<(), Error> {
        let mut tx = context.pool.begin().await?;
        forgive(&mut tx, admitted).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The refusal of a password that does not fit, logged.
    pub fn refusal(&self, context: &Context, field: &'static str) -> Error {
        tracing::info!(
            user.id = %self.session.user.id,
            network = network_mark(context, self.caller),
            "wrong current password"
        );
        Error::WrongPassword(field)
    }
}
