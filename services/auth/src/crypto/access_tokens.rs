//! Access tokens: JWTs signed with Ed25519 (RFC 8037), and encryption of their signing keys.
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::error::Unspecified;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use crate::crypto::cipher::{Cipher, derived_key};
use crate::domain::access_token::Claims;

const ALGORITHM: &str = "EdDSA";
const SEED_BYTES: usize = 32;

#[derive(Serialize, Deserialize)]
struct Header {
    alg: String,
    kid: String,
    typ: Option<String>,
}

/// A key as it is stored.
pub struct EncryptedKey {
    pub key_id: String,
    pub public_key: Vec<u8>,
    pub ciphertext: Vec<u8>,
}

/// Encrypts and decrypts private keys with the secret from the settings.
pub struct KeyCipher {
    cipher: Cipher,
    id: Vec<u8>,
}

impl KeyCipher {
    pub fn new(secret: &SecretString) -> Result<Self, Unspecified> {
        Ok(Self {
            cipher: Cipher::new(secret, b"seal of signing keys")?,
            id: derived_key(secret, b"name of the seal")?[..8].to_vec(),
        })
    }

    /// Identifies the secret that encrypts the keys.
    pub fn id(&self) -> &[u8] {
        &self.id
    }

    pub fn new_key(&self) -> Result<EncryptedKey, Unspecified> {
        let seed: [u8; SEED_BYTES] = rand::random();
        let key_id = hex::encode(rand::random::<[u8; 8]>());
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| Unspecified)?;
        Ok(EncryptedKey {
            public_key: pair.public_key().as_ref().to_vec(),
            ciphertext: self.cipher.encrypt(key_id.as_bytes(), &seed)?,
            key_id,
        })
    }

    pub fn sign(&self, key: &EncryptedKey, claims: &Claims) -> Result<String, Unspecified> {
        let seed = self.cipher.decrypt(key.key_id.as_bytes(), &key.ciphertext)?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| Unspecified)?;

        let header = Header {
            alg: ALGORITHM.to_owned(),
            kid: key.key_id.clone(),
            typ: Some("JWT".to_owned()),
        };
        let signed = format!("{}.{}", encoded(&header)?, encoded(claims)?);
        let signature = URL_SAFE_NO_PAD.encode(pair.sign(signed.as_bytes()));
        Ok(format!("{signed}.{signature}"))
    }
}

/// A token as it came: nothing in it is to be believed but which key it wants to be held against.
pub struct Unverified<'a> {
    pub key_id: String,
    signed: &'a str,
    payload: &'a str,
    signature: Vec<u8>,
}

impl<'a> Unverified<'a> {
    pub fn parse(token: &'a str) -> Option<Self> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, payload) = signed.split_once('.')?;
        let header: Header = decoded(header)?;
        (header.alg == ALGORITHM).then_some(())?;
        Some(Self {
            key_id: header.kid,
            signed,
            payload,
            signature: URL_SAFE_NO_PAD.decode(signature).ok()?,
        })
    }

    pub fn verify(&self, public_key: &[u8]) -> Option<Claims> {
        let key = UnparsedPublicKey::new(&ED25519, public_key);
        key.verify(self.signed.as_bytes(), &self.signature).ok()?;
        decoded(self.payload)
    }
}

/// A public key as JWKS writes it.
pub fn public_text(public_key: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(public_key)
}

fn encoded(part: &impl Serialize) -> Result<String, Unspecified> {
    let json = serde_json::to_vec(part).map_err(|_| Unspecified)?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

fn decoded<T: serde::de::DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::*;
    use crate::domain::session::SessionId;
    use crate::domain::user::UserId;

    fn seal(secret: &str) -> KeyCipher {
        KeyCipher::new(&SecretString::from(secret)).unwrap()
    }

    fn claims() -> Claims {
        let now = DateTime::UNIX_EPOCH;
        Claims::new(
            "https://stillpoint.example",
            UserId::new(now),
            SessionId::new(now),
            now,
        )
    }

    #[test]
    fn a_signed_token_says_what_was_signed() {
        let key = seal("secret").new_key().unwrap();
        let claims = claims();
        let token = seal("secret").sign(&key, &claims).unwrap();
        let unverified = Unverified::parse(&token).unwrap();
        assert_eq!(unverified.key_id, key.key_id);
        assert_eq!(unverified.verify(&key.public_key), Some(claims));
        let other = seal("secret").new_key().unwrap();
        assert_eq!(unverified.verify(&other.public_key), None);
    }

    #[test]
    fn a_key_opens_with_its_secret_and_under_its_name_only() {
        let key = seal("secret").new_key().unwrap();
        assert!(seal("other").sign(&key, &claims()).is_err());
        assert_ne!(seal("secret").id(), seal("other").id());
        let renamed = EncryptedKey {
            key_id: "another".to_owned(),
            ..key
        };
        assert!(seal("secret").sign(&renamed, &claims()).is_err());
    }

    #[test]
    fn other_algorithms_are_rejected() {
        for header in [
            r#"{"alg":"none","kid":"k"}"#,
            r#"{"alg":"HS256","kid":"k"}"#,
            r#"{"alg":"eddsa","kid":"k"}"#,
            r#"{"alg":"EdDSA"}"#,
        ] {
            let token = format!("{}.e30.", URL_SAFE_NO_PAD.encode(header));
            assert!(Unverified::parse(&token).is_none(), "{header}");
        }
    }

    proptest! {
        #[test]
        fn one_changed_character_breaks_the_token(position in 0..200_usize, other in "[A-Za-z0-9_.-]") {
            let key = seal("secret").new_key().unwrap();
            let token = seal("secret").sign(&key, &claims()).unwrap();
            let mut changed: Vec<char> = token.chars().collect();
            let position = position % (changed.len() - 1);
            prop_assume!(changed[position].to_string() != other);
            changed[position] = other.chars().next().unwrap();
            let changed: String = changed.into_iter().collect();
            let verified = Unverified::parse(&changed).and_then(|token| token.verify(&key.public_key));
            prop_assert_eq!(verified, None);
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC{0,80}") {
            let _ = Unverified::parse(&text);
        }
    }
}
