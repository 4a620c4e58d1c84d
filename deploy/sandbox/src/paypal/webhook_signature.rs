//! Webhook signatures: RSA over `transmission id|time|webhook id|crc32 of the body`, verifiable by a public certificate.

use base64::{Engine, engine::general_purpose::STANDARD};
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde_json::Value;

use super::provider::PaypalProvider;
use crate::engine::{calendar::rfc3339, ids::uuid, rsa};

/// Of the first key pair in `engine::rsa`.
pub const CERTIFICATE: &str = include_str!("certificate.pem");
pub const CERTIFICATE_NAME: &str = "CERT-360caa42-fca2a594-5a29e601";
const KEY: usize = 0;
const ALGORITHM: &str = "SHA256withRSA";

pub fn headers(
    provider: &PaypalProvider,
    webhook_id: &str,
    body: &[u8],
    now: i64,
) -> Vec<(&'static str, String)> {
    let (id, time) = (uuid(), rfc3339(now));
    let signature = rsa::sign(KEY, signed(&id, &time, webhook_id, body).as_bytes());
    vec![
        ("paypal-transmission-id", id),
        ("paypal-transmission-time", time),
        ("paypal-transmission-sig", STANDARD.encode(signature)),
        ("paypal-cert-url", certificate_url(provider)),
        ("paypal-auth-algo", ALGORITHM.into()),
    ]
}

fn certificate_url(provider: &PaypalProvider) -> String {
    format!("{}/v1/notifications/certs/{CERTIFICATE_NAME}", provider.url)
}

fn signed(id: &str, time: &str, webhook_id: &str, body: &[u8]) -> String {
    format!("{id}|{time}|{webhook_id}|{}", crc32fast::hash(body))
}

/// Verifies a received webhook. Its event is serialised without white space, as it was sent.
pub fn is_valid(provider: &PaypalProvider, given: &Value) -> bool {
    let text = |name: &str| given[name].as_str().unwrap_or_default();
    if text("auth_algo") != ALGORITHM || text("cert_url") != certificate_url(provider) {
        return false;
    }
    let body = given["webhook_event"].to_string();
    let message = signed(
        text("transmission_id"),
        text("transmission_time"),
        text("webhook_id"),
        body.as_bytes(),
    );
    let (Ok(signature), Some(key)) = (STANDARD.decode(text("transmission_sig")), rsa::components(KEY)) else {
        return false;
    };
    RsaPublicKeyComponents { n: &key.n, e: &key.e }
        .verify(&RSA_PKCS1_2048_8192_SHA256, message.as_bytes(), &signature)
        .is_ok()
}
