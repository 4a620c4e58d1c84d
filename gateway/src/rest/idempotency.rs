//! The `Idempotency-Key` header. It is passed on; the services store keys with their responses.
use axum::extract::FromRequestParts;
use http::request::Parts;
use kit::error::{ErrorCode, Kind};

use crate::protocol::error::{HandlerResult, Problem};

const LONGEST: usize = 255;

/// Empty where the caller sent none.
pub struct IdempotencyKey(pub String);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> HandlerResult<Self> {
        let Some(key) = parts.headers.get("idempotency-key") else {
            return Ok(Self(String::new()));
        };
        match key.to_str() {
            Ok(key) if is_key(key) => Ok(Self(key.to_owned())),
            Ok(_) | Err(_) => Err(Problem::new(
                Kind::Invalid,
                ErrorCode::InvalidIdempotencyKey,
                "The idempotency key cannot be used.",
            )
            .field(
                "Idempotency-Key",
                ErrorCode::Invalid,
                "Send 1 to 255 visible ASCII characters.",
            )),
        }
    }
}

fn is_key(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_one_to_255_visible_characters() {
        let longest = "k".repeat(LONGEST);
        for key in ["k", "0199f0a4-6c1e-7cc0-9f3a-2b1d5f8a7c11", "!~", &longest] {
            assert!(is_key(key), "{key}");
        }
        for key in ["", "a b", "a\tb", "k\u{7f}", &"k".repeat(LONGEST + 1)] {
            assert!(!is_key(key), "{key}");
        }
    }
}
