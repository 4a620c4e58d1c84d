//! Request bodies: what cannot be read is refused with the name of the field.
use std::str::FromStr;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::HeaderMap;
use kit::error::{ErrorCode, Kind};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};

use crate::protocol::error::{HandlerResult, Problem};
use crate::protocol::media_type::{MediaType, media_type};

/// A body in JSON.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> HandlerResult<Self> {
        let (kind, bytes) = read_body(request, state).await?;
        match kind {
            MediaType::Json => from_json(&bytes).map(Self),
            MediaType::Form | MediaType::Other => Err(unsupported("application/json")),
        }
    }
}

/// A body in JSON or as a form, for the calls that are specified both ways.
pub struct JsonOrForm<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonOrForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> HandlerResult<Self> {
        let (kind, bytes) = read_body(request, state).await?;
        match kind {
            MediaType::Json => from_json(&bytes).map(Self),
            MediaType::Form => from_form(&bytes).map(Self),
            MediaType::Other => Err(unsupported(
                "application/json or application/x-www-form-urlencoded",
            )),
        }
    }
}

/// What a browser sends without the help of scripts.
pub fn is_form(headers: &HeaderMap) -> bool {
    matches!(media_type(headers), MediaType::Form)
}

async fn read_body<S: Send + Sync>(request: Request, state: &S) -> HandlerResult<(MediaType, Bytes)> {
    let kind = media_type(request.headers());
    // The routes' allowance has read and bounded the body before.
    let bytes = Bytes::from_request(request, state).await;
    let bytes = bytes.map_err(|_| malformed("body", ErrorCode::Incomplete, "The body broke off."))?;
    Ok((kind, bytes))
}

fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> HandlerResult<T> {
    // Fields could otherwise be sent by position.
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(malformed(
            "body",
            ErrorCode::WrongType,
            "The body must be one JSON object.",
        ));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = read(&mut json, |error: &serde_json::Error| {
        error.is_syntax() || error.is_eof()
    })?;
    json.end()
        .map_err(|_| malformed("body", ErrorCode::NotJson, "There is more after the JSON value."))?;
    Ok(value)
}

fn from_form<T: DeserializeOwned>(bytes: &[u8]) -> HandlerResult<T> {
    let pairs = url::form_urlencoded::parse(bytes);
    read(serde_urlencoded::Deserializer::new(pairs), |_| false)
}

fn read<'de, T, D>(source: D, is_syntax: impl Fn(&D::Error) -> bool) -> HandlerResult<T>
where
    T: serde::Deserialize<'de>,
    D: Deserializer<'de>,
{
    serde_path_to_error::deserialize(source).map_err(|error| {
        if is_syntax(error.inner()) {
            return malformed("body", ErrorCode::NotJson, "The body is not JSON.");
        }
        let path = error.path().to_string();
        let field = if path == "." { "body" } else { path.as_str() };
        malformed(field, ErrorCode::WrongType, &sentence(error.inner()))
    })
}

/// A number, or one as text: pages send what their storage or their address held.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Number(i32),
        // JSON Schema takes 4.0 for a whole number as well.
        Decimal(f64),
        Text(String),
    }
    match Option::<Given>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Given::Number(number)) => Ok(Some(number)),
        Some(Given::Decimal(number)) => parsed(&number.to_string()).map(Some),
        Some(Given::Text(text)) if text.is_empty() => Ok(None),
        Some(Given::Text(text)) => parsed(&text).map(Some),
    }
}

/// A number without fraction, which JSON Schema takes 351.0 for as well.
pub fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Number(i64),
        Decimal(f64),
    }
    match Option::<Given>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Given::Number(number)) => Ok(Some(number)),
        Some(Given::Decimal(number)) => parsed(&number.to_string()).map(Some),
    }
}

fn parsed<N, E>(text: &str) -> Result<N, E>
where
    N: FromStr<Err: std::fmt::Display>,
    E: serde::de::Error,
{
    text.parse().map_err(E::custom)
}

/// The parser's message without line and column; the response names the field instead.
fn sentence(error: &impl std::fmt::Display) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn malformed(field: &str, code: ErrorCode, message: &str) -> Problem {
    let summary = if field == "body" {
        message.to_owned()
    } else {
        format!("The field {field} cannot be read.")
    };
    Problem::new(Kind::Invalid, ErrorCode::MalformedBody, summary).field(field, code, message)
}

fn unsupported(expected: &str) -> Problem {
    Problem::new(
        Kind::Invalid,
        ErrorCode::UnsupportedMediaType,
        format!("Send the body as {expected}."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(default)]
    struct Sample {
        name: String,
        items: Vec<Item>,
        count: Option<u8>,
    }

    impl Default for Sample {
        fn default() -> Self {
            Self {
                name: "unknown".into(),
                items: Vec::new(),
                count: None,
            }
        }
    }

    #[derive(Debug, Deserialize)]
    struct Item {
        id: String,
    }

    fn invalid_field(json: &str) -> String {
        let error = from_json::<Sample>(json.as_bytes()).unwrap_err();
        assert_eq!(error.status(), http::StatusCode::BAD_REQUEST, "{json}");
        error.failure().fields[0].field.clone()
    }

    #[test]
    fn field_of_the_wrong_type_is_named() {
        assert_eq!(invalid_field(r#"{"name": 1}"#), "name");
        assert_eq!(invalid_field(r#"{"name": null}"#), "name");
        assert_eq!(
            invalid_field(r#"{"items": [{"id": "a"}, {"id": []}]}"#),
            "items[1].id"
        );
        assert_eq!(invalid_field(r#"{"count": 999}"#), "count");
        assert_eq!(invalid_field("[1]"), "body");
    }

    #[test]
    fn whole_numbers_may_be_written_as_decimals_or_texts() {
        #[derive(Deserialize)]
        struct Numbered {
            #[serde(default, deserialize_with = "number")]
            flow: Option<i32>,
            #[serde(default, deserialize_with = "whole")]
            minor: Option<i64>,
        }
        let minor = |json: &str| from_json::<Numbered>(json.as_bytes()).map(|it| it.minor);
        for (json, expected) in [(r#"{"minor": 351.0}"#, Some(351)), (r#"{"minor": null}"#, None)] {
            assert_eq!(minor(json).unwrap(), expected, "{json}");
        }
        assert!(minor(r#"{"minor": "351"}"#).is_err() && minor(r#"{"minor": 3.5}"#).is_err());
        for (json, expected) in [
            (r#"{"flow": 4}"#, Some(4)),
            (r#"{"flow": 4.0}"#, Some(4)),
            (r#"{"flow": "4"}"#, Some(4)),
            (r#"{"flow": ""}"#, None),
            ("{}", None),
        ] {
            assert_eq!(
                from_json::<Numbered>(json.as_bytes()).unwrap().flow,
                expected,
                "{json}"
            );
        }
        for json in [r#"{"flow": 4.5}"#, r#"{"flow": 1e300}"#, r#"{"flow": true}"#] {
            assert!(from_json::<Numbered>(json.as_bytes()).is_err(), "{json}");
        }
    }

    #[test]
    fn invalid_json_is_reported() {
        for text in ["", "{", "nope", "{\"name\": \"a\"} x", "{'name': 'a'}"] {
            let error = from_json::<Sample>(text.as_bytes()).unwrap_err();
            assert_eq!(error.failure().fields[0].code, "NOT_JSON", "{text}");
        }
    }

    #[test]
    fn unknown_fields_are_ignored_and_absent_ones_have_defaults() {
        let sample: Sample = from_json(br#"{"other": {}, "items": [{"id": "a"}]}"#).unwrap();
        assert_eq!(
            (sample.name.as_str(), sample.items[0].id.as_str(), sample.count),
            ("unknown", "a", None)
        );
    }

    #[test]
    fn form_is_read_like_json() {
        let sample: Sample = from_form(b"name=a%20b&count=7&other=1").unwrap();
        assert_eq!((sample.name.as_str(), sample.count), ("a b", Some(7)));
        assert_eq!(
            from_form::<Sample>(b"count=x").unwrap_err().failure().fields[0].field,
            "count"
        );
    }
}
