//! Issues a nonce for a provider's sign-in. Nothing is stored until it is used.
use chrono::{DateTime, Utc};

use crate::crypto::social_nonces;
use crate::crypto::tokens::OpaqueToken;
use crate::flows::Context;

pub struct SocialNonce {
    pub nonce: String,
    pub expires_at: DateTime<Utc>,
    pub browser: OpaqueToken,
}

/// A browser keeps what it has: the nonces of its other windows are bound to it.
pub fn issue_social_nonce(context: &Context, browser: &str) -> SocialNonce {
    let browser = OpaqueToken::parse(browser).unwrap_or_else(OpaqueToken::random);
    let (nonce, expires_at) = social_nonces::make(&context.pseudonyms, &browser, context.clock.now());
    SocialNonce {
        nonce,
        expires_at,
        browser,
    }
}
