//! What production demands of a secret.

use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};

use super::public_secrets::PUBLIC_SECRETS;

/// What a secret, or each of several, comma separated, must be.
#[derive(Clone, Debug)]
pub(super) struct SecretRule {
    /// Elsewhere every value is accepted.
    pub is_production: bool,
    pub dev_default: String,
    pub bytes_min: usize,
}

impl SecretRule {
    /// The reasons to reject `value`; none of them contains it.
    pub fn violations(&self, value: &SecretString) -> Vec<String> {
        if !self.is_production {
            return Vec::new();
        }
        let is_public = |secret: &str| {
            secret == self.dev_default || PUBLIC_SECRETS.contains(&secret) || has_public_password(secret)
        };
        let secrets = || value.expose_secret().split(',').map(str::trim);
        let mut reasons = Vec::new();
        if secrets().any(is_public) {
            reasons.push("holds a public development value; set another one in production".to_owned());
        }
        if secrets().any(|secret| !is_public(secret) && secret.len() < self.bytes_min) {
            let bytes_min = self.bytes_min;
            reasons.push(format!("must have at least {bytes_min} characters in production"));
        }
        reasons
    }
}

/// Whether a URL holds one of `PUBLIC_SECRETS` as its password. False for other text.
fn has_public_password(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    let is_public = |password: &str| PUBLIC_SECRETS.contains(&password);
    // Postgres reads it there as well.
    let in_query = url
        .query_pairs()
        .any(|(name, value)| name == "password" && is_public(&value));
    in_query || url.password().is_some_and(is_public)
}
