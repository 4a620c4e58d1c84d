//! Reads the `Cookie` header.
use axum::http::HeaderMap;
use http::header::COOKIE;

/// The first cookie of this name.
pub fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn cookie_is_found_among_others_and_lines() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=1; b=2"));
        headers.append(COOKIE, HeaderValue::from_static("stillpoint_session=abc; c=3"));
        assert_eq!(read(&headers, "stillpoint_session"), Some("abc"));
        assert_eq!(read(&headers, "b"), Some("2"));
        assert_eq!(read(&headers, "d"), None);
    }
}
