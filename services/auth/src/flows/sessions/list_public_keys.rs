//! Lists the public keys of access tokens.

use crate::domain::access_token::KeyRotation;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::issue_access_token::PublicKey;
use crate::store::signing_key;

pub async fn list_public_keys(context: &Context) -> Result<Vec<PublicKey>, Error> {
    let of_use_since = KeyRotation::verifies_until_after(context.clock.now());
    let keys = signing_key::public(&mut *context.pool.acquire().await?, of_use_since).await?;
    let public_key = |(key_id, key)| PublicKey { key_id, key };
    Ok(keys.into_iter().map(public_key).collect())
}
