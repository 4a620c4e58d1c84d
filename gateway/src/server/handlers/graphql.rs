//! `/graphql` over GET and POST.
use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use kit::error::{ErrorCode, Kind};

use crate::cache::entry::CacheStatus;
use crate::graphql::parameters::Parameters;
use crate::graphql::protocol::{MediaType, refused};
use crate::graphql::query_cache::CacheableResponse;
use crate::graphql::{Execution, QueryRequest, protocol};
use crate::protocol::error::Problem;
use crate::rest::client::Client;
use crate::security::preview::{Preview, hide_from_search};
use crate::security::tokens;
use crate::state::AppState;

/// Queries, with everything in the query string.
pub async fn execute_get(
    State(app): State<Arc<AppState>>,
    Client(client): Client,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let call = match GraphqlCall::authorize(&app, Method::GET, &headers, client).await {
        Ok(call) => call,
        Err(refusal) => return *refusal,
    };
    call.answer(&query, || Parameters::from_query(&query)).await
}

/// One operation in a JSON body.
pub async fn execute_post(
    State(app): State<Arc<AppState>>,
    Client(client): Client,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let call = match GraphqlCall::authorize(&app, Method::POST, &headers, client).await {
        Ok(call) => call,
        Err(refusal) => return *refusal,
    };
    if !is_json(&headers) {
        let message = "Send the body as application/json.";
        return refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            call.media_type,
            ErrorCode::UnsupportedMediaType.as_str_name(),
            message,
        );
    }
    match std::str::from_utf8(&body) {
        Ok(text) => call.answer(text, || Parameters::from_body(&body)).await,
        Err(_) => call.malformed("The body is not JSON."),
    }
}

/// An authorized request and the media type of its response.
struct GraphqlCall<'r> {
    app: &'r AppState,
    method: Method,
    headers: &'r HeaderMap,
    media_type: MediaType,
    preview: Option<Preview>,
}

impl<'r> GraphqlCall<'r> {
    /// The read token is always let in, also from a client that guessed: it is too long to be guessed, and the renderer has it.
    async fn authorize(
        app: &'r AppState,
        method: Method,
        headers: &'r HeaderMap,
        client: IpAddr,
    ) -> Result<Self, Box<Response>> {
        let accepted = MediaType::accepted(headers);
        let media_type = accepted.unwrap_or(MediaType::Json);
        let refusal = |status, code, message| Box::new(refused(status, media_type, code, message));
        let preview = if tokens::carries(headers, &app.config.tokens.content_read) {
            None
        } else {
            let guesses = &app.limits.tokens;
            let not_let_in = |problem: Problem| Box::new(failed(&problem, media_type));
            guesses.check(client).map_err(not_let_in)?;
            let token = tokens::bearer(headers).unwrap_or_default();
            let preview = Preview::of(token, &app.clients).await.map_err(not_let_in)?;
            let message = "Send the read token as a bearer token.";
            let missing = || {
                if !token.is_empty() {
                    guesses.count_wrong(client);
                }
                refusal(
                    StatusCode::UNAUTHORIZED,
                    ErrorCode::Unauthenticated.as_str_name(),
                    message,
                )
            };
            Some(preview.ok_or_else(missing)?)
        };
        if accepted.is_none() {
            let message = "The answer is application/graphql-response+json or application/json.";
            return Err(refusal(
                StatusCode::NOT_ACCEPTABLE,
                ErrorCode::NotAcceptable.as_str_name(),
                message,
            ));
        }
        Ok(Self {
            app,
            method,
            headers,
            media_type,
            preview,
        })
    }

    async fn answer(self, text: &str, parameters: impl FnOnce() -> Result<Parameters, String>) -> Response {
        let answers = &self.app.graphql.cache;
        let question = cache_key(&self.method, self.media_type, text);
        let keeps = self.preview.is_none() && !bypasses_cache(self.headers);
        if keeps && let Some(entry) = answers.get(&question) {
            return entry
                .respond(&self.method, self.headers, CacheStatus::Hit)
                .map(Body::new);
        }
        let parameters = match parameters() {
            Ok(parameters) => parameters,
            Err(message) => return self.malformed(&message),
        };
        let (media_type, is_preview) = (self.media_type, self.preview.is_some());
        let created_at = answers.now();
        let asked = QueryRequest {
            parameters,
            only_reads: self.method == Method::GET,
            preview: self.preview,
        };
        let mut response = match self.app.graphql.execute(asked).await {
            Execution::Data { body, tags } => {
                let body = Bytes::from(body);
                if let Some(tags) = tags.filter(|_| keeps) {
                    let answer = CacheableResponse {
                        body: body.clone(),
                        media_type,
                        created_at,
                        tags,
                    };
                    answers.put(question, answer);
                }
                protocol::respond(StatusCode::OK, media_type, body)
            }
            Execution::Executed(answer) => protocol::executed(&answer, media_type),
            Execution::MutationByGet => {
                let message = "Mutations are sent by POST.";
                refused(
                    StatusCode::METHOD_NOT_ALLOWED,
                    media_type,
                    ErrorCode::MethodNotAllowed.as_str_name(),
                    message,
                )
            }
        };
        if is_preview {
            hide_from_search(response.headers_mut());
        }
        response
    }

    fn malformed(&self, message: &str) -> Response {
        refused(
            StatusCode::BAD_REQUEST,
            self.media_type,
            ErrorCode::MalformedRequest.as_str_name(),
            message,
        )
    }
}

/// The cache key of a query.
pub fn cache_key(method: &Method, media_type: MediaType, text: &str) -> String {
    let mut question = String::with_capacity(text.len() + 8);
    question.push_str(method.as_str());
    question.push(match media_type {
        MediaType::GraphqlResponse => ' ',
        MediaType::Json => '\t',
    });
    question.push_str(text);
    question
}

pub fn bypasses_cache(headers: &HeaderMap) -> bool {
    let value = headers.get(CACHE_CONTROL).map(HeaderValue::as_bytes);
    value.is_some_and(|value| value == b"no-cache" || value == b"no-store")
}

/// A caller that is not let in, or cannot be just now.
fn failed(problem: &Problem, media_type: MediaType) -> Response {
    let failure = problem.failure();
    let status = match failure.kind {
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    problem.finish(refused(status, media_type, &failure.code, &failure.message))
}

pub fn is_json(headers: &HeaderMap) -> bool {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    let packed = !matches!(text(CONTENT_ENCODING), "" | "identity");
    let value = text(CONTENT_TYPE).to_ascii_lowercase();
    let mut parts = value.split(';').map(str::trim);
    let is_json = parts.next() == Some("application/json");
    let is_utf8 = parts.all(|part| {
        part.strip_prefix("charset=")
            .is_none_or(|charset| charset.trim_matches('"') == "utf-8")
    });
    is_json && is_utf8 && !packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_charsets_and_packed_bodies_are_no_json() {
        let with = |value: &'static str| {
            HeaderMap::from_iter([(CONTENT_TYPE, http::HeaderValue::from_static(value))])
        };
        assert!(is_json(&with("application/json")));
        assert!(is_json(&with("application/json; charset=UTF-8")));
        assert!(is_json(&with("application/json;charset=\"utf-8\"")));
        assert!(!is_json(&with("application/json; charset=latin1")));
        assert!(!is_json(&with("application/graphql+json")));
        assert!(!is_json(&with("text/plain")));
        assert!(!is_json(&HeaderMap::new()));
        let mut packed = with("application/json");
        packed.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(!is_json(&packed));
    }
}
