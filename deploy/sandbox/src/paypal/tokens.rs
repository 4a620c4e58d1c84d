//! OAuth: a client's secret becomes an access token, which carries its own end and proof, so that none is remembered.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::Sha256;

use super::{House, error::ApiError};
use crate::{
    call::{Call, Reply},
    ids::random,
};

const LIVES_SECS: i64 = 32_400;

/// What a token may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Everything,
    /// The browser's script knows the client's id but not its secret.
    Subscribing,
}

impl Scope {
    const fn letter(self) -> &'static str {
        match self {
            Self::Everything => "A",
            Self::Subscribing => "B",
        }
    }
}

pub fn grant(house: &House, call: &Call, now: i64) -> Reply {
    let scope = match call.basic() {
        Some((id, secret)) if id == house.client_id && secret == house.client_secret => Scope::Everything,
        Some((id, secret)) if id == house.client_id && secret.is_empty() => Scope::Subscribing,
        _ => return failure(401, "invalid_client", "Client Authentication failed"),
    };
    let fields = call.fields();
    let grant = fields.iter().find(|(name, _)| name == "grant_type");
    match grant.map(|(_, value)| value.as_str()) {
        Some("client_credentials") => {}
        Some(_) => return failure(400, "unsupported_grant_type", "unsupported grant_type"),
        None => return failure(400, "unsupported_grant_type", "Grant Type is NULL"),
    }
    let ends = now + LIVES_SECS;
    let token = format!("A21AA{}{ends:x}-{}", scope.letter(), proof(house, scope, ends));
    Reply::json(
        200,
        &json!({
            "scope": "https://uri.paypal.com/services/subscriptions https://uri.paypal.com/services/applications/webhooks",
            "access_token": token,
            "token_type": "Bearer",
            "app_id": "APP-80W284485P519543T",
            "expires_in": LIVES_SECS,
            "nonce": format!("{now}{}", random(24)),
        }),
    )
}

pub fn check(house: &House, call: &Call, now: i64) -> Result<Scope, Reply> {
    let authorization = call.header("authorization");
    let Some(token) = authorization.and_then(|text| text.strip_prefix("Bearer ")) else {
        return Err(ApiError::unauthenticated().reply());
    };
    read(house, token, now)
        .ok_or_else(|| failure(401, "invalid_token", "Token signature verification failed"))
}

fn read(house: &House, token: &str, now: i64) -> Option<Scope> {
    let rest = token.strip_prefix("A21AA")?;
    let (scope, rest) = match rest.strip_prefix('A') {
        Some(rest) => (Scope::Everything, rest),
        None => (Scope::Subscribing, rest.strip_prefix('B')?),
    };
    let (ends, given) = rest.split_once('-')?;
    let ends = i64::from_str_radix(ends, 16).ok()?;
    (ends > now && given == proof(house, scope, ends)).then_some(scope)
}

fn proof(house: &House, scope: Scope, ends: i64) -> String {
    let said = format!("{}{ends}", scope.letter());
    Hmac::<Sha256>::new_from_slice(house.client_secret.as_bytes())
        .map(|keyed| hex::encode(keyed.chain_update(said).finalize().into_bytes()))
        .unwrap_or_default()
}

/// OAuth's own error body.
fn failure(status: u16, error: &str, description: &str) -> Reply {
    Reply::json(
        status,
        &json!({ "error": error, "error_description": description }),
    )
}
