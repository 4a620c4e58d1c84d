//! Signs up with a password.
use crate::domain::forms::registration::Registration;
use crate::error::Error;
use crate::flows::credentials::check_breached_password::check_breached_password;
use crate::flows::credentials::create_account::create_account;
use crate::flows::{Context, SignedIn};

/// The password is hashed before the transaction begins, because hashing is slow.
pub async fn register(context: &Context, registration: Registration) -> Result<SignedIn, Error> {
    let password_hash = match &registration.password {
        Some(password) => {
            check_breached_password(context, password).await?;
            Some(context.passwords.hash(password).await?)
        }
        None => None,
    };
    create_account(context, &registration, password_hash.as_deref()).await
}
