//! Apple and Google sign-in: verifies the signature and claims of an id token.
use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::jwks::KeySet;
use crate::crypto::id_tokens::Unverified;
use crate::domain::social::{Assertion, Expected, IdClaims, TokenError};
use crate::ports::{IdentityProvider, ProviderError};

pub struct OpenId {
    expected: Expected,
    keys: KeySet,
}

impl OpenId {
    pub fn new(expected: Expected, keys: KeySet) -> Self {
        Self { expected, keys }
    }
}

#[async_trait]
impl IdentityProvider for OpenId {
    async fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Assertion, ProviderError> {
        let unverified = Unverified::parse(token)?;
        let key = self.keys.find(&unverified.key_id, now).await?;
        let claims: IdClaims = unverified.verify(&key.ok_or(TokenError::UnknownKey)?)?;
        Ok(self.expected.check(claims, now)?)
    }
}
