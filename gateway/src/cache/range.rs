//! The piece of a body that a `Range` header asks for.
use axum::http::HeaderMap;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_RANGE};
use http::{HeaderValue, StatusCode};

#[derive(Debug, PartialEq, Eq)]
enum RangeRequest {
    /// Nothing we know, or several pieces at once: everything is an answer to that too.
    Whole,
    /// Both are part of it.
    Piece {
        first: usize,
        last: usize,
    },
    Outside,
}

/// `None` where the whole body is the answer.
pub fn partial_response(
    range: &str,
    headers: &HeaderMap,
    body: &Bytes,
) -> Option<(StatusCode, HeaderMap, Bytes)> {
    let (status, place, piece) = match asked(range, body.len()) {
        RangeRequest::Whole => return None,
        RangeRequest::Outside => (
            StatusCode::RANGE_NOT_SATISFIABLE,
            format!("bytes */{}", body.len()),
            Bytes::new(),
        ),
        RangeRequest::Piece { first, last } => (
            StatusCode::PARTIAL_CONTENT,
            format!("bytes {first}-{last}/{}", body.len()),
            body.slice(first..=last),
        ),
    };
    let mut headers = headers.clone();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(piece.len()));
    headers.insert(CONTENT_RANGE, HeaderValue::try_from(place).ok()?);
    Some((status, headers, piece))
}

fn asked(range: &str, length: usize) -> RangeRequest {
    let bounds = range
        .strip_prefix("bytes=")
        .and_then(|range| range.split_once('-'));
    match bounds {
        Some(("", count)) => last_bytes(count, length),
        Some((first, "")) => first
            .parse()
            .map_or(RangeRequest::Whole, |first| from(first, usize::MAX, length)),
        Some((first, last)) => match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if first <= last => from(first, last, length),
            _ => RangeRequest::Whole,
        },
        None => RangeRequest::Whole,
    }
}

fn last_bytes(count: &str, length: usize) -> RangeRequest {
    match count.parse::<usize>() {
        Ok(0) => RangeRequest::Outside,
        Ok(count) => from(length.saturating_sub(count), usize::MAX, length),
        Err(_) => RangeRequest::Whole,
    }
}

fn from(first: usize, last: usize, length: usize) -> RangeRequest {
    if first >= length {
        return RangeRequest::Outside;
    }
    RangeRequest::Piece {
        first,
        last: last.min(length - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_is_inside_what_there_is() {
        let piece = |first, last| RangeRequest::Piece { first, last };
        for (range, expected) in [
            ("bytes=0-1", piece(0, 1)),
            ("bytes=0-0", piece(0, 0)),
            ("bytes=4-", piece(4, 9)),
            ("bytes=4-99", piece(4, 9)),
            ("bytes=-2", piece(8, 9)),
            ("bytes=-99", piece(0, 9)),
            ("bytes=10-", RangeRequest::Outside),
            ("bytes=-0", RangeRequest::Outside),
        ] {
            assert_eq!(asked(range, 10), expected, "{range}");
        }
        assert_eq!(asked("bytes=0-", 0), RangeRequest::Outside);
    }

    #[test]
    fn what_cannot_be_read_is_answered_in_full() {
        for range in [
            "",
            "bytes=",
            "bytes=-",
            "bytes=a-b",
            "bytes=5-2",
            "bytes=0-1,4-5",
            "lines=0-1",
        ] {
            assert_eq!(asked(range, 10), RangeRequest::Whole, "{range}");
        }
    }
}
