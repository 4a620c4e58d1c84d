//! The way of most questions: one that was asked before is answered where its connection lives, past all routes.
use axum::body::Body as AnyBody;
use bytes::Bytes;
use futures::stream::{self, StreamExt};
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, Method, Request, Response};
use http_body_util::{BodyExt, BodyStream, Full, StreamBody};
use hyper::body::{Body, Frame};

use crate::allowances::QUERY;
use crate::app::App;
use crate::graphql::endpoint::{is_json, question, wants_anew};
use crate::graphql::protocol::MediaType;
use crate::pages::entry::Outcome;
use crate::security::tokens;

pub enum Taken {
    Answered(Response<Full<Bytes>>),
    /// For the routes, with its whole body.
    Other(Request<AnyBody>),
}

/// Whether it is worth looking at the body.
pub fn may_answer<B>(request: &Request<B>) -> bool {
    *request.method() == Method::POST
        && request.uri().path() == "/graphql"
        && length_of(request.headers()).is_some_and(|length| length <= QUERY.body_bytes)
        && !wants_anew(request.headers())
}

fn length_of(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

pub async fn answer<B>(app: &App, request: Request<B>) -> Taken
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
    // Who is slower than this is told so by the routes.
    let is_whole = tokio::time::timeout(app.config.server.body_timeout, reading)
        .await
        .is_ok();
    if is_whole
        && let [text] = read.as_slice()
        && let Some(response) = from_memory(app, &parts.headers, text)
    {
        return Taken::Answered(response);
    }
    let before = stream::iter(read.into_iter().map(|bytes| Ok(Frame::data(bytes))));
    let whole = StreamBody::new(before.chain(BodyStream::new(body)));
    Taken::Other(Request::from_parts(parts, AnyBody::new(whole)))
}

fn from_memory(app: &App, headers: &HeaderMap, text: &[u8]) -> Option<Response<Full<Bytes>>> {
    let text = std::str::from_utf8(text).ok()?;
    let media_type = MediaType::accepted(headers)?;
    if !tokens::carries(headers, &app.config.tokens.content_read) || !is_json(headers) {
        return None;
    }
    let entry = app
        .graphql
        .answers
        .fresh(&question(&Method::POST, media_type, text))?;
    Some(entry.respond(&Method::POST, headers, Outcome::Hit))
}
