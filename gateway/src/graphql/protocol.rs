//! GraphQL over HTTP: media types, statuses, and what an error says.
use async_graphql::{ErrorExtensionValues, ErrorExtensions, Response as Answer, ServerError, Value};
use axum::body::Body;
use axum::http::HeaderMap;
use axum::response::Response;
use http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use kit::error::ErrorCode;
use serde::Serialize;
use serde_json::json;

use crate::graphql::operations::HashError;
use crate::protocol::error::Problem;
use crate::protocol::quality_values::thousandths;

/// Of media types in one request.
const RANGES_MAX: usize = 32;

/// Which of the two media types the client reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    GraphqlResponse,
    Json,
}

impl MediaType {
    /// What the client weighs highest; `None` where it accepts neither. `application/graphql-response+json` is only for
    /// clients that name it: others may take every status but 200 for a failed transport.
    pub fn accepted(headers: &HeaderMap) -> Option<Self> {
        let mut lines = headers.get_all(ACCEPT).iter().peekable();
        if lines.peek().is_none() {
            return Some(Self::Json);
        }
        let ranges = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','));
        let mut weights = Preferences::default();
        for range in ranges.take(RANGES_MAX) {
            weights.note(range);
        }
        match (weights.of(Self::GraphqlResponse), weights.of(Self::Json)) {
            (0, 0) => None,
            (response, json) if response >= json && weights.names_graphql_response() => {
                Some(Self::GraphqlResponse)
            }
            (_, 0) => Some(Self::GraphqlResponse),
            _ => Some(Self::Json),
        }
    }

    pub fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        })
    }
}

/// Quality values in thousandths; `None` if not given. An exact type takes precedence over a range.
#[derive(Default)]
struct Preferences {
    graphql_response: Option<u32>,
    json: Option<u32>,
    application: Option<u32>,
    anything: Option<u32>,
}

impl Preferences {
    fn note(&mut self, range: &str) {
        let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
        let weight = parameters
            .split(';')
            .find_map(|parameter| parameter.trim().strip_prefix("q="));
        let weight = weight.map_or(Some(1000), thousandths).unwrap_or(0);
        match name.trim().to_ascii_lowercase().as_str() {
            "application/graphql-response+json" => self.graphql_response = Some(weight),
            "application/json" => self.json = Some(weight),
            "application/*" => self.application = Some(weight),
            "*/*" => self.anything = Some(weight),
            _ => {}
        }
    }

    fn names_graphql_response(&self) -> bool {
        self.graphql_response.is_some()
    }

    fn of(&self, media_type: MediaType) -> u32 {
        let named = match media_type {
            MediaType::GraphqlResponse => self.graphql_response,
            MediaType::Json => self.json,
        };
        named.or(self.application).or(self.anything).unwrap_or(0)
    }
}

/// What was executed, with the status that the media type asks for.
pub fn executed(answer: &Answer, media_type: MediaType) -> Response {
    if !is_request_error(answer) {
        return respond(StatusCode::OK, media_type, written(answer));
    }
    // A request error has no `data` at all.
    let status = match media_type {
        MediaType::GraphqlResponse => StatusCode::BAD_REQUEST,
        MediaType::Json => StatusCode::OK,
    };
    respond(status, media_type, written(&json!({ "errors": answer.errors })))
}

/// Parsing, validation and limits fail before anything runs, so their errors stand at no path of the answer.
fn is_request_error(answer: &Answer) -> bool {
    answer.data == Value::Null && answer.is_err() && answer.errors.iter().all(|error| error.path.is_empty())
}

/// A request that is no GraphQL request.
pub fn refused(status: StatusCode, media_type: MediaType, code: &str, message: &str) -> Response {
    let body = json!({ "errors": [{ "message": message, "extensions": { "code": code } }] });
    let mut response = respond(status, media_type, written(&body));
    match status {
        StatusCode::UNAUTHORIZED => {
            response
                .headers_mut()
                .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            let allowed = HeaderValue::from_static("POST");
            response.headers_mut().insert(ALLOW, allowed);
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            let accepted = HeaderValue::from_static("application/json; charset=utf-8");
            response.headers_mut().insert("accept-post", accepted);
        }
        _ => {}
    }
    response
}

fn written(body: &impl Serialize) -> String {
    serde_json::to_string(body).unwrap_or_default()
}

pub fn respond(status: StatusCode, media_type: MediaType, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, media_type.header());
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Why a query could not be had by its hash, in the words that clients look for.
pub fn hash_error(error: HashError) -> ServerError {
    let (message, code) = match error {
        HashError::NotFound => (
            "PersistedQueryNotFound",
            ErrorCode::PersistedQueryNotFound.as_str_name(),
        ),
        HashError::Mismatch => (
            "provided sha does not match query",
            ErrorCode::BadRequest.as_str_name(),
        ),
        HashError::Malformed => (
            "Invalid persistedQuery extension",
            ErrorCode::BadRequest.as_str_name(),
        ),
    };
    let mut error = ServerError::new(message, None);
    error
        .extensions
        .get_or_insert_with(ErrorExtensionValues::default)
        .set("code", code);
    error
}

/// What a resolver says of a call that failed.
pub fn graphql_error(problem: &Problem) -> async_graphql::Error {
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
        assert_eq!(accepted("*/*"), Some(Json));
        assert_eq!(
            accepted("application/graphql-response+json, */*"),
            Some(GraphqlResponse)
        );
        assert_eq!(accepted("application/json;q=0, */*"), Some(GraphqlResponse));
        assert_eq!(accepted("text/html"), None);
        assert_eq!(accepted("application/json;q=0"), None);
        assert_eq!(
            accepted("application/graphql-response+json;q=0.5, application/json"),
            Some(Json)
        );
        assert_eq!(accepted("*/*, application/graphql-response+json;q=0"), Some(Json));
        assert_eq!(accepted("text/html, application/*;q=0.1"), Some(Json));
        assert_eq!(accepted("application/json; charset=utf-8; q=0.2"), Some(Json));
        assert_eq!(accepted("application/json;q=nonsense"), None);
        assert_eq!(MediaType::accepted(&HeaderMap::new()), Some(Json));
    }
}
