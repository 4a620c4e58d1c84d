//! GraphQL over HTTP: media types, statuses, and what an error says.
use async_graphql::{ErrorExtensions, Response as Answer, Value};
use axum::body::Body;
use axum::http::HeaderMap;
use axum::response::Response;
use http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use serde_json::json;

use crate::error::Problem;

/// Which of the two media types the client reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    GraphqlResponse,
    Json,
}

impl MediaType {
    /// `None` where the client accepts neither.
    pub fn accepted(headers: &HeaderMap) -> Option<Self> {
        let lines: Vec<&str> = headers
            .get_all(ACCEPT)
            .iter()
            .filter_map(|line| line.to_str().ok())
            .collect();
        if lines.is_empty() {
            return Some(Self::GraphqlResponse);
        }
        let ranges: Vec<String> = lines
            .iter()
            .flat_map(|line| line.split(','))
            .filter_map(range)
            .collect();
        let names = |wanted: &str| ranges.iter().any(|range| range == wanted);
        if names("application/graphql-response+json") {
            Some(Self::GraphqlResponse)
        } else if names("application/json") {
            Some(Self::Json)
        } else if names("*/*") || names("application/*") {
            Some(Self::GraphqlResponse)
        } else {
            None
        }
    }

    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        })
    }
}

/// The media range without its parameters; `None` where its weight refuses it.
fn range(part: &str) -> Option<String> {
    let mut parameters = part.split(';').map(str::trim);
    let name = parameters.next()?.to_ascii_lowercase();
    let refused = parameters.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
    (!refused).then_some(name)
}

/// What was executed, with the status that the media type asks for.
pub fn executed(answer: &Answer, media_type: MediaType) -> Response {
    if !is_request_error(answer) {
        return respond(
            StatusCode::OK,
            media_type,
            &serde_json::to_value(answer).unwrap_or_default(),
        );
    }
    // A request error has no `data` at all.
    let status = match media_type {
        MediaType::GraphqlResponse => StatusCode::BAD_REQUEST,
        MediaType::Json => StatusCode::OK,
    };
    respond(status, media_type, &json!({ "errors": answer.errors }))
}

/// Parsing, validation and limits fail before anything runs, so their errors stand at no path of the answer.
fn is_request_error(answer: &Answer) -> bool {
    answer.data == Value::Null && answer.is_err() && answer.errors.iter().all(|error| error.path.is_empty())
}

/// A request that is no GraphQL request.
pub fn refused(status: StatusCode, media_type: MediaType, code: &str, message: &str) -> Response {
    let body = json!({ "errors": [{ "message": message, "extensions": { "code": code } }] });
    let mut response = respond(status, media_type, &body);
    match status {
        StatusCode::UNAUTHORIZED => {
            response
                .headers_mut()
                .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET, POST"));
        }
        _ => {}
    }
    response
}

fn respond(status: StatusCode, media_type: MediaType, body: &serde_json::Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, media_type.header());
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// What a resolver says of a call that failed.
pub fn fault(problem: &Problem) -> async_graphql::Error {
    let failure = problem.failure();
    async_graphql::Error::new(failure.message.clone())
        .extend_with(|_, extensions| extensions.set("code", failure.code.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(value: &str) -> Option<MediaType> {
        MediaType::accepted(&HeaderMap::from_iter([(
            ACCEPT,
            HeaderValue::from_str(value).unwrap(),
        )]))
    }

    #[test]
    fn media_type_is_what_the_client_names() {
        use MediaType::{GraphqlResponse, Json};
        assert_eq!(
            accepted("application/graphql-response+json; charset=utf-8, application/json;q=0.9"),
            Some(GraphqlResponse)
        );
        assert_eq!(accepted("application/json"), Some(Json));
        assert_eq!(accepted("*/*"), Some(GraphqlResponse));
        assert_eq!(accepted("text/html"), None);
        assert_eq!(accepted("application/json;q=0"), None);
        assert_eq!(MediaType::accepted(&HeaderMap::new()), Some(GraphqlResponse));
    }
}
