//! Keyed hashes that join records without personal data.
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::domain::email::Email;

/// A plain SHA-256 of an address is undone by hashing every known address; without the key this is not.
pub struct Pseudonyms {
    keyed: Hmac<Sha256>,
}

impl Pseudonyms {
    pub fn new(key: &SecretString) -> Result<Self, hmac::digest::InvalidLength> {
        Ok(Self {
            keyed: Hmac::new_from_slice(key.expose_secret().as_bytes())?,
        })
    }

    pub fn of(&self, email: &Email) -> [u8; 32] {
        self.keyed
            .clone()
            .chain_update(email.as_str())
            .finalize()
            .into_bytes()
            .into()
    }

    /// One value for a form's fields. Each is preceded by its length, so that moving a letter from one field to the
    /// next is another form.
    pub fn fingerprint(&self, fields: &[&str]) -> [u8; 32] {
        let with_field = |mac: Hmac<Sha256>, field: &&str| {
            mac.chain_update(field.len().to_be_bytes())
                .chain_update(field.as_bytes())
        };
        fields
            .iter()
            .fold(self.keyed.clone(), with_field)
            .finalize()
            .into_bytes()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudonyms(key: &str) -> Pseudonyms {
        Pseudonyms::new(&SecretString::from(key)).unwrap()
    }

    #[test]
    fn one_address_has_one_pseudonym_per_key() {
        let email = Email::parse("ada@example.com").unwrap();
        assert_eq!(
            pseudonyms("one").of(&email),
            pseudonyms("one").of(&Email::parse("ADA@example.com").unwrap())
        );
        assert_ne!(pseudonyms("one").of(&email), pseudonyms("two").of(&email));
    }

    #[test]
    fn it_is_the_hmac_that_others_would_compute() {
        // RFC 4231, test case 2.
        let mac = pseudonyms("Jefe")
            .keyed
            .clone()
            .chain_update("what do ya want for nothing?")
            .finalize();
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hex::encode(mac.into_bytes()), expected);
    }

    #[test]
    fn fingerprints_tell_apart_where_a_field_ends() {
        let pseudonyms = pseudonyms("key");
        assert_ne!(
            pseudonyms.fingerprint(&["ab", "c"]),
            pseudonyms.fingerprint(&["a", "bc"])
        );
        assert_ne!(pseudonyms.fingerprint(&["a"]), pseudonyms.fingerprint(&["a", ""]));
    }
}
