//! The range API of Have I Been Pwned: `BREACHED_PASSWORDS_URL`. It lists a few passwords of its own, so that no real one is
//! needed.

use axum::{
    extract::Path,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

const LISTED: [&str; 2] = ["correct horse battery staple", "breached in the sandbox"];
const PREFIX_CHARS: usize = 5;
/// Padding of an answer, if it is asked for: suffixes that were found zero times.
const PADDING_LINES: usize = 20;

pub async fn range(Path(prefix): Path<String>, headers: HeaderMap) -> Response {
    let is_prefix = prefix.len() == PREFIX_CHARS && prefix.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_prefix {
        return (
            StatusCode::BAD_REQUEST,
            "The hash prefix was not in a valid format",
        )
            .into_response();
    }
    let is_padded = headers.get("add-padding").is_some_and(|value| value == "true");
    let padding = if is_padded { PADDING_LINES } else { 0 };
    let body = lines(&prefix.to_ascii_uppercase(), padding);
    ([(header::CONTENT_TYPE, "text/plain")], body).into_response()
}

fn lines(prefix: &str, padding: usize) -> String {
    let hashes = LISTED.iter().map(|password| sha1(password));
    let listed = hashes.filter_map(|hash| Some(format!("{}:3", hash.strip_prefix(prefix)?)));
    let padding = (0..padding).map(|line| {
        let padded = sha1(&format!("padding {line}"));
        format!("{}:0", &padded[PREFIX_CHARS..])
    });
    listed.chain(padding).collect::<Vec<_>>().join("\r\n")
}

fn sha1(text: &str) -> String {
    hex::encode_upper(digest(&SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_suffixes_are_found_by_their_prefix() {
        // The hash that the service itself shows as an example.
        assert_eq!(sha1("P@ssw0rd"), "21BD12DC183F740EE76F27B78EB39C8AD972A757");
        let hash = sha1(LISTED[0]);
        let (prefix, suffix) = hash.split_at(PREFIX_CHARS);
        assert_eq!(lines(prefix, 0), format!("{suffix}:3"));
        assert_eq!(
            lines("00000", 2)
                .lines()
                .filter(|line| line.ends_with(":0"))
                .count(),
            2
        );
    }
}
