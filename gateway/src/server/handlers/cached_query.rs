//! Fast path: answers cached queries before routing.
use axum::body::Body as AnyBody;
use bytes::Bytes;
use futures::stream::{self, StreamExt};
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::{BodyExt, BodyStream, Full, StreamBody};
use hyper::body::{Body, Frame};

use crate::cache::entry::CacheStatus;
use crate::graphql::protocol::MediaType;
use crate::protocol::allowances::GRAPHQL;
use crate::security::tokens;
use crate::server::handlers::graphql::{bypasses_cache, cache_key, is_json};
use crate::state::AppState;

pub enum Outcome {
    Answered(Response<Full<Bytes>>),
    /// For the router, with its whole body.
    Unhandled(Request<AnyBody>),
}

/// Whether the request can be in the cache.
pub fn is_cacheable<B>(request: &Request<B>) -> bool {
    *request.method() == Method::POST
        && request.uri().path() == "/graphql"
        && length_of(request.headers()).is_some_and(|length| length <= GRAPHQL.body_bytes)
        && !bypasses_cache(request.headers())
}

fn length_of(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

pub async fn answer<B>(app: &AppState, request: Request<B>) -> Outcome
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: std::error::Error + Send + Sync,
{
    let (parts, mut body) = request.into_parts();
    let mut read = Vec::with_capacity(1);
    let reading = async {
        while let Some(Ok(frame)) = body.frame().await {
            read.extend(frame.into_data());
        }
    };
    // The router answers a slower client with BODY_TIMEOUT.
    let is_whole = tokio::time::timeout(app.config.server.body_timeout, reading)
        .await
        .is_ok();
    if is_whole
        && let [text] = read.as_slice()
        && let Some(response) = lookup(app, &parts.headers, text)
    {
        return Outcome::Answered(response);
    }
    let before = stream::iter(read.into_iter().map(|bytes| Ok(Frame::data(bytes))));
    let whole = StreamBody::new(before.chain(BodyStream::new(body)));
    Outcome::Unhandled(Request::from_parts(parts, AnyBody::new(whole)))
}

fn lookup(app: &AppState, headers: &HeaderMap, text: &[u8]) -> Option<Response<Full<Bytes>>> {
    let text = std::str::from_utf8(text).ok()?;
    let media_type = MediaType::accepted(headers)?;
    if !tokens::carries(headers, &app.config.tokens.content_read) || !is_json(headers) {
        return None;
    }
    let entry = app
        .graphql
        .cache
        .get(&cache_key(&Method::POST, media_type, text))?;
    Some(entry.respond(&Method::POST, headers, CacheStatus::Hit))
}
