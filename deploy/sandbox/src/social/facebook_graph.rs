//! Facebook's Graph API: `debug_token` (the app and user of an access token) and `me` (the user's profile).

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{access_token::AccessToken, simulator::Social};

/// Facebook's error body with its status.
#[derive(Debug)]
pub struct GraphError {
    pub status: u16,
    pub body: Value,
}

pub struct ProfileRequest<'a> {
    pub token: Option<&'a str>,
    pub proof: Option<&'a str>,
    pub fields: &'a str,
    /// A page of the app needs no proof, a server does.
    pub is_from_browser: bool,
}

impl Social {
    /// `GET /debug_token`, with the app's own token.
    pub fn debug_token(&self, app_token: Option<&str>, input: &str, now: i64) -> Result<Value, GraphError> {
        let own = format!("{}|{}", self.clients.facebook, self.clients.facebook_secret);
        if app_token != Some(own.as_str()) {
            return Err(error(
                190,
                "OAuthException",
                "Invalid OAuth access token signature.",
            ));
        }
        let Some(token) = self.access_token(input) else {
            let body =
                json!({ "code": 190, "message": "Invalid OAuth access token - Cannot parse access token" });
            return Ok(json!({ "data": { "error": body, "is_valid": false, "scopes": [] } }));
        };
        let is_valid = token.expires_at > now;
        let mut data = json!({
            "app_id": token.app_id,
            "type": "USER",
            "application": "Stillpoint",
            "data_access_expires_at": token.expires_at + 90 * 24 * 3_600,
            "expires_at": token.expires_at,
            "is_valid": is_valid,
            "scopes": ["email", "public_profile"],
            "user_id": token.user_id,
        });
        if !is_valid {
            data["error"] = json!({ "code": 190, "message": "Error validating access token: Session has expired.", "subcode": 463 });
        }
        Ok(json!({ "data": data }))
    }

    /// `GET /me`
    pub fn me(&self, request: &ProfileRequest<'_>, now: i64) -> Result<Value, GraphError> {
        let given = request.token.unwrap_or_default();
        let token = self
            .access_token(given)
            .filter(|token| token.expires_at > now)
            .ok_or_else(|| error(190, "OAuthException", "Error validating access token."))?;
        match request.proof {
            Some(proof) if proof == self.proof_of(given) => {}
            None if request.is_from_browser => {}
            Some(_) => {
                return Err(error(
                    100,
                    "GraphMethodException",
                    "Invalid appsecret_proof provided in the API argument",
                ));
            }
            None => {
                return Err(error(
                    100,
                    "GraphMethodException",
                    "API calls from the server require an appsecret_proof argument",
                ));
            }
        }
        Ok(token.profile(request.fields))
    }

    fn access_token(&self, text: &str) -> Option<AccessToken> {
        let state = self.state();
        state
            .access_tokens
            .iter()
            .find(|token| token.text == text)
            .cloned()
    }

    fn proof_of(&self, token: &str) -> String {
        Hmac::<Sha256>::new_from_slice(self.clients.facebook_secret.as_bytes())
            .map(|keyed| hex::encode(keyed.chain_update(token).finalize().into_bytes()))
            .unwrap_or_default()
    }
}

fn error(code: u16, kind: &str, message: &str) -> GraphError {
    GraphError {
        status: 400,
        body: json!({ "error": { "message": message, "type": kind, "code": code, "fbtrace_id": "Asandbox" } }),
    }
}
