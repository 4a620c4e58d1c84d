//! Id tokens as Apple and Google write them, and as somebody writes them who is neither.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{Case, Person, Provider, keys::KeyRing};

const HOUR: i64 = 3_600;
/// Apple's are short, Google's an hour long.
const APPLE_LIVES: i64 = 600;

/// What a token is made for.
pub struct Asked<'a> {
    pub provider: Provider,
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub nonce: Option<&'a str>,
    pub now: i64,
}

pub fn write(ring: &KeyRing, asked: &Asked<'_>, person: &Person, case: Case) -> String {
    let key_id = match case {
        Case::UnknownKey => "nobody-knows-it",
        _ => ring.key_id(),
    };
    let algorithm = match case {
        Case::AlgNone => "none",
        Case::Hs256 => "HS256",
        _ => "RS256",
    };
    let header = json!({ "alg": algorithm, "kid": key_id, "typ": "JWT" });
    let claims = claims(asked, person, case);
    let signed = format!("{}.{}", encoded(&header), encoded(&claims));
    let signature = match case {
        Case::AlgNone => Vec::new(),
        Case::Hs256 => hmac(&ring.public_bytes(), signed.as_bytes()),
        Case::UnknownKey | Case::Forged => ring.sign_with_another(signed.as_bytes()),
        _ => ring.sign(signed.as_bytes()),
    };
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

fn claims(asked: &Asked<'_>, person: &Person, case: Case) -> Value {
    let lives = match asked.provider {
        Provider::Apple => APPLE_LIVES,
        Provider::Google | Provider::Facebook => HOUR,
    };
    let issued_at = match case {
        Case::Expired => asked.now - 2 * HOUR,
        Case::NotYet => asked.now + HOUR,
        _ => asked.now,
    };
    let audience = match case {
        Case::OtherAudience => "another.app",
        _ => asked.client_id,
    };
    let mut claims = json!({
        "iss": match case { Case::OtherIssuer => "https://issuer.example", _ => asked.issuer },
        "aud": audience,
        "sub": person.subject(asked.provider),
        "iat": issued_at,
        "exp": issued_at + lives,
    });
    if case != Case::NoNonce {
        claims["nonce"] = match case {
            Case::OtherNonce => "asked-for-by-another-browser".into(),
            _ => asked.nonce.into(),
        };
    }
    if let Some(email) = person.email.as_ref().filter(|_| case != Case::NoEmail) {
        claims["email"] = email.as_str().into();
        claims["email_verified"] = verified(asked.provider, person, case);
    }
    match asked.provider {
        Provider::Apple => add_apples_own(&mut claims, person, asked.now),
        Provider::Google | Provider::Facebook => add_googles_own(&mut claims, person, audience),
    }
    claims
}

/// Apple has written it as a text and as a truth value.
fn verified(provider: Provider, person: &Person, case: Case) -> Value {
    let is_verified = person.email_verified && case != Case::UnverifiedEmail;
    match provider {
        Provider::Apple => is_verified.to_string().into(),
        Provider::Google | Provider::Facebook => is_verified.into(),
    }
}

fn add_apples_own(claims: &mut Value, person: &Person, now: i64) {
    claims["auth_time"] = now.into();
    claims["nonce_supported"] = true.into();
    if person.is_relayed() {
        claims["is_private_email"] = "true".into();
    }
}

fn add_googles_own(claims: &mut Value, person: &Person, audience: &str) {
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
