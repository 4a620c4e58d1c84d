//! The two questions a server asks Facebook: whose access token this is and for which app, and who that person is.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{Case, Clients, Person, Provider, Social};

const LIVES: i64 = 2 * 3_600;

/// What Facebook knows of a token it gave out.
#[derive(Clone, Debug)]
pub struct AccessToken {
    pub text: String,
    pub app_id: String,
    pub user_id: String,
    pub name: String,
    pub email: Option<String>,
    pub expires_at: i64,
}

/// An error in Facebook's words, with its status.
#[derive(Debug)]
pub struct GraphError {
    pub status: u16,
    pub body: Value,
}

/// How a call says whom it is for.
pub struct Question<'a> {
    pub token: Option<&'a str>,
    pub proof: Option<&'a str>,
    pub fields: &'a str,
    /// Pages of the app ask without a proof, servers must not.
    pub is_from_browser: bool,
}

impl AccessToken {
    pub fn new(clients: &Clients, person: &Person, case: Case, now: i64) -> Self {
        Self {
            text: format!(
                "EAAS{:032x}{:032x}",
                rand::random::<u128>(),
                rand::random::<u128>()
            ),
            app_id: match case {
                Case::OtherAudience => "999888777666555".into(),
                _ => clients.facebook.clone(),
            },
            user_id: person.subject(Provider::Facebook),
            name: person.full_name(),
            email: person.email.clone().filter(|_| case != Case::NoEmail),
            expires_at: match case {
                Case::Expired => now - LIVES,
                _ => now + LIVES,
            },
        }
    }

    fn profile(&self, fields: &str) -> Value {
        let mut profile = json!({ "id": self.user_id });
        for field in fields.split(',') {
            match (field, &self.email) {
                ("name", _) => profile["name"] = self.name.as_str().into(),
                ("email", Some(email)) => profile["email"] = email.as_str().into(),
                _ => {}
            }
        }
        if fields.is_empty() {
            profile["name"] = self.name.as_str().into();
        }
        profile
    }
}

impl Social {
    /// `GET /debug_token`: asked with the app's own token.
    pub fn debug_token(&self, app_token: Option<&str>, input: &str, now: i64) -> Result<Value, GraphError> {
        let own = format!("{}|{}", self.clients.facebook, self.clients.facebook_secret);
        if app_token != Some(own.as_str()) {
            return Err(refused(
                190,
                "OAuthException",
                "Invalid OAuth access token signature.",
            ));
        }
        let Some(token) = self.access_token(input) else {
            let error =
                json!({ "code": 190, "message": "Invalid OAuth access token - Cannot parse access token" });
            return Ok(json!({ "data": { "error": error, "is_valid": false, "scopes": [] } }));
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
    pub fn me(&self, question: &Question<'_>, now: i64) -> Result<Value, GraphError> {
        let given = question.token.unwrap_or_default();
        let token = self
            .access_token(given)
            .filter(|token| token.expires_at > now)
            .ok_or_else(|| refused(190, "OAuthException", "Error validating access token."))?;
        match question.proof {
            Some(proof) if proof == self.proof_of(given) => {}
            None if question.is_from_browser => {}
            Some(_) => {
                return Err(refused(
                    100,
                    "GraphMethodException",
                    "Invalid appsecret_proof provided in the API argument",
                ));
            }
            None => {
                return Err(refused(
                    100,
                    "GraphMethodException",
                    "API calls from the server require an appsecret_proof argument",
                ));
            }
        }
        Ok(token.profile(question.fields))
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

fn refused(code: u16, kind: &str, message: &str) -> GraphError {
    GraphError {
        status: 400,
        body: json!({ "error": { "message": message, "type": kind, "code": code, "fbtrace_id": "Asandbox" } }),
    }
}
