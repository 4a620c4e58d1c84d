//! The `Idempotency-Key` header, handed inwards; the services keep what it stands for.
use axum::extract::FromRequestParts;
use http::request::Parts;
use kit::error::Kind;

use crate::error::{Answer, Problem};

const LONGEST: usize = 255;

/// Empty where the caller sent none.
pub struct IdempotencyKey(pub String);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Answer<Self> {
        let Some(key) = parts.headers.get("idempotency-key") else {
            return Ok(Self(String::new()));
        };
        match key.to_str() {
            Ok(key) if (1..=LONGEST).contains(&key.len()) => Ok(Self(key.to_owned())),
            Ok(_) | Err(_) => Err(Problem::new(
                Kind::Invalid,
                "INVALID_IDEMPOTENCY_KEY",
                "The idempotency key cannot be used.",
            )
            .field(
                "Idempotency-Key",
                "INVALID",
                "Send 1 to 255 visible ASCII characters.",
            )),
        }
    }
}
