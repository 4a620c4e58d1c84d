//! The path of a call: API key, form, idempotency key, parameters, endpoint.
//!
//! Unlike other providers, Stripe also stores the response of a call that failed during its execution. So the idempotency key
//! is claimed on admission, and a fault between admission and execution stores or releases it.

use axum::http::{HeaderMap, header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    endpoints, expand,
    protocol::{
        auth,
        error::{ApiError, ApiResult, Stage},
        form, parameters,
        params::Params,
    },
    provider::{API_VERSION, ApiKey, Context, Stripe, Trigger},
};
use crate::engine::http::{
    call::{ApiHandler, Call, Reply},
    idempotency::{Begin, StoredResponse},
};

const KEY_TTL_SECS: i64 = 24 * 3600;

/// An admitted call.
pub struct Admitted {
    trigger: Trigger,
    fields: form::Fields,
    params: Params,
    expand: Vec<String>,
}

impl ApiHandler for Stripe {
    type Admitted = Admitted;

    const CALL_ID_PREFIX: &'static str = "req_";

    fn admit(&self, call: &Call, now: i64) -> Result<Admitted, Reply> {
        let admitted = check_call(self, call).map_err(|error| error_reply(&error))?;
        match idempotency_key(call) {
            Some(key) => claim_key(self, call, key, now).map(|()| admitted),
            None => Ok(admitted),
        }
    }

    fn handle(&self, call: &Call, admitted: Admitted, now: i64) -> Reply {
        let path = segments(&call.path);
        let Admitted {
            trigger,
            fields,
            params,
            expand,
        } = admitted;
        let result = check_parameters(self, call, trigger.key, &fields).and_then(|()| {
            self.work_for(now, trigger, |ctx| {
                let result = endpoints::route(ctx, call.method.as_str(), &path, params);
                result.and_then(|value| finish(ctx, value, &expand))
            })
        });
        match result {
            Err(error) if error.stage == Stage::Validation => {
                store_response(self, call, None);
                error_reply(&error)
            }
            result => {
                let reply = result.map_or_else(|error| error_reply(&error), |body| reply(200, &body));
                store_response(self, call, Some(&reply));
                reply
            }
        }
    }

    fn outage(&self, status: u16) -> Reply {
        let error = match status {
            413 => ApiError::malformed("The request body is too large.").body(),
            429 => json!({ "error": {
                "type": "invalid_request_error",
                "code": "rate_limit",
                "message": "Too many requests hit the API too quickly. We recommend an exponential backoff of your requests.",
            } }),
            _ => json!({ "error": {
                "type": "api_error",
                "message": "An unknown error occurred. If you have any questions, we can help at https://support.stripe.com/.",
            } }),
        };
        reply(status, &error)
    }

    fn on_injected_failure(&self, call: &Call, stored: Option<&Reply>) {
        store_response(self, call, stored);
    }

    /// With nested parameters as a tree.
    fn logged_params(&self, call: &Call) -> Value {
        read_fields(call).map_or(Value::Null, |fields| form::to_json(&fields))
    }

    fn add_headers(&self, call: &Call, reply: &mut Reply) {
        reply
            .headers
            .push(("cache-control", "no-cache, no-store".to_owned()));
        reply.headers.push(("request-id", call.id.clone()));
        reply.headers.push(("stripe-version", API_VERSION.to_owned()));
        if let Some(key) = idempotency_key(call) {
            reply.headers.push(("idempotency-key", key.to_owned()));
        }
    }
}

fn reply(status: u16, body: &Value) -> Reply {
    let text = serde_json::to_string_pretty(body).unwrap_or_default();
    Reply::text(status, "application/json", text)
}

fn error_reply(error: &ApiError) -> Reply {
    reply(error.status, &error.body())
}

fn check_call(stripe: &Stripe, call: &Call) -> Result<Admitted, ApiError> {
    let fields = read_fields(call)?;
    let mut params = Params::new(fields.clone());
    let key = auth::authenticate(&stripe.provider, &call.headers, &mut params)?;
    auth::check_reach(key, call.method.as_str(), &segments(&call.path))?;
    check_version(&call.headers)?;
    let expand = params.texts("expand")?;
    let trigger = Trigger {
        request: Some(call.id.clone()),
        idempotency_key: idempotency_key(call).map(ToOwned::to_owned),
        key,
    };
    Ok(Admitted {
        trigger,
        fields,
        params,
        expand,
    })
}

fn read_fields(call: &Call) -> Result<form::Fields, ApiError> {
    if !call.body.is_empty() && !is_form(&call.headers) {
        return Err(ApiError::malformed(
            "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.",
        ));
    }
    let mut fields = form::parse(call.query.as_bytes())?;
    fields.extend(form::parse(&call.body)?);
    Ok(fields)
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("application/x-www-form-urlencoded"))
}

/// Equal for calls with the same parameters in any order.
fn fingerprint(call: &Call) -> String {
    let mut pairs: Vec<_> = [call.query.as_bytes(), &call.body]
        .into_iter()
        .flat_map(|part| url::form_urlencoded::parse(part).into_owned())
        .collect();
    pairs.sort();
    let mut digest = Sha256::new();
    digest.update(format!("{} {}", call.method, call.path));
    for (name, value) in pairs {
        digest.update(format!("\n{}={}:{name}={value}", name.len(), value.len()));
    }
    hex::encode(digest.finalize())
}

fn idempotency_key(call: &Call) -> Option<&str> {
    call.header("idempotency-key")
        .filter(|key| call.method == "POST" && !key.is_empty())
}

fn check_version(headers: &HeaderMap) -> Result<(), ApiError> {
    let version = headers
        .get("stripe-version")
        .and_then(|value| value.to_str().ok());
    match version {
        None | Some(API_VERSION) => Ok(()),
        Some(other) => Err(ApiError::malformed(format!(
            "Invalid Stripe API version: {other}. The sandbox supports {API_VERSION} only."
        ))),
    }
}

/// `/stripe/v1/prices/price_1` → `prices`, `price_1`.
fn segments(path: &str) -> Vec<&str> {
    let rest = path.split_once("/v1/").map_or("", |(_, rest)| rest);
    rest.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Claims the key for this call, or returns the stored response or the conflict.
fn claim_key(stripe: &Stripe, call: &Call, key: &str, now: i64) -> Result<(), Reply> {
    let begun = stripe.with_keys(|keys| keys.begin(key, &fingerprint(call), now, KEY_TTL_SECS));
    let error = match begun {
        Begin::Fresh => return Ok(()),
        Begin::Replay(stored) => return Err(replay(stored)),
        Begin::InProgress => ApiError::idempotency(409, format!(
            "There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): {key}. Please try again later."
        ))
        .code("idempotency_key_in_use"),
        Begin::OtherRequest => ApiError::idempotency(400, format!(
            "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '{key}' if you meant to execute a different request."
        )),
    };
    Err(error_reply(&error))
}

fn replay(stored: StoredResponse) -> Reply {
    let mut reply = Reply::text(stored.status, "application/json", stored.body);
    reply.is_replayed = true;
    reply.headers.push(("idempotent-replayed", "true".to_owned()));
    reply.headers.push(("original-request", stored.request_id));
    reply
}

/// Stores the reply under the call's idempotency key; `None` releases the key.
fn store_response(stripe: &Stripe, call: &Call, reply: Option<&Reply>) {
    let Some(key) = idempotency_key(call) else { return };
    stripe.with_keys(|keys| match reply {
        None => keys.release(key),
        Some(reply) => {
            let response = StoredResponse {
                status: reply.status,
                body: reply.body.clone(),
                request_id: call.id.clone(),
            };
            keys.finish(key, response);
        }
    });
}

/// Parameters of Stripe's own browser script are not checked.
fn check_parameters(
    stripe: &Stripe,
    call: &Call,
    key: ApiKey,
    fields: &form::Fields,
) -> Result<(), ApiError> {
    if key != ApiKey::Secret {
        return Ok(());
    }
    let path = segments(&call.path);
    parameters::check(call.method.as_str(), &path, fields).inspect_err(|error| {
        let request = format!("{} {}: {}", call.method, call.path, error.message());
        stripe.provider.record_unsupported(request);
    })
}

fn finish(ctx: &Context<'_>, mut value: Value, paths: &[String]) -> ApiResult {
    expand::apply(ctx, &mut value, paths)?;
    if ctx.trigger.key == ApiKey::Publishable {
        remove_server_fields(&mut value);
    }
    Ok(value)
}

/// A browser receives the fields of an intent that it needs to confirm it.
fn remove_server_fields(value: &mut Value) {
    const SERVER_FIELDS: [&str; 9] = [
        "amount_received",
        "application_fee_amount",
        "customer",
        "customer_account",
        "latest_charge",
        "metadata",
        "on_behalf_of",
        "transfer_data",
        "transfer_group",
    ];
    if let Value::Object(fields) = value
        && matches!(
            fields.get("object").and_then(Value::as_str),
            Some("payment_intent" | "setup_intent")
        )
    {
        fields.retain(|name, _| !SERVER_FIELDS.contains(&name.as_str()));
    }
}
