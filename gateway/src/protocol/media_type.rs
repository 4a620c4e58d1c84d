//! Media types of request bodies.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;

pub enum MediaType {
    Json,
    Form,
    Other,
}

pub fn media_type(headers: &HeaderMap) -> MediaType {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = value
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match essence.as_str() {
        "application/json" => MediaType::Json,
        "application/x-www-form-urlencoded" => MediaType::Form,
        other if other.starts_with("application/") && other.ends_with("+json") => MediaType::Json,
        _ => MediaType::Other,
    }
}

/// A text field of a body that a handler reads later, in either media type. `None` as well for a body that the handler refuses.
pub fn text_field(headers: &HeaderMap, bytes: &[u8], name: &str) -> Option<String> {
    match media_type(headers) {
        MediaType::Json => {
            let body: Value = serde_json::from_slice(bytes).ok()?;
            body.get(name)?.as_str().map(str::to_owned)
        }
        MediaType::Form => url::form_urlencoded::parse(bytes)
            .find(|(field, _)| field == name)
            .map(|(_, value)| value.into_owned()),
        MediaType::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn text_field_is_found_in_either_media_type() {
        let field = |media_type: &'static str, body: &str| {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]);
            text_field(&headers, body.as_bytes(), "coupon_code")
        };
        let (json, form) = ("application/json", "application/x-www-form-urlencoded");
        assert_eq!(field(json, r#"{"coupon\u005fcode": "A"}"#).as_deref(), Some("A"));
        assert_eq!(field(form, "a=1&coupon%5Fcode=A+B").as_deref(), Some("A B"));
        for (media_type, body) in [
            (json, "coupon_code=A"),
            (form, "coupon=A"),
            ("text/plain", "coupon_code=A"),
        ] {
            assert_eq!(field(media_type, body), None, "{media_type}: {body}");
        }
    }
}
