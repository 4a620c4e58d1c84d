//! OAuth access tokens. A token contains its expiry and an HMAC, so that none is stored.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::Sha256;

use crate::{
    engine::{
        http::call::{Call, Reply},
        ids::random,
    },
    paypal::{error::ApiError, provider::PaypalProvider},
};

const TTL_SECS: i64 = 32_400;

/// What a token may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Everything,
    /// The browser's script has the client id and no secret.
    Subscribing,
}

impl Scope {
    const fn code(self) -> &'static str {
        match self {
            Self::Everything => "A",
            Self::Subscribing => "B",
        }
    }
}

pub fn grant(provider: &PaypalProvider, call: &Call, now: i64) -> Reply {
    let scope = match call.basic() {
        Some((id, secret)) if id == provider.client_id && secret == provider.client_secret => {
            Scope::Everything
        }
        Some((id, secret)) if id == provider.client_id && secret.is_empty() => Scope::Subscribing,
        _ => return failure(401, "invalid_client", "Client Authentication failed"),
    };
    let fields = call.fields();
    let grant = fields.iter().find(|(name, _)| name == "grant_type");
    match grant.map(|(_, value)| value.as_str()) {
        Some("client_credentials") => {}
        Some(_) => return failure(400, "unsupported_grant_type", "unsupported grant_type"),
        None => return failure(400, "unsupported_grant_type", "Grant Type is NULL"),
    }
    let expires_at = now + TTL_SECS;
    let token = format!(
        "A21AA{}{expires_at:x}-{}",
        scope.code(),
        mac(provider, scope, expires_at)
    );
    Reply::json(
        200,
        &json!({
            "scope": "https://uri.paypal.com/services/subscriptions https://uri.paypal.com/services/applications/webhooks",
            "access_token": token,
            "token_type": "Bearer",
            "app_id": "APP-80W284485P519543T",
            "expires_in": TTL_SECS,
            "nonce": format!("{now}{}", random(24)),
        }),
    )
}

pub fn check(provider: &PaypalProvider, call: &Call, now: i64) -> Result<Scope, Reply> {
    let authorization = call.header("authorization");
    let Some(token) = authorization.and_then(|text| text.strip_prefix("Bearer ")) else {
        return Err(ApiError::unauthenticated().reply());
    };
    read(provider, token, now)
        .ok_or_else(|| failure(401, "invalid_token", "Token signature verification failed"))
}

fn read(provider: &PaypalProvider, token: &str, now: i64) -> Option<Scope> {
    let rest = token.strip_prefix("A21AA")?;
    let (scope, rest) = match rest.strip_prefix('A') {
        Some(rest) => (Scope::Everything, rest),
        None => (Scope::Subscribing, rest.strip_prefix('B')?),
    };
    let (expires_at, given) = rest.split_once('-')?;
    let expires_at = i64::from_str_radix(expires_at, 16).ok()?;
    (expires_at > now && given == mac(provider, scope, expires_at)).then_some(scope)
}

fn mac(provider: &PaypalProvider, scope: Scope, expires_at: i64) -> String {
    let message = format!("{}{expires_at}", scope.code());
    Hmac::<Sha256>::new_from_slice(provider.client_secret.as_bytes())
        .map(|keyed| hex::encode(keyed.chain_update(message).finalize().into_bytes()))
        .unwrap_or_default()
}

/// OAuth's error body.
fn failure(status: u16, error: &str, description: &str) -> Reply {
    Reply::json(
        status,
        &json!({ "error": error, "error_description": description }),
    )
}
