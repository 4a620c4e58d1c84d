//! Session and handoff tokens: 256 random bits; only the hash is stored.
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

const TOKEN_BYTES: usize = 32;

#[derive(Clone, Debug)]
pub struct OpaqueToken(SecretString);

impl OpaqueToken {
    pub fn random() -> Self {
        Self(SecretString::from(hex::encode(
            rand::random::<[u8; TOKEN_BYTES]>(),
        )))
    }

    /// `None` for a text this service never made; saves asking the database about it.
    pub fn parse(given: &str) -> Option<Self> {
        let well_formed = given.len() == TOKEN_BYTES * 2
            && given
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        well_formed.then(|| Self(SecretString::from(given)))
    }

    /// Fast on purpose: 256 random bits need no slow hash.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.expose().as_bytes()).into()
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_unlike_each_other_and_can_be_read_back() {
        let (one, other) = (OpaqueToken::random(), OpaqueToken::random());
        assert_ne!(one.expose(), other.expose());
        assert_eq!(OpaqueToken::parse(one.expose()).unwrap().digest(), one.digest());
    }

    #[test]
    fn other_texts_are_no_tokens() {
        let upper = OpaqueToken::random().expose().to_uppercase() + "A";
        for text in ["", "abc", upper.as_str(), &"g".repeat(64), &"é".repeat(32)] {
            assert!(OpaqueToken::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn debug_output_shows_no_token() {
        let token = OpaqueToken::random();
        assert!(!format!("{token:?}").contains(token.expose()));
    }
}
