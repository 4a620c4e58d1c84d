//! API keys: servers have the secret key, browsers the publishable key.

use axum::http::{HeaderMap, header};
use base64::{Engine, engine::general_purpose::STANDARD};

use super::{error::ApiError, params::Params};
use crate::stripe::provider::{ApiKey, StripeProvider};

const NO_KEY: &str = "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.";
const BROWSER_KEY: &str = "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.";

/// The browser's script sends its key as the parameter `key`, servers send theirs in the header.
pub fn authenticate(
    provider: &StripeProvider,
    headers: &HeaderMap,
    params: &mut Params,
) -> Result<ApiKey, ApiError> {
    let sent = match from_header(headers) {
        Some(key) => Some(key),
        None => params.text("key")?,
    };
    match sent {
        None => Err(ApiError::unauthorized(NO_KEY)),
        Some(key) if key == provider.secret_key => Ok(ApiKey::Secret),
        Some(key) if key == provider.publishable_key => Ok(ApiKey::Publishable),
        Some(key) => Err(ApiError::unauthorized(format!(
            "Invalid API Key provided: {}",
            mask(&key)
        ))),
    }
}

fn from_header(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credentials) = value.split_once(' ')?;
    match scheme.to_ascii_lowercase().as_str() {
        "bearer" => Some(credentials.trim().to_owned()),
        "basic" => user_of(credentials.trim()),
        _ => None,
    }
}

/// Basic authentication has the key as user; the password is ignored.
fn user_of(credentials: &str) -> Option<String> {
    let pair = String::from_utf8(STANDARD.decode(credentials).ok()?).ok()?;
    let (user, _password) = pair.split_once(':')?;
    (!user.is_empty()).then(|| user.to_owned())
}

/// A wrong key in Stripe's error: its first and last characters.
pub fn mask(key: &str) -> String {
    let characters: Vec<char> = key.chars().collect();
    let shown = characters.len().saturating_sub(4);
    let hidden = shown.saturating_sub(8);
    let head: String = characters.iter().take(8.min(shown)).collect();
    let tail: String = characters.iter().skip(shown).collect();
    format!("{head}{}{tail}", "*".repeat(hidden))
}

/// The publishable key may create payment methods, and confirm intents with their client secret.
pub fn check_reach(key: ApiKey, method: &str, path: &[&str]) -> Result<(), ApiError> {
    let open = matches!(
        (method, path),
        (
            "POST",
            ["payment_methods"]
                | ["3ds2", "challenge_complete"]
                | ["payment_intents" | "setup_intents", _, "confirm"]
        ) | ("GET", ["payment_intents" | "setup_intents", _])
    );
    if key == ApiKey::Secret || open {
        return Ok(());
    }
    Err(ApiError::unauthorized(BROWSER_KEY).code("secret_key_required"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(authorization: &'static str) -> Option<String> {
        let value = axum::http::HeaderValue::from_static(authorization);
        from_header(&HeaderMap::from_iter([(header::AUTHORIZATION, value)]))
    }

    #[test]
    fn key_is_read_from_bearer_and_from_basic_authentication() {
        assert_eq!(sent("Bearer sk_1").as_deref(), Some("sk_1"));
        // `sk_1:` and `sk_1:password`.
        for basic in ["Basic c2tfMTo=", "basic c2tfMTpwYXNzd29yZA=="] {
            assert_eq!(sent(basic).as_deref(), Some("sk_1"), "{basic}");
        }
        // No base64; no colon; no user.
        for malformed in [
            "Basic sk_1:",
            "Basic c2tfMQ==",
            "Basic OnBhc3N3b3Jk",
            "Digest sk_1",
            "sk_1",
        ] {
            assert_eq!(sent(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn a_wrong_key_is_shown_by_its_ends() {
        assert_eq!(mask("sk_test_abcdefghijkl"), "sk_test_********ijkl");
        assert_eq!(mask("abc"), "abc");
    }
}
