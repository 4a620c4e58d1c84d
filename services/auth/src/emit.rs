//! What auth tells the others, into the outbox of the open transaction.
use kit::clock::Clock;
use kit::outbox::{self, Draft};
use proto::events::v1::{UserRegistered, UserSignedIn};
use sqlx::PgConnection;

use crate::domain::registration::Registration;
use crate::domain::user::UserId;
use crate::error::Error;

pub const METHOD_FORM: &str = "form";
const METHOD_SIGN_IN: &str = "signin";

pub async fn user_registered(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    email_hash: [u8; 32],
    registration: &Registration,
) -> Result<(), Error> {
    let data = UserRegistered {
        user_id: user_id.to_string(),
        email_hash: hex::encode(email_hash),
        method: METHOD_FORM.to_owned(),
        order_id: registration.order_id.clone(),
    };
    let draft = Draft::new("stillpoint.auth.user.registered", user_id, &data)?
        .lang(registration.lang.as_deref().unwrap_or_default())
        .country(registration.country.as_deref().unwrap_or_default());
    outbox::append(tx, clock, draft).await?;
    Ok(())
}

pub async fn user_signed_in(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    lang: Option<&str>,
) -> Result<(), Error> {
    let data = UserSignedIn {
        user_id: user_id.to_string(),
        method: METHOD_SIGN_IN.to_owned(),
    };
    let draft = Draft::new("stillpoint.auth.user.signed_in", user_id, &data)?.lang(lang.unwrap_or_default());
    outbox::append(tx, clock, draft).await?;
    Ok(())
}
