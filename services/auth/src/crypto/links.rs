//! Tokens of mailed links: an HMAC of the link's id, so no table stores one.
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::domain::mail::LinkId;

pub struct LinkTokens {
    keyed: Hmac<Sha256>,
}

impl LinkTokens {
    pub fn new(key: &SecretString) -> Result<Self, hmac::digest::InvalidLength> {
        let keyed = Hmac::new_from_slice(key.expose_secret().as_bytes())?;
        Ok(Self {
            keyed: Mac::chain_update(keyed, b"mailed link "),
        })
    }

    /// The token of the mail, computed at each send.
    pub fn token(&self, link_id: LinkId) -> SecretString {
        let mac = self
            .keyed
            .clone()
            .chain_update(link_id.as_uuid().as_bytes())
            .finalize();
        SecretString::from(hex::encode(mac.into_bytes()))
    }

    pub fn digest(token: &SecretString) -> [u8; 32] {
        Sha256::digest(token.expose_secret().as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn tokens(key: &str) -> LinkTokens {
        LinkTokens::new(&SecretString::from(key)).unwrap()
    }

    #[test]
    fn a_link_has_one_token_under_one_key() {
        let link_id = LinkId::new(DateTime::UNIX_EPOCH);
        let token = tokens("key").token(link_id);
        assert_eq!(token.expose_secret().len(), 64);
        assert_eq!(
            token.expose_secret(),
            tokens("key").token(link_id).expose_secret()
        );
        assert_ne!(
            token.expose_secret(),
            tokens("other").token(link_id).expose_secret()
        );
        let other = LinkId::new(DateTime::UNIX_EPOCH);
        assert_ne!(token.expose_secret(), tokens("key").token(other).expose_secret());
    }
}
