//! Secrets of second factors: TOTP secrets are encrypted, recovery codes are hashed, both under `AUTH_SECOND_FACTOR_KEY`.
use hmac::{Hmac, KeyInit, Mac};
use ring::error::Unspecified;
use secrecy::SecretString;
use sha2::Sha256;

use crate::crypto::cipher::{Cipher, derived_key};
use crate::domain::session::second_factor::RECOVERY_CODE_SYMBOLS;
use crate::domain::user::UserId;

/// As long as the hash of TOTP (RFC 4226, section 4).
const SECRET_BYTES: usize = 20;

/// 32 symbols, without those that are read as another one.
const SYMBOLS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

pub struct SecondFactorKeys {
    cipher: Cipher,
    codes: Hmac<Sha256>,
}

pub struct NewSecret {
    pub secret: [u8; SECRET_BYTES],
    /// As it is stored.
    pub ciphertext: Vec<u8>,
}

impl SecondFactorKeys {
    pub fn new(secret: &SecretString) -> Result<Self, Unspecified> {
        let codes = derived_key(secret, b"hashes of recovery codes")?;
        Ok(Self {
            cipher: Cipher::new(secret, b"encryption of second factors")?,
            codes: Hmac::new_from_slice(&codes).map_err(|_| Unspecified)?,
        })
    }

    pub fn new_secret(&self, user_id: UserId) -> Result<NewSecret, Unspecified> {
        let secret: [u8; SECRET_BYTES] = rand::random();
        let ciphertext = self.cipher.encrypt(user_id.as_uuid().as_bytes(), &secret)?;
        Ok(NewSecret { secret, ciphertext })
    }

    pub fn secret(&self, user_id: UserId, ciphertext: &[u8]) -> Result<Vec<u8>, Unspecified> {
        self.cipher.decrypt(user_id.as_uuid().as_bytes(), ciphertext)
    }

    /// `code` without separators.
    pub fn recovery_code_hash(&self, user_id: UserId, code: &str) -> [u8; 32] {
        self.codes
            .clone()
            .chain_update(user_id.as_uuid().as_bytes())
            .chain_update(code.as_bytes())
            .finalize()
            .into_bytes()
            .into()
    }
}

/// 60 random bits, without separators.
pub fn new_recovery_code() -> String {
    let random: [u8; RECOVERY_CODE_SYMBOLS] = rand::random();
    let symbol = |byte: u8| char::from(SYMBOLS[usize::from(byte) % SYMBOLS.len()]);
    random.into_iter().map(symbol).collect()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn keys(secret: &str) -> SecondFactorKeys {
        SecondFactorKeys::new(&SecretString::from(secret)).unwrap()
    }

    #[test]
    fn a_secret_is_of_one_user_and_one_key() {
        let (ada, grace) = (
            UserId::new(DateTime::UNIX_EPOCH),
            UserId::new(DateTime::UNIX_EPOCH),
        );
        let new = keys("key").new_secret(ada).unwrap();
        assert_eq!(keys("key").secret(ada, &new.ciphertext).unwrap(), new.secret);
        assert!(keys("key").secret(grace, &new.ciphertext).is_err());
        assert!(keys("other").secret(ada, &new.ciphertext).is_err());
    }

    #[test]
    fn hashes_of_recovery_codes_differ_by_user_and_key() {
        let (ada, grace) = (
            UserId::new(DateTime::UNIX_EPOCH),
            UserId::new(DateTime::UNIX_EPOCH),
        );
        let code = new_recovery_code();
        assert_eq!(code.len(), RECOVERY_CODE_SYMBOLS);
        assert_ne!(code, new_recovery_code());
        let hash = keys("key").recovery_code_hash(ada, &code);
        assert_eq!(hash, keys("key").recovery_code_hash(ada, &code));
        assert_ne!(hash, keys("key").recovery_code_hash(grace, &code));
        assert_ne!(hash, keys("other").recovery_code_hash(ada, &code));
    }
}
