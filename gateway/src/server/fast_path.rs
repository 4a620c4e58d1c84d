//! Answers simple requests for cached pages directly on the connection, without building a request and a response.
//! Other requests go to the router with the bytes read so far.
use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use chrono::DateTime;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::write_timeout::WriteTimeoutStream;
use crate::cache::entry::ConditionalRequest;
use crate::pages::Pages;
use crate::protocol::trace;
use crate::server::handlers::preview;

/// Browsers send about fifteen; requests with more go to the router.
const HEADERS_MAX: usize = 32;
const READ_BYTES: usize = 4096;

pub enum Outcome {
    Closed,
    /// A request for the router: these bytes, and the rest of the connection.
    Unhandled(Bytes),
}

/// Answers until the client disconnects, is idle for `idle`, or sends a request that is not simple.
pub async fn serve(
    stream: &mut WriteTimeoutStream,
    pages: &Pages,
    idle: Duration,
    stop: &CancellationToken,
) -> io::Result<Outcome> {
    let mut read = BytesMut::with_capacity(READ_BYTES);
    let mut head = VariableHeaders::default();
    let mut silent_since = Instant::now();
    let mut too_long = pin!(sleep_until(silent_since + idle));
    let mut stopping = pin!(stop.cancelled());
    loop {
        while !read.is_empty() {
            let Some(length) = answer_from_cache(stream, pages, &read, &mut head).await? else {
                return Ok(Outcome::Unhandled(read.freeze()));
            };
            read.advance(length);
            silent_since = Instant::now();
        }
        if stop.is_cancelled() {
            return Ok(Outcome::Closed);
        }
        read.reserve(READ_BYTES);
        loop {
            tokio::select! {
                biased;
                length = stream.read_buf(&mut read) => match length? {
                    0 => return Ok(Outcome::Closed),
                    _ => break,
                },
                () = &mut stopping => return Ok(Outcome::Closed),
                // Set anew only when it strikes: most connections never come to it.
                () = &mut too_long => {
                    if silent_since.elapsed() >= idle {
                        return Ok(Outcome::Closed);
                    }
                    too_long.as_mut().reset(silent_since + idle);
                }
            }
        }
    }
}

/// Writes the response to the first request in `read`. Returns the request's length; `None` if no cached page answers it.
async fn answer_from_cache(
    stream: &mut WriteTimeoutStream,
    pages: &Pages,
    read: &[u8],
    head: &mut VariableHeaders,
) -> io::Result<Option<usize>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    let Ok(httparse::Status::Complete(length)) = request.parse(read) else {
        return Ok(None);
    };
    let Some(plain) = SimpleRequest::of(&request) else {
        return Ok(None);
    };
    let Some(entry) = pages.fresh(plain.path) else {
        return Ok(None);
    };
    let (stored, body) = entry.raw_response(plain.conditions);
    head.begin(pages.now_ms());
    trace::write_lines(&mut head.lines, plain.traceparent, plain.request_id);
    head.lines.extend_from_slice(b"\r\n");
    let mut bytes = stored.chain(head.lines.as_slice()).chain(body);
    stream.write_all_buf(&mut bytes).await?;
    Ok(Some(length))
}

/// A GET or HEAD of a page, without body, range or preview.
struct SimpleRequest<'a> {
    path: &'a str,
    conditions: ConditionalRequest<'a>,
    traceparent: Option<&'a [u8]>,
    request_id: Option<&'a [u8]>,
}

impl<'a> SimpleRequest<'a> {
    fn of(request: &httparse::Request<'_, 'a>) -> Option<Self> {
        let (Some(method @ ("GET" | "HEAD")), Some(target), Some(1)) =
            (request.method, request.path, request.version)
        else {
            return None;
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if preview::is_requested_by_link(query) {
            return None;
        }
        let mut plain = Self {
            path,
            conditions: ConditionalRequest {
                head_only: method == "HEAD",
                ..ConditionalRequest::default()
            },
            traceparent: None,
            request_id: None,
        };
        for header in request.headers.iter() {
            plain.take(header.name, header.value)?;
        }
        Some(plain)
    }

    fn take(&mut self, name: &str, value: &'a [u8]) -> Option<()> {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        match name.len() {
            5 if is("range") => return None,
            6 if is("expect") => return None,
            6 if is("cookie") && preview::may_be_in_cookie(value) => return None,
            7 if is("upgrade") => return None,
            10 if is("connection") && !value.eq_ignore_ascii_case(b"keep-alive") => return None,
            11 if is("traceparent") => self.traceparent = Some(value),
            12 if is("x-request-id") => self.request_id = Some(value),
            13 if is("if-none-match") => self.conditions.if_none_match = Some(str::from_utf8(value).ok()?),
            14 if is("content-length") => return None,
            15 if is("accept-encoding") => self.conditions.accept_encoding = str::from_utf8(value).ok()?,
            17 if is("transfer-encoding") => return None,
            _ => {}
        }
        Some(())
    }
}

/// The headers that differ between responses: date and trace ids.
#[derive(Default)]
struct VariableHeaders {
    lines: Vec<u8>,
    date: String,
    second: i64,
}

impl VariableHeaders {
    fn begin(&mut self, now_ms: i64) {
        let second = now_ms.div_euclid(1000);
        if second != self.second || self.date.is_empty() {
            let now = DateTime::from_timestamp(second, 0).unwrap_or_default();
            self.date = now.format("date: %a, %d %b %Y %H:%M:%S GMT\r\n").to_string();
            self.second = second;
        }
        self.lines.clear();
        self.lines.extend_from_slice(self.date.as_bytes());
    }
}
