//! Id tokens of providers: JWTs signed with RS256 (RFC 7515), verified with the provider's keys (RFC 7517).
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::domain::social::TokenError;

/// The only one that Apple and Google sign with. What a token says of itself chooses no other.
const ALGORITHM: &str = "RS256";

const LONGEST: usize = 8 * 1024;

/// An RSA key as numbers, big endian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    pub n: Vec<u8>,
    pub e: Vec<u8>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: String,
    /// Extensions that must be understood (RFC 7515, 4.1.11); we understand none.
    crit: Option<serde_json::Value>,
}

/// A token as it came: nothing in it is to be believed but which key it wants to be held against.
#[derive(Debug)]
pub struct Unverified<'a> {
    pub key_id: String,
    signed: &'a str,
    payload: &'a str,
    signature: Vec<u8>,
}

impl<'a> Unverified<'a> {
    pub fn parse(token: &'a str) -> Result<Self, TokenError> {
        if token.len() > LONGEST {
            return Err(TokenError::Malformed);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let header: Header = decoded(header)?;
        if header.alg != ALGORITHM || header.crit.is_some() {
            return Err(TokenError::Algorithm);
        }
        Ok(Self {
            key_id: header.kid,
            signed,
            payload,
            signature: URL_SAFE_NO_PAD
                .decode(signature)
                .map_err(|_| TokenError::Malformed)?,
        })
    }

    pub fn verify<C: DeserializeOwned>(&self, key: &PublicKey) -> Result<C, TokenError> {
        let key = RsaPublicKeyComponents { n: &key.n, e: &key.e };
        key.verify(
            &RSA_PKCS1_2048_8192_SHA256,
            self.signed.as_bytes(),
            &self.signature,
        )
        .map_err(|_| TokenError::Signature)?;
        decoded(self.payload)
    }
}

fn decoded<T: DeserializeOwned>(part: &str) -> Result<T, TokenError> {
    let json = URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)?;
    serde_json::from_slice(&json).map_err(|_| TokenError::Malformed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn token(header: &str) -> String {
        format!("{}.e30.c2ln", URL_SAFE_NO_PAD.encode(header))
    }

    #[test]
    fn other_algorithms_are_rejected() {
        for header in [
            r#"{"alg":"none","kid":"k"}"#,
            r#"{"alg":"HS256","kid":"k"}"#,
            r#"{"alg":"rs256","kid":"k"}"#,
            r#"{"alg":"RS256","kid":"k","crit":["exp"]}"#,
        ] {
            assert_eq!(
                Unverified::parse(&token(header)).unwrap_err(),
                TokenError::Algorithm,
                "{header}"
            );
        }
        assert!(Unverified::parse(&token(r#"{"alg":"RS256","kid":"k"}"#)).is_ok());
    }

    #[test]
    fn what_is_no_token_is_malformed() {
        for text in [
            String::new(),
            "a.b".to_owned(),
            "..".to_owned(),
            token(r#"{"alg":"RS256"}"#),
            "x".repeat(9_000),
        ] {
            assert_eq!(
                Unverified::parse(&text).unwrap_err(),
                TokenError::Malformed,
                "{text}"
            );
        }
    }

    #[test]
    fn a_key_that_is_none_verifies_nothing() {
        let token = token(r#"{"alg":"RS256","kid":"k"}"#);
        let unverified = Unverified::parse(&token).unwrap();
        let key = PublicKey {
            n: vec![1; 64],
            e: vec![3],
        };
        assert_eq!(
            unverified.verify::<serde_json::Value>(&key).unwrap_err(),
            TokenError::Signature
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC{0,80}") {
            let _ = Unverified::parse(&text);
        }
    }
}
