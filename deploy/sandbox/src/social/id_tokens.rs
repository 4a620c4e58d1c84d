//! Id tokens of Apple and Google, valid and forged.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{cases::Case, people::Person, provider::Provider, signing_keys::KeyRing};

const HOUR: i64 = 3_600;
const APPLE_TTL_SECS: i64 = 600;

/// The claims that a sign-in determines.
pub struct TokenRequest<'a> {
    pub provider: Provider,
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub nonce: Option<&'a str>,
    pub now: i64,
}

pub fn write(ring: &KeyRing, request: &TokenRequest<'_>, person: &Person, case: Case) -> String {
    let key_id = match case {
        Case::UnknownKey => "unpublished-key",
        _ => ring.key_id(),
    };
    let algorithm = match case {
        Case::AlgNone => "none",
        Case::Hs256 => "HS256",
        _ => "RS256",
    };
    let header = json!({ "alg": algorithm, "kid": key_id, "typ": "JWT" });
    let claims = claims(request, person, case);
    let signed = format!("{}.{}", encoded(&header), encoded(&claims));
    let signature = match case {
        Case::AlgNone => Vec::new(),
        Case::Hs256 => hmac(&ring.public_bytes(), signed.as_bytes()),
        Case::UnknownKey | Case::Forged => ring.sign_with_another(signed.as_bytes()),
        _ => ring.sign(signed.as_bytes()),
    };
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

fn claims(request: &TokenRequest<'_>, person: &Person, case: Case) -> Value {
    let ttl = match request.provider {
        Provider::Apple => APPLE_TTL_SECS,
        Provider::Google | Provider::Facebook => HOUR,
    };
    let issued_at = match case {
        Case::Expired => request.now - 2 * HOUR,
        Case::NotYet => request.now + HOUR,
        _ => request.now,
    };
    let audience = match case {
        Case::OtherAudience => "another.app",
        _ => request.client_id,
    };
    let mut claims = json!({
        "iss": match case { Case::OtherIssuer => "https://issuer.example", _ => request.issuer },
        "aud": audience,
        "sub": person.subject(request.provider),
        "iat": issued_at,
        "exp": issued_at + ttl,
    });
    if case != Case::NoNonce {
        claims["nonce"] = match case {
            Case::OtherNonce => "nonce-of-another-browser".into(),
            _ => request.nonce.into(),
        };
    }
    if let Some(email) = person.email.as_ref().filter(|_| case != Case::NoEmail) {
        claims["email"] = email.as_str().into();
        claims["email_verified"] = verified(request.provider, person, case);
    }
    match request.provider {
        Provider::Apple => add_apple_claims(&mut claims, person, request.now),
        Provider::Google | Provider::Facebook => add_google_claims(&mut claims, person, audience),
    }
    claims
}

/// Apple sends a string, the others a boolean.
fn verified(provider: Provider, person: &Person, case: Case) -> Value {
    let is_verified = person.email_verified && case != Case::UnverifiedEmail;
    match provider {
        Provider::Apple => is_verified.to_string().into(),
        Provider::Google | Provider::Facebook => is_verified.into(),
    }
}

fn add_apple_claims(claims: &mut Value, person: &Person, now: i64) {
    claims["auth_time"] = now.into();
    claims["nonce_supported"] = true.into();
    if person.is_relayed() {
        claims["is_private_email"] = "true".into();
    }
}

fn add_google_claims(claims: &mut Value, person: &Person, audience: &str) {
    claims["azp"] = audience.into();
    claims["name"] = person.full_name().into();
    claims["given_name"] = person.first_name.as_str().into();
    claims["family_name"] = person.last_name.as_str().into();
    claims["picture"] = "https://lh3.googleusercontent.com/a/sandbox=s96-c".into();
    claims["jti"] = format!("{:032x}", rand::random::<u128>()).into();
}

fn encoded(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

fn hmac(secret: &[u8], message: &[u8]) -> Vec<u8> {
    Hmac::<Sha256>::new_from_slice(secret)
        .map(|keyed| keyed.chain_update(message).finalize().into_bytes().to_vec())
        .unwrap_or_default()
}
