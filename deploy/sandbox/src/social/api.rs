//! The APIs that servers call: the key sets of Apple and Google, and Facebook's Graph API.

use axum::http::header;
use serde_json::{Value, json};

use super::{
    facebook_graph::{GraphError, ProfileRequest},
    provider::Provider,
    simulator::Social,
};
use crate::engine::http::call::{ApiHandler, Call, Reply};

const SECRET_PARAMS: [&str; 3] = ["access_token", "input_token", "appsecret_proof"];

impl ApiHandler for Social {
    type Admitted = ();

    fn admit(&self, _: &Call, _: i64) -> Result<(), Reply> {
        Ok(())
    }

    fn handle(&self, call: &Call, (): (), now: i64) -> Reply {
        let param = |name: &str| call.query_param(name);
        match call.path.rsplit('/').next() {
            Some("keys") => self.keys(Provider::Apple),
            Some("certs") => self.keys(Provider::Google),
            Some("debug_token") => {
                let input = param("input_token").unwrap_or_default();
                graph_reply(self.debug_token(token_of(call).as_deref(), &input, now))
            }
            Some("me") => {
                let (token, proof) = (token_of(call), param("appsecret_proof"));
                let request = ProfileRequest {
                    token: token.as_deref(),
                    proof: proof.as_deref(),
                    fields: &param("fields").unwrap_or_default(),
                    is_from_browser: call.headers.contains_key(header::ORIGIN),
                };
                graph_reply(self.me(&request, now))
            }
            _ => Reply::empty(404),
        }
    }

    fn outage(&self, status: u16) -> Reply {
        Reply::json(status, &json!({ "error": "unavailable" }))
    }

    /// People's tokens are not logged.
    fn logged_params(&self, call: &Call) -> Value {
        let params = call.query_params().into_iter().map(|(name, value)| {
            let is_secret = SECRET_PARAMS.contains(&name.as_str());
            (name, if is_secret { "…".into() } else { value.into() })
        });
        Value::Object(params.collect())
    }
}

impl Social {
    fn keys(&self, provider: Provider) -> Reply {
        let mut reply = Reply::json(200, &self.key_set(provider).unwrap_or_default());
        reply
            .headers
            .push(("cache-control", "public, max-age=3600".to_owned()));
        reply
    }
}

fn token_of(call: &Call) -> Option<String> {
    let bearer = call.header("authorization").and_then(|text| {
        text.strip_prefix("Bearer ")
            .or_else(|| text.strip_prefix("OAuth "))
    });
    bearer
        .map(ToOwned::to_owned)
        .or_else(|| call.query_param("access_token"))
}

fn graph_reply(result: Result<Value, GraphError>) -> Reply {
    match result {
        Ok(body) => Reply::json(200, &body),
        Err(error) => Reply::json(error.status, &error.body),
    }
}
