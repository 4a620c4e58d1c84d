//! Where a visitor came from: flat parameters, a `utm` object, or the cookie `utm_params`; only the allowed names.
use axum::http::HeaderMap;
use kit::tracking::PARAMETERS;
use proto::common::v1::Tracking;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::protocol::cookie_header;

const COOKIE: &str = "utm_params";
const LONGEST_CHARS: usize = 256;

/// The tracking fields of a body.
#[derive(Debug, Default, Deserialize)]
pub struct TrackingFields {
    #[serde(default)]
    utm: Option<Map<String, Value>>,
    /// Everything in the body that has no field of its own.
    #[serde(flatten)]
    flat: Map<String, Value>,
}

impl TrackingFields {
    /// What the body says wins over what the cookie remembers.
    pub fn tracking(&self, headers: &HeaderMap) -> Tracking {
        let remembered = cookie_header::read(headers, COOKIE)
            .map(from_cookie)
            .unwrap_or_default();
        let sources = [Some(&self.flat), self.utm.as_ref(), Some(&remembered)];
        let value_of = |name: &str| {
            sources
                .into_iter()
                .flatten()
                .find_map(|source| source.get(name).and_then(text))
        };
        let parameters = PARAMETERS
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), value_of(name)?)))
            .collect();
        Tracking { parameters }
    }
}

/// Written by the page as JSON or as a query string, percent-encoded either way.
fn from_cookie(value: &str) -> Map<String, Value> {
    let decoded = percent_decoded(value);
    if let Ok(Value::Object(object)) = serde_json::from_str(&decoded) {
        return object;
    }
    let pairs = url::form_urlencoded::parse(decoded.as_bytes());
    pairs
        .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
        .collect()
}

fn percent_decoded(value: &str) -> String {
    // One pair of a form without its `=`: decoding it is decoding the name. A plus sign stays one.
    let kept = value.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    url::form_urlencoded::parse(kept.as_bytes())
        .next()
        .map(|(name, _)| name.into_owned())
        .unwrap_or_default()
}

fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let kept: String = text
        .chars()
        .filter(|char| !char.is_control())
        .take(LONGEST_CHARS)
        .collect();
    (!kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::COOKIE as COOKIE_HEADER;

    use super::*;

    fn tracking(body: &str, cookie: Option<&'static str>) -> Vec<(String, String)> {
        let sent: TrackingFields = serde_json::from_str(body).unwrap();
        let pairs = cookie.map(|cookie| (COOKIE_HEADER, HeaderValue::from_static(cookie)));
        let mut parameters: Vec<_> = sent
            .tracking(&pairs.into_iter().collect())
            .parameters
            .into_iter()
            .collect();
        parameters.sort();
        parameters
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn flat_object_and_cookie_are_all_read() {
        let body =
            r#"{"utm_source": "flat", "utm": {"utm_source": "object", "utm_medium": "mail", "cpid": 7}}"#;
        let cookie = Some("utm_params=utm_source%3Dcookie%26utm_term%3Dsleep");
        let expected = [
            pair("cpid", "7"),
            pair("utm_medium", "mail"),
            pair("utm_source", "flat"),
            pair("utm_term", "sleep"),
        ];
        assert_eq!(tracking(body, cookie), expected);
    }

    #[test]
    fn cookie_may_be_json_or_a_plain_query() {
        assert_eq!(
            tracking("{}", Some("utm_params=%7B%22utm_source%22%3A%22a%20b%22%7D")),
            [pair("utm_source", "a b")]
        );
        assert_eq!(
            tracking("{}", Some("utm_params=utm_source=x&foo=y")),
            [pair("utm_source", "x")]
        );
        assert_eq!(tracking("{}", Some("utm_params=%ff%fe")), []);
    }

    #[test]
    fn only_the_eleven_names_pass_and_only_plain_values() {
        let body =
            r#"{"foo": "a", "email": "b", "utm_source": {"x": 1}, "utm_medium": null, "utm_term": ""}"#;
        assert_eq!(tracking(body, None), []);
        let long = format!(r#"{{"utm_source": "{}"}}"#, "x".repeat(999));
        assert_eq!(tracking(&long, None)[0].1.len(), LONGEST_CHARS);
    }
}
