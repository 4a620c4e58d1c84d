//! Encryption of small secrets in the database: AES-256-GCM under a key derived from a setting.
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

pub struct Cipher {
    key: LessSafeKey,
}

impl Cipher {
    /// Ciphers of different purposes have unrelated keys.
    pub fn new(secret: &SecretString, purpose: &[u8]) -> Result<Self, Unspecified> {
        let key = UnboundKey::new(&AES_256_GCM, &derived_key(secret, purpose)?)?;
        Ok(Self {
            key: LessSafeKey::new(key),
        })
    }

    /// The nonce, followed by the ciphertext. It is decrypted for the same `owner` only.
    pub fn encrypt(&self, owner: &[u8], plain: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let nonce: [u8; NONCE_LEN] = rand::random();
        let mut sealed = plain.to_vec();
        self.key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(owner),
            &mut sealed,
        )?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    pub fn decrypt(&self, owner: &[u8], stored: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let (nonce, sealed) = stored.split_at_checked(NONCE_LEN).ok_or(Unspecified)?;
        let mut opened = sealed.to_vec();
        let nonce = Nonce::try_assume_unique_for_key(nonce)?;
        let plain = self.key.open_in_place(nonce, Aad::from(owner), &mut opened)?;
        Ok(plain.to_vec())
    }
}

pub fn derived_key(secret: &SecretString, purpose: &[u8]) -> Result<[u8; 32], Unspecified> {
    let keyed: Hmac<Sha256> =
        Hmac::new_from_slice(secret.expose_secret().as_bytes()).map_err(|_| Unspecified)?;
    Ok(keyed.chain_update(purpose).finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cipher(secret: &str, purpose: &str) -> Cipher {
        Cipher::new(&SecretString::from(secret), purpose.as_bytes()).unwrap()
    }

    #[test]
    fn ciphertext_is_bound_to_secret_purpose_and_owner() {
        let stored = cipher("secret", "a").encrypt(b"ada", b"plain").unwrap();
        assert_eq!(cipher("secret", "a").decrypt(b"ada", &stored).unwrap(), b"plain");
        assert!(cipher("other", "a").decrypt(b"ada", &stored).is_err());
        assert!(cipher("secret", "b").decrypt(b"ada", &stored).is_err());
        assert!(cipher("secret", "a").decrypt(b"grace", &stored).is_err());
        assert!(cipher("secret", "a").decrypt(b"ada", &stored[..5]).is_err());
        let again = cipher("secret", "a").encrypt(b"ada", b"plain").unwrap();
        assert_ne!(again, stored, "each has a nonce of its own");
    }
}
