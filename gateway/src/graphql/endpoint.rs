//! `/graphql` over GET and POST.
use std::sync::Arc;

use async_graphql::parser::types::OperationType;
use async_graphql::{Request, Variables};
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use blocks::OfferSource;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::Value;

use crate::app::App;
use crate::graphql::offers::PageOffers;
use crate::graphql::protocol::{self, MediaType, refused};
use crate::security::tokens;

/// Queries, with everything in the query string.
pub async fn execute_get(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let media_type = match admitted(&app, &headers) {
        Ok(media_type) => media_type,
        Err(refusal) => return *refusal,
    };
    match from_query(query.as_deref().unwrap_or_default()) {
        Ok(mut request) => {
            if changes_something(&mut request) {
                let message = "Mutations are sent by POST.";
                return refused(
                    StatusCode::METHOD_NOT_ALLOWED,
                    media_type,
                    "METHOD_NOT_ALLOWED",
                    message,
                );
            }
            execute(&app, request, media_type).await
        }
        Err(message) => refused(StatusCode::BAD_REQUEST, media_type, "MALFORMED_REQUEST", &message),
    }
}

/// One operation in a JSON body.
pub async fn execute_post(State(app): State<Arc<App>>, headers: HeaderMap, body: Bytes) -> Response {
    let media_type = match admitted(&app, &headers) {
        Ok(media_type) => media_type,
        Err(refusal) => return *refusal,
    };
    if !is_json(&headers) {
        let message = "Send the body as application/json.";
        return refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            media_type,
            "UNSUPPORTED_MEDIA_TYPE",
            message,
        );
    }
    match from_body(&body) {
        Ok(request) => execute(&app, request, media_type).await,
        Err(message) => refused(StatusCode::BAD_REQUEST, media_type, "MALFORMED_REQUEST", &message),
    }
}

/// Who may ask at all, and how the answer is to be written.
fn admitted(app: &App, headers: &HeaderMap) -> Result<MediaType, Box<Response>> {
    let accepted = MediaType::accepted(headers);
    let media_type = accepted.unwrap_or(MediaType::Json);
    if !tokens::carries(headers, &app.config.tokens.content_read) {
        let message = "Send the read token as a bearer token.";
        return Err(Box::new(refused(
            StatusCode::UNAUTHORIZED,
            media_type,
            "UNAUTHENTICATED",
            message,
        )));
    }
    accepted.ok_or_else(|| {
        let message = "The answer is application/graphql-response+json or application/json.";
        Box::new(refused(
            StatusCode::NOT_ACCEPTABLE,
            media_type,
            "NOT_ACCEPTABLE",
            message,
        ))
    })
}

async fn execute(app: &App, request: Request, media_type: MediaType) -> Response {
    let offers = Arc::new(PageOffers::new(app.clients.clone()));
    let request = request
        .data(Arc::clone(&offers))
        .data::<Arc<dyn OfferSource>>(offers);
    let answer = app.schema.execute(request).await;
    protocol::executed(&answer, media_type)
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut parts = value.split(';').map(|part| part.trim().to_ascii_lowercase());
    parts.next().as_deref() == Some("application/json")
        && parts.all(|part| !part.starts_with("charset=") || part.trim_matches('"') == "charset=utf-8")
}

fn from_body(body: &[u8]) -> Result<Request, String> {
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return Err("The body is not JSON.".to_owned());
    };
    let Value::Object(mut fields) = value else {
        return Err("The body must be one JSON object.".to_owned());
    };
    let text = |value: Option<Value>, name: &str| match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{name}` must be a string.")),
    };
    assemble(Parameters {
        query: text(fields.remove("query"), "query")?,
        operation_name: text(fields.remove("operationName"), "operationName")?,
        variables: fields.remove("variables"),
        extensions: fields.remove("extensions"),
    })
}

fn from_query(query: &str) -> Result<Request, String> {
    let mut parameters = Parameters::default();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        match name.as_ref() {
            "query" => parameters.query = Some(value.into_owned()),
            "operationName" if !value.is_empty() => parameters.operation_name = Some(value.into_owned()),
            "variables" => parameters.variables = Some(json(&value, "variables")?),
            "extensions" => parameters.extensions = Some(json(&value, "extensions")?),
            _ => {}
        }
    }
    assemble(parameters)
}

fn json(text: &str, name: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|_| format!("`{name}` must be JSON."))
}

#[derive(Default)]
struct Parameters {
    query: Option<String>,
    operation_name: Option<String>,
    variables: Option<Value>,
    extensions: Option<Value>,
}

fn assemble(parameters: Parameters) -> Result<Request, String> {
    let map = |value: Option<Value>, name: &str| match value {
        None | Some(Value::Null) => Ok(serde_json::Map::new()),
        Some(Value::Object(map)) => Ok(map),
        Some(_) => Err(format!("`{name}` must be an object.")),
    };
    let variables = map(parameters.variables, "variables")?;
    let extensions = map(parameters.extensions, "extensions")?;
    if parameters.query.as_deref().unwrap_or_default().is_empty()
        && !extensions.contains_key("persistedQuery")
    {
        return Err("`query` is missing.".to_owned());
    }
    let mut request = Request::new(parameters.query.unwrap_or_default());
    request.operation_name = parameters.operation_name;
    request.variables = Variables::from_json(Value::Object(variables));
    for (name, value) in extensions {
        let value =
            async_graphql::Value::from_json(value).map_err(|_| "`extensions` cannot be read.".to_owned())?;
        request.extensions.insert(name, value);
    }
    Ok(request)
}

/// A GET must be safe to repeat. What cannot be parsed is left to the execution to refuse.
fn changes_something(request: &mut Request) -> bool {
    if request.query.is_empty() {
        return false;
    }
    let chosen = request.operation_name.clone();
    request.parsed_query().is_ok_and(|document| {
        document.operations.iter().any(|(name, operation)| {
            let is_chosen = chosen.is_none() || name.map(async_graphql::Name::as_str) == chosen.as_deref();
            is_chosen && operation.node.ty != OperationType::Query
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_the_wrong_type_are_refused() {
        for body in [
            "",
            "[]",
            "1",
            "{",
            "{}",
            r#"{"query": 1}"#,
            r#"{"query": ""}"#,
            r#"{"query": "{a}", "variables": []}"#,
            r#"{"query": "{a}", "operationName": 1}"#,
            r#"{"query": "{a}", "extensions": "x"}"#,
            r#"[{"query": "{a}"}]"#,
        ] {
            assert!(from_body(body.as_bytes()).is_err(), "{body}");
        }
        let body = r#"{"query": "{a}", "variables": null, "operationName": null, "extensions": null}"#;
        assert!(from_body(body.as_bytes()).is_ok());
    }

    #[test]
    fn query_string_is_read_like_a_body() {
        let request = from_query("query=query+A%7Ba%7D&operationName=A&variables=%7B%22x%22%3A1%7D").unwrap();
        assert_eq!(
            (request.query.as_str(), request.operation_name.as_deref()),
            ("query A{a}", Some("A"))
        );
        assert!(from_query("query=%7Ba%7D&variables=x").is_err());
        assert!(from_query("").is_err());
    }

    #[test]
    fn only_the_chosen_operation_counts() {
        let changes = |query: &str, name: Option<&str>| {
            let mut request = Request::new(query);
            request.operation_name = name.map(str::to_owned);
            changes_something(&mut request)
        };
        assert!(changes("mutation { a }", None));
        assert!(!changes("query A { a } mutation B { b }", Some("A")));
        assert!(changes("query A { a } mutation B { b }", Some("B")));
        assert!(!changes("{ a }", None));
        assert!(!changes("{", None));
    }

    #[test]
    fn other_charsets_are_no_json() {
        let with = |value: &'static str| {
            HeaderMap::from_iter([(CONTENT_TYPE, http::HeaderValue::from_static(value))])
        };
        assert!(is_json(&with("application/json; charset=UTF-8")));
        assert!(!is_json(&with("application/json; charset=latin1")));
        assert!(!is_json(&with("text/plain")));
        assert!(!is_json(&HeaderMap::new()));
    }
}
