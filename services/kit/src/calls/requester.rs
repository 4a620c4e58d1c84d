//! Language and country of the person whose request is handled.
//!
//! They are task-local, sent in headers between services, and passed from an event to the events of its consumer.
//! [`crate::outbox::NewEvent`] adds them to events. A spawned task starts without them.

use http::{HeaderMap, HeaderName, HeaderValue};

const LANG: HeaderName = HeaderName::from_static("stillpoint-lang");
const COUNTRY: HeaderName = HeaderName::from_static("stillpoint-country");

tokio::task_local! {
    static REQUESTER: Requester;
}

/// Both are `None` if unknown, or if no person caused the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requester {
    /// A language tag, such as `tr`.
    pub lang: Option<String>,
    /// ISO 3166 alpha-2, upper case.
    pub country: Option<String>,
}

impl Requester {
    /// A malformed value counts as unknown: no request fails for it.
    pub fn new(lang: &str, country: &str) -> Self {
        let is_tag = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let lang = Some(lang).filter(|tag| (2..=16).contains(&tag.len()) && tag.chars().all(is_tag));
        let country = Some(country)
            .filter(|code| code.len() == 2 && code.chars().all(|letter| letter.is_ascii_alphabetic()));
        Self {
            lang: lang.map(str::to_owned),
            country: country.map(str::to_ascii_uppercase),
        }
    }
}

/// Runs `future` on behalf of `requester`.
pub async fn scope<F: Future>(requester: Requester, future: F) -> F::Output {
    REQUESTER.scope(requester, future).await
}

/// The requester of this task; unknown outside of [`scope`].
pub fn current() -> Requester {
    REQUESTER.try_with(Clone::clone).unwrap_or_default()
}

pub(crate) fn write_headers(headers: &mut HeaderMap) {
    let Requester { lang, country } = current();
    for (name, value) in [(LANG, lang), (COUNTRY, country)] {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(name, value);
        }
    }
}

pub(crate) fn read_headers(headers: &HeaderMap) -> Requester {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    Requester::new(text(LANG).unwrap_or_default(), text(COUNTRY).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn headers_read_back_as_written() {
        let visitor = Requester::new("pt-BR", "br");
        assert_eq!(visitor.country.as_deref(), Some("BR"));
        let mut headers = HeaderMap::new();
        scope(visitor.clone(), async { write_headers(&mut headers) }).await;
        assert_eq!(read_headers(&headers), visitor);
    }

    #[test]
    fn malformed_values_are_unknown() {
        for (lang, country) in [
            ("", ""),
            ("x", "TUR"),
            ("<b>", "1x"),
            ("a-tag-that-is-too-long", "é"),
        ] {
            assert_eq!(
                Requester::new(lang, country),
                Requester::default(),
                "{lang} {country}"
            );
        }
    }

    #[tokio::test]
    async fn a_task_without_a_request_has_no_requester() {
        let mut headers = HeaderMap::new();
        write_headers(&mut headers);
        assert!(headers.is_empty());
        assert_eq!(current(), Requester::default());
    }
}
