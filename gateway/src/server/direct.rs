//! The way of nearly every request: a stored page, written to the connection it was asked for on without a request and
//! a response being built around it. What is not that simple goes to the routes, with the bytes read so far.
use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use chrono::DateTime;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::patient::Patient;
use crate::pages::entry::Ask;
use crate::pages::{Pages, preview};
use crate::trace;

/// Browsers send about fifteen; whoever sends more is no less welcome, only slower.
const HEADERS_MAX: usize = 32;
const READ_BYTES: usize = 4096;

pub enum End {
    Closed,
    /// Something else was asked: these bytes, and whatever follows on this connection.
    Other(Bytes),
}

/// Answers until the client leaves, keeps silent for `idle`, or asks for something else.
pub async fn serve(
    stream: &mut Patient,
    pages: &Pages,
    idle: Duration,
    stop: &CancellationToken,
) -> io::Result<End> {
    let mut read = BytesMut::with_capacity(READ_BYTES);
    let mut head = Head::default();
    let mut silent_since = Instant::now();
    let mut too_long = pin!(sleep_until(silent_since + idle));
    let mut stopping = pin!(stop.cancelled());
    loop {
        while !read.is_empty() {
            let Some(length) = answer(stream, pages, &read, &mut head).await? else {
                return Ok(End::Other(read.freeze()));
            };
            read.advance(length);
            silent_since = Instant::now();
        }
        if stop.is_cancelled() {
            return Ok(End::Closed);
        }
        read.reserve(READ_BYTES);
        loop {
            tokio::select! {
                biased;
                length = stream.read_buf(&mut read) => match length? {
                    0 => return Ok(End::Closed),
                    _ => break,
                },
                () = &mut stopping => return Ok(End::Closed),
                // Set anew only when it strikes: most connections never come to it.
                () = &mut too_long => {
                    if silent_since.elapsed() >= idle {
                        return Ok(End::Closed);
                    }
                    too_long.as_mut().reset(silent_since + idle);
                }
            }
        }
    }
}

/// Writes the answer to the first request in `read`; how long that request was, if it was for a stored page.
async fn answer(
    stream: &mut Patient,
    pages: &Pages,
    read: &[u8],
    head: &mut Head,
) -> io::Result<Option<usize>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    let Ok(httparse::Status::Complete(length)) = request.parse(read) else {
        return Ok(None);
    };
    let Some(plain) = Plain::of(&request) else {
        return Ok(None);
    };
    let Some(entry) = pages.fresh(plain.path) else {
        return Ok(None);
    };
    let (stored, body) = entry.hit(plain.ask);
    head.begin(pages.now_ms());
    trace::write_lines(&mut head.lines, plain.traceparent, plain.request_id);
    head.lines.extend_from_slice(b"\r\n");
    let mut bytes = stored.chain(head.lines.as_slice()).chain(body);
    stream.write_all_buf(&mut bytes).await?;
    Ok(Some(length))
}

/// A request with no body and no wish beyond its page.
struct Plain<'a> {
    path: &'a str,
    ask: Ask<'a>,
    traceparent: Option<&'a [u8]>,
    request_id: Option<&'a [u8]>,
}

impl<'a> Plain<'a> {
    fn of(request: &httparse::Request<'_, 'a>) -> Option<Self> {
        let (Some(method @ ("GET" | "HEAD")), Some(target), Some(1)) =
            (request.method, request.path, request.version)
        else {
            return None;
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if preview::is_asked_by_link(query) {
            return None;
        }
        let mut plain = Self {
            path,
            ask: Ask {
                head_only: method == "HEAD",
                ..Ask::default()
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
            13 if is("if-none-match") => self.ask.if_none_match = Some(str::from_utf8(value).ok()?),
            14 if is("content-length") => return None,
            15 if is("accept-encoding") => self.ask.accept_encoding = str::from_utf8(value).ok()?,
            17 if is("transfer-encoding") => return None,
            _ => {}
        }
        Some(())
    }
}

/// The lines of a head that differ from answer to answer.
#[derive(Default)]
struct Head {
    lines: Vec<u8>,
    date: String,
    second: i64,
}

impl Head {
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
