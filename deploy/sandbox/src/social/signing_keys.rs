//! Rotating keys that sign id tokens.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::engine::rsa::{components, sign};

/// One provider's keys: the current one signs, it and the previous one are published.
pub struct KeyRing {
    owner: &'static str,
    rotations: usize,
    current: String,
}

impl KeyRing {
    pub fn new(owner: &'static str) -> Self {
        let mut ring = Self {
            owner,
            rotations: 0,
            current: String::new(),
        };
        ring.current = ring.name(0);
        ring
    }

    pub fn rotate(&mut self) -> &str {
        self.rotations += 1;
        self.current = self.name(self.rotations);
        &self.current
    }

    pub fn key_id(&self) -> &str {
        &self.current
    }

    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        sign(self.rotations, message)
    }

    /// With another key pair than the current one.
    pub fn sign_with_another(&self, message: &[u8]) -> Vec<u8> {
        sign(self.rotations + 1, message)
    }

    /// The public key, which a server could mistake for an HMAC secret.
    pub fn public_bytes(&self) -> Vec<u8> {
        components(self.rotations).map(|key| key.n).unwrap_or_default()
    }

    pub fn public(&self) -> Value {
        let previous = self.rotations.saturating_sub(1);
        let keys = (previous..=self.rotations).filter_map(|rotation| {
            let key = components(rotation)?;
            Some(json!({
                "kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.name(rotation),
                "n": URL_SAFE_NO_PAD.encode(key.n), "e": URL_SAFE_NO_PAD.encode(key.e),
            }))
        });
        json!({ "keys": keys.collect::<Vec<_>>() })
    }

    fn name(&self, rotation: usize) -> String {
        format!("{}-{}", self.owner, rotation + 1)
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};

    use super::*;

    #[test]
    fn every_pair_signs_and_the_previous_stays_published() {
        let mut ring = KeyRing::new("apple");
        for rotation in 0..4 {
            let key = components(rotation).unwrap();
            let public = RsaPublicKeyComponents { n: &key.n, e: &key.e };
            public
                .verify(&RSA_PKCS1_2048_8192_SHA256, b"text", &ring.sign(b"text"))
                .unwrap();
            let names: Vec<Value> = ring.public()["keys"]
                .as_array()
                .unwrap()
                .iter()
                .map(|key| key["kid"].clone())
                .collect();
            assert_eq!(names.last().unwrap(), ring.key_id());
            assert_eq!(names.len(), if rotation == 0 { 1 } else { 2 });
            ring.rotate();
        }
    }
}
