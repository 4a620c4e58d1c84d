//! Completes the `OpenAPI` document: errors of the layers around each route group, security schemes, and the error format. The
//! annotations of an endpoint describe its own responses only.
use kit::error::ErrorCode;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

/// How a refusal is written; `error.rs` writes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ErrorFormat {
    /// RFC 9457.
    Problem,
    /// Payment calls; refusals of the business, V100 included, have status 200.
    PaymentEnvelope,
    DataErrorEnvelope,
}

/// What stands around a group of calls.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each names one layer, and they combine freely"
)]
#[derive(Clone, Copy)]
pub struct GroupLayers {
    pub error_format: ErrorFormat,
    /// Writes from pages of other sites are refused, and bodies are JSON or forms.
    pub is_for_pages: bool,
    pub is_rate_limited: bool,
    /// A form without scripts is answered by a redirect to a page.
    pub redirects_forms: bool,
    pub needs_session: bool,
}

impl GroupLayers {
    pub const OPEN: Self = Self {
        error_format: ErrorFormat::Problem,
        is_for_pages: true,
        is_rate_limited: true,
        redirects_forms: false,
        needs_session: false,
    };
    pub const FORMS: Self = Self {
        redirects_forms: true,
        ..Self::OPEN
    };
    pub const MEMBERS: Self = Self {
        needs_session: true,
        ..Self::OPEN
    };
    pub const DATA_ERROR: Self = Self {
        error_format: ErrorFormat::DataErrorEnvelope,
        ..Self::OPEN
    };
    pub const PAYMENTS: Self = Self {
        error_format: ErrorFormat::PaymentEnvelope,
        ..Self::OPEN
    };
    pub const REPORTS: Self = Self {
        is_for_pages: false,
        ..Self::OPEN
    };
    pub const PROVIDERS: Self = Self {
        is_for_pages: false,
        is_rate_limited: false,
        ..Self::OPEN
    };
}

const FORM: &str = "application/x-www-form-urlencoded";

/// What a call may be known by, as `security` names it.
fn security_schemes() -> Value {
    json!({
        "session": {
            "type": "apiKey", "in": "cookie", "name": "stillpoint_session",
            "description": "Set by signing in; HttpOnly. On https its name is `__Host-stillpoint_session`.",
        },
        "bearer": {
            "type": "http", "scheme": "bearer",
            "description": "The token of a session, or, for calls that read, an access token of `POST /api/auth/access-tokens`.",
        },
        "operator": { "type": "http", "scheme": "bearer", "description": "`OPERATOR_TOKEN`" },
    })
}

/// The whole document: `paths` in place of the ones that are not completed.
pub fn document(api: &OpenApi, paths: Map<String, Value>) -> Value {
    let mut document = as_json(api);
    document["paths"] = Value::Object(paths);
    document["components"]["securitySchemes"] = security_schemes();
    document
}

/// Completes every call of one group. A path may have calls of several groups.
pub fn merge(paths: &mut Map<String, Value>, group: &OpenApi, layers: GroupLayers) {
    let mut of_group = as_json(&group.paths);
    complete(&mut of_group, layers);
    let Value::Object(of_group) = of_group else { return };
    for (path, operations) in of_group {
        let known = paths.entry(path).or_insert_with(|| json!({}));
        for (method, operation) in operations.as_object().into_iter().flatten() {
            known[method] = operation.clone();
        }
    }
}

/// Made of texts and numbers alone, which always become JSON.
fn as_json(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

fn complete(paths: &mut Value, layers: GroupLayers) {
    for operations in fields(paths) {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            secure(operation, layers);
            let names_key = describe_idempotency_key(operation);
            let has_body = operation.get("requestBody").is_some();
            let takes_form = !operation["requestBody"]["content"][FORM].is_null();
            let facts = OperationFacts {
                writes: method != "get",
                has_body,
                takes_form,
                names_key,
            };
            add_error_responses(&mut operation["responses"], &facts, layers);
        }
    }
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "what one call does, each fact by itself"
)]
struct OperationFacts {
    writes: bool,
    has_body: bool,
    takes_form: bool,
    names_key: bool,
}

/// The token of a session may come as cookie or as bearer. A payment call answers 200 without one, with V100 in its envelope.
fn secure(operation: &mut Value, layers: GroupLayers) {
    let named = operation["security"][0].get("session").is_some();
    if !named && !layers.needs_session {
        return;
    }
    let mut ways = vec![json!({ "session": [] }), json!({ "bearer": [] })];
    if layers.error_format == ErrorFormat::PaymentEnvelope {
        ways.insert(0, json!({}));
    }
    operation["security"] = Value::Array(ways);
}

/// Whether the call takes an idempotency key; says which keys there are.
fn describe_idempotency_key(operation: &mut Value) -> bool {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    let mut parameters = parameters.into_iter().flatten();
    let Some(key) = parameters.find(|parameter| parameter["name"] == "Idempotency-Key") else {
        return false;
    };
    key["schema"] = json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" });
    true
}

fn add_error_responses(responses: &mut Value, facts: &OperationFacts, layers: GroupLayers) {
    let (limited, pages) = (layers.is_rate_limited, layers.is_for_pages);
    let in_every = [
        (true, "500", ErrorCode::Internal.as_str_name()),
        (true, "503", "OVERLOADED or UNAVAILABLE, with `Retry-After`"),
        (true, "504", ErrorCode::Timeout.as_str_name()),
        (limited, "429", "RATE_LIMITED, with `Retry-After`"),
        (
            pages && facts.writes,
            "403",
            "CROSS_SITE: sent by a page of another site",
        ),
        (
            facts.has_body,
            "400",
            "MALFORMED_BODY: the body, or a field of it, cannot be read",
        ),
        (facts.has_body, "408", ErrorCode::BodyTimeout.as_str_name()),
        (facts.has_body, "413", ErrorCode::BodyTooLarge.as_str_name()),
        (
            facts.has_body && limited,
            "415",
            ErrorCode::UnsupportedMediaType.as_str_name(),
        ),
        (
            facts.names_key,
            "409",
            "IDEMPOTENCY_CONFLICT: the key was used with another body",
        ),
        (
            facts.has_body && pages,
            "422",
            "VALIDATION_FAILED: a field needs attention",
        ),
    ];
    let added = in_every.into_iter().filter(|(applies, ..)| *applies);
    for (_, status, description) in added {
        if responses.get(status).is_none() {
            responses[status] = error_response(layers.error_format, description);
        }
    }
    if layers.error_format == ErrorFormat::PaymentEnvelope {
        let schema = responses.pointer_mut("/200/content/application~1json/schema");
        schema.into_iter().for_each(or_payment_error);
    }
    if layers.redirects_forms && facts.takes_form {
        responses["303"] = json!({
            "description": "To a form without scripts: to where the call leads, or back to its page",
            "headers": { "Location": { "schema": { "type": "string" } } },
        });
    }
}

fn error_response(refusals: ErrorFormat, description: &str) -> Value {
    let (media_type, schema) = match refusals {
        ErrorFormat::Problem => ("application/problem+json", "Problem"),
        ErrorFormat::PaymentEnvelope => ("application/json", "PaymentError"),
        ErrorFormat::DataErrorEnvelope => ("application/json", "EnvelopeError"),
    };
    let schema = json!({ "$ref": format!("#/components/schemas/{schema}") });
    json!({ "description": description, "content": { media_type: { "schema": schema } } })
}

/// A refusal of the business has the status of a success.
fn or_payment_error(schema: &mut Value) {
    let success = schema.take();
    *schema = json!({ "anyOf": [success, { "$ref": "#/components/schemas/PaymentError" }] });
}

fn fields(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_object_mut().into_iter().flat_map(Map::values_mut)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(ToOwned::to_owned));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
        let paths = document["paths"].as_object().unwrap();
        paths.iter().flat_map(|(path, operations)| {
            let operations = operations.as_object().unwrap();
            operations
                .iter()
                .map(move |(method, operation)| (format!("{method} {path}"), operation))
        })
    }

    #[test]
    fn every_reference_resolves() {
        let document = crate::openapi();
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        let dangling = found
            .iter()
            .filter(|reference| document.pointer(reference.trim_start_matches('#')).is_none());
        assert_eq!(dangling.collect::<Vec<_>>(), Vec::<&String>::new());
        assert!(found.len() > 50);
    }

    #[test]
    fn survey_form_may_be_sent_without_a_body() {
        let document = crate::openapi();
        let form = &document["paths"]["/api/survey/answers"]["post"]["requestBody"];
        assert_ne!(form["required"], true);
    }

    #[test]
    fn every_security_scheme_in_use_is_defined() {
        let document = crate::openapi();
        let defined = document["components"]["securitySchemes"].as_object().unwrap();
        let mut used = BTreeSet::new();
        for (_, operation) in operations(&document) {
            for way in operation["security"].as_array().into_iter().flatten() {
                used.extend(way.as_object().unwrap().keys());
            }
        }
        assert_eq!(used, defined.keys().collect());
    }

    #[test]
    fn endpoint_that_needs_a_session_names_its_security_schemes() {
        for (call, operation) in operations(&crate::openapi()) {
            let refuses = operation["responses"]["401"]["description"]
                .as_str()
                .is_some_and(|description| description.contains("V100"));
            assert!(
                !refuses || operation["security"][0]["session"].is_array(),
                "{call}"
            );
        }
    }

    #[test]
    fn endpoints_describe_the_errors_of_their_layers() {
        let document = crate::openapi();
        let call = |path: &str| &document["paths"][path]["post"]["responses"];
        let schema =
            |answer: &Value, media_type: &str| answer["content"][media_type]["schema"]["$ref"].clone();
        let problem = "#/components/schemas/Problem";
        for status in [
            "400", "403", "408", "413", "415", "422", "429", "500", "503", "504",
        ] {
            let answer = &call("/api/withdrawals")[status];
            assert_eq!(schema(answer, "application/problem+json"), problem, "{status}");
            let answer = &call("/api/create-payment-intent")[status];
            assert_eq!(
                schema(answer, "application/json"),
                "#/components/schemas/PaymentError",
                "{status}"
            );
            let answer = &call("/bincheck")[status];
            assert_eq!(
                schema(answer, "application/json"),
                "#/components/schemas/EnvelopeError",
                "{status}"
            );
        }
        assert!(call("/api/auth/login")["303"].is_object());
        let answers = &call("/api/web-campaign")["200"]["content"]["application/json"]["schema"]["anyOf"];
        assert_eq!(answers[1]["$ref"], "#/components/schemas/PaymentError");
        assert!(call("/webhooks/stripe").get("415").is_none());
        assert!(call("/webhooks/stripe")["429"].is_object());
    }
}
