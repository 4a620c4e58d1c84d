//! Cache of a provider's public keys (RFC 7517). A missing key id triggers a refetch, because providers rotate keys.
use std::collections::HashMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use kit::breaker::Breaker;
use kit::http::{HttpClient, Method, StatusCode};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::crypto::id_tokens::PublicKey;
use crate::ports::ProviderError;

/// A key that the provider takes back is believed no longer than this.
const FRESH: TimeDelta = TimeDelta::hours(1);

/// And this, when the provider cannot be asked.
const STALE: TimeDelta = TimeDelta::hours(24);

/// A token with an unknown key id triggers a request, at most once in this interval.
const REFETCH_INTERVAL: TimeDelta = TimeDelta::seconds(30);

const FAILURES_TO_PAUSE: u32 = 3;
const PAUSE: Duration = Duration::from_secs(5);
const KEYS_AT_MOST: usize = 32;

pub struct KeySet {
    http: HttpClient,
    call: &'static str,
    breaker: Breaker,
    /// Held while asking, so that many sign-ins at once ask once.
    cache: Mutex<CachedKeys>,
}

#[derive(Default)]
struct CachedKeys {
    keys: HashMap<String, PublicKey>,
    read_at: Option<DateTime<Utc>>,
    missed_at: Option<DateTime<Utc>>,
}

impl CachedKeys {
    fn is_younger(&self, span: TimeDelta, now: DateTime<Utc>) -> bool {
        self.read_at.is_some_and(|read_at| now - read_at < span)
    }

    /// Counts the miss, if it is one worth asking for.
    fn may_refetch(&mut self, now: DateTime<Utc>) -> bool {
        let too_soon = self
            .missed_at
            .is_some_and(|missed_at| now - missed_at < REFETCH_INTERVAL);
        if !too_soon {
            self.missed_at = Some(now);
        }
        !too_soon
    }
}

impl KeySet {
    /// The base of `http` is the address of the key set; `call` names it in metrics and logs.
    pub fn new(http: HttpClient, call: &'static str) -> Self {
        Self {
            http,
            call,
            breaker: Breaker::new(FAILURES_TO_PAUSE, PAUSE),
            cache: Mutex::default(),
        }
    }

    /// `None` for a key that the provider does not have.
    pub async fn find(&self, key_id: &str, now: DateTime<Utc>) -> Result<Option<PublicKey>, ProviderError> {
        let mut known = self.cache.lock().await;
        if known.is_younger(FRESH, now) {
            if let Some(key) = known.keys.get(key_id) {
                return Ok(Some(key.clone()));
            }
            if !known.may_refetch(now) {
                return Ok(None);
            }
        }
        match self.refresh().await {
            Ok(keys) => {
                known.keys = keys;
                known.read_at = Some(now);
                Ok(known.keys.get(key_id).cloned())
            }
            Err(error) => {
                tracing::warn!(call = self.call, %error, "public keys of the provider not fetched");
                let former = known.keys.get(key_id).filter(|_| known.is_younger(STALE, now));
                former.cloned().map(Some).ok_or(error)
            }
        }
    }

    async fn refresh(&self) -> Result<HashMap<String, PublicKey>, ProviderError> {
        if !self.breaker.allows() {
            return Err(ProviderError::Unavailable(
                "it did not answer just now".to_owned(),
            ));
        }
        let keys = self.fetch().await;
        match keys {
            Ok(_) => self.breaker.succeeded(),
            Err(_) => self.breaker.failed(),
        }
        keys
    }

    async fn fetch(&self) -> Result<HashMap<String, PublicKey>, ProviderError> {
        let request = self.http.request(Method::GET, "");
        self.http
            .call(self.call, request, |response| match response.status {
                StatusCode::OK => parse(&response.body),
                status => Err(ProviderError::Unavailable(format!("HTTP {status}"))),
            })
            .await
    }
}

#[derive(Deserialize)]
struct Document {
    keys: Vec<Key>,
}

/// Keys of other kinds have other members; they are not ours to use.
#[derive(Deserialize)]
struct Key {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    n: Option<String>,
    e: Option<String>,
}

impl Key {
    fn read(self) -> Option<(String, PublicKey)> {
        let is_ours = self.kty == "RSA" && self.usage.is_none_or(|usage| usage == "sig");
        let number = |text: Option<String>| URL_SAFE_NO_PAD.decode(text?).ok();
        let key = PublicKey {
            n: number(self.n)?,
            e: number(self.e)?,
        };
        is_ours.then_some((self.kid?, key))
    }
}

fn parse(document: &[u8]) -> Result<HashMap<String, PublicKey>, ProviderError> {
    let document: Document = serde_json::from_slice(document)
        .map_err(|_| ProviderError::Unavailable("the answer is no set of keys".to_owned()))?;
    let keys = document.keys.into_iter().take(KEYS_AT_MOST);
    Ok(keys.filter_map(Key::read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_other_kinds_are_left_out() {
        let document = br#"{"keys": [
            {"kty": "RSA", "kid": "a", "use": "sig", "alg": "RS256", "n": "AQAB", "e": "AQAB"},
            {"kty": "RSA", "kid": "b", "use": "enc", "n": "AQAB", "e": "AQAB"},
            {"kty": "EC", "kid": "c", "crv": "P-256", "x": "AA", "y": "AA"},
            {"kty": "oct", "kid": "d", "k": "AA"},
            {"kty": "RSA", "n": "AQAB", "e": "AQAB"},
            {"kty": "RSA", "kid": "e", "n": "AQ+B", "e": "AQAB"}
        ]}"#;
        let keys = parse(document).unwrap();
        assert_eq!(keys.keys().collect::<Vec<_>>(), ["a"]);
        assert_eq!(keys["a"].e, [1, 0, 1]);
    }

    #[test]
    fn what_is_no_set_of_keys_is_an_outage() {
        for text in ["", "<html>", "{}", r#"{"keys": 1}"#] {
            assert!(
                matches!(parse(text.as_bytes()), Err(ProviderError::Unavailable(_))),
                "{text}"
            );
        }
    }
}
