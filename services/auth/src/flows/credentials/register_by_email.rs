//! Signs up with an address alone; a mailed link lets the member choose a password.
use crate::domain::forms::registration::Registration;
use crate::error::Error;
use crate::flows::credentials::create_account::create_account;
use crate::flows::{Context, SignedIn};

pub async fn register_by_email(context: &Context, registration: Registration) -> Result<SignedIn, Error> {
    create_account(context, &registration, None).await
}
