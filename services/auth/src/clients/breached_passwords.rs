//! Breached passwords by the range API of Have I Been Pwned: the suffixes of all listed hashes with a prefix.
use std::time::Duration;

use async_trait::async_trait;
use kit::breaker::Breaker;
use kit::http::{CallError, ClientError, HttpClient, HttpError, HttpSettings, Method, StatusCode};
use metrics::Histogram;

use crate::ports::{BreachedPasswords, BreachedPasswordsError};

/// Less than a sign-up waits for its hash.
const TIMEOUT: Duration = Duration::from_secs(1);

/// About 2000 lines with padding.
const RESPONSE_MAX_BYTES: usize = 512 * 1024;

const FAILURES_TO_PAUSE: u32 = 3;
const PAUSE: Duration = Duration::from_secs(30);

const SUFFIX_CHARS: usize = 35;

pub struct RangeApi {
    http: HttpClient,
    breaker: Breaker,
}

impl RangeApi {
    /// `base` is the address before `/range/`.
    pub fn new(base: String) -> Result<Self, ClientError> {
        let http = HttpClient::new(HttpSettings {
            base,
            user_agent: concat!("stillpoint-auth/", env!("CARGO_PKG_VERSION")),
            timeout: TIMEOUT,
            max_body_bytes: RESPONSE_MAX_BYTES,
        })?;
        Ok(Self {
            http,
            breaker: Breaker::new(FAILURES_TO_PAUSE, PAUSE),
        })
    }
}

#[async_trait]
impl BreachedPasswords for RangeApi {
    async fn suffixes(&self, prefix: &str) -> Result<Vec<String>, BreachedPasswordsError> {
        if !self.breaker.allows() {
            let paused = "it did not answer just now".to_owned();
            return Err(BreachedPasswordsError(paused));
        }
        let request = self
            .http
            .request(Method::GET, &format!("/range/{prefix}"))
            .header("add-padding", "true");
        let listed = self
            .http
            .call("breached_passwords", request, |response| match response.status {
                StatusCode::OK => Ok(suffixes(&String::from_utf8_lossy(&response.body))),
                status => Err(BreachedPasswordsError(format!("HTTP {status}"))),
            })
            .await;
        match &listed {
            Ok(_) => self.breaker.succeeded(),
            Err(_) => self.breaker.failed(),
        }
        listed
    }
}

/// Each line is a suffix and how often it was found. Padding was found zero times.
fn suffixes(body: &str) -> Vec<String> {
    let listed = body.lines().filter_map(|line| {
        let (suffix, count) = line.trim().split_once(':')?;
        let is_listed =
            suffix.len() == SUFFIX_CHARS && count.trim().parse::<u64>().is_ok_and(|count| count > 0);
        is_listed.then(|| suffix.to_ascii_uppercase())
    });
    listed.collect()
}

impl From<HttpError> for BreachedPasswordsError {
    fn from(error: HttpError) -> Self {
        Self(error.to_string())
    }
}

impl CallError for BreachedPasswordsError {
    fn histogram(call: &'static str, outcome: &'static str) -> Histogram {
        metrics::histogram!("auth_provider_seconds", "call" => call, "outcome" => outcome)
    }

    fn outcome(&self) -> &'static str {
        "unavailable"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_and_other_lines_are_skipped() {
        let body = "1E4C9B93F3F0682250B6CF8331B7EE68FD8:3\r\n\
                    1D2DA4053E34E76F6576ED1DA63134B5E2A:0\r\nnonsense\r\nABC:5\r\n\
                    1d72cd07550416c216d8ad296bf5c0ae8e0:10";
        assert_eq!(
            suffixes(body),
            [
                "1E4C9B93F3F0682250B6CF8331B7EE68FD8",
                "1D72CD07550416C216D8AD296BF5C0AE8E0"
            ]
        );
    }
}
