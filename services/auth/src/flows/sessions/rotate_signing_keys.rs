//! Creates the next signing key in time and deletes expired ones.
use crate::domain::access_token::KeyRotation;
use crate::error::Error;
use crate::flows::Context;
use crate::store::signing_key;

pub async fn rotate_signing_keys(context: &Context) -> Result<(), Error> {
    let now = context.clock.now();
    let seal = &context.access_tokens.cipher;
    let mut tx = kit::database::begin(&context.pool).await?;
    signing_key::lock(&mut tx).await?;
    let last = signing_key::last_until(&mut tx, seal.id()).await?;
    if let Some(term) = context.access_tokens.rotation.next_period(last, now) {
        let key = seal.new_key().map_err(|_| Error::SigningKey)?;
        signing_key::insert(&mut tx, &key, seal.id(), term).await?;
        tracing::info!(key.id = %key.key_id, "signing key of access tokens created");
    }
    signing_key::delete_expired(&mut tx, KeyRotation::verifies_until_after(now)).await?;
    tx.commit().await?;
    Ok(())
}
