//! Bearer tokens of machines and operators.
use axum::http::HeaderMap;
use http::header::AUTHORIZATION;
use kit::config::RotatingSecret;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The token of `Authorization: Bearer …`.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether the caller sent one of the values of this secret. Takes equally long for every wrong token.
pub fn carries(headers: &HeaderMap, secret: &RotatingSecret) -> bool {
    let Some(token) = bearer(headers) else {
        return false;
    };
    let given = Sha256::digest(token.as_bytes());
    let is_given = |value: &SecretString| {
        let expected = Sha256::digest(value.expose_secret().as_bytes());
        bool::from(given.as_slice().ct_eq(expected.as_slice()))
    };
    secret.values().iter().any(is_given)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))])
    }

    #[test]
    fn only_the_exact_token_passes() {
        let secret = RotatingSecret::fixed(&"s3cret".into());
        assert!(carries(&headers("Bearer s3cret"), &secret));
        assert!(carries(&headers("bearer s3cret"), &secret));
        for wrong in [
            "Bearer s3cre",
            "Bearer",
            "Basic s3cret",
            "s3cret",
            "Bearer s3cret2",
        ] {
            assert!(!carries(&headers(wrong), &secret), "{wrong}");
        }
        assert!(!carries(&HeaderMap::new(), &secret));
    }

    #[test]
    fn old_and_new_token_pass_during_a_rotation() {
        let secret = RotatingSecret::fixed(&"old, new".into());
        for token in ["Bearer old", "Bearer new"] {
            assert!(carries(&headers(token), &secret), "{token}");
        }
        assert!(!carries(&headers("Bearer old, new"), &secret));
    }
}
