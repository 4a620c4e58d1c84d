//! Second factors, and short ways to set one up.
mod confirm_second_factor;
mod disable_second_factor;
mod enrol_second_factor;
mod get_second_factor;
mod replace_recovery_codes;
mod step_up;
mod verify_second_factor;

use chrono::{DateTime, TimeDelta, Utc};
use kit::error::Failure;
use proto::auth::v1::{
    ConfirmSecondFactorRequest, EnrolSecondFactorRequest, EnrolSecondFactorResponse, GetSecondFactorRequest,
    GetSecondFactorResponse, VerifySecondFactorRequest, VerifySecondFactorResponse,
};
use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};

use crate::fixture::{Auth, PASSWORD, ada, answered, token};

pub const EMAIL: &str = "ada@example.com";

/// Six digits that are right once in a million runs.
pub const WRONG: &str = "000000";

pub struct Enabled {
    pub secret: String,
    pub recovery_codes: Vec<String>,
}

pub async fn enrol(auth: &Auth, token: &str) -> Result<EnrolSecondFactorResponse, Failure> {
    let token = token.to_owned();
    let request = EnrolSecondFactorRequest { token };
    answered(auth.client().enrol_second_factor(request).await)
}

pub async fn confirm(auth: &Auth, token: &str, code: &str) -> Result<Vec<String>, Failure> {
    let request = ConfirmSecondFactorRequest {
        token: token.to_owned(),
        code: code.to_owned(),
        caller: None,
    };
    let answer = answered(auth.client().confirm_second_factor(request).await);
    answer.map(|answer| answer.recovery_codes)
}

pub async fn enable(auth: &Auth, token: &str) -> Enabled {
    let secret = enrol(auth, token).await.unwrap().secret;
    let recovery_codes = confirm(auth, token, &next_code(auth, &secret)).await.unwrap();
    Enabled {
        secret,
        recovery_codes,
    }
}

/// A member with a second factor, and the session that has set it up.
pub async fn with_second_factor() -> (Auth, String, Enabled) {
    let auth = Auth::start().await;
    let session = token(&auth.register(ada()).await.unwrap());
    let enabled = enable(&auth, &session).await;
    (auth, session, enabled)
}

pub async fn state(auth: &Auth, token: &str) -> GetSecondFactorResponse {
    let token = token.to_owned();
    answered(
        auth.client()
            .get_second_factor(GetSecondFactorRequest { token })
            .await,
    )
    .unwrap()
}

/// The challenge of a sign-in by password.
pub async fn challenge(auth: &Auth) -> String {
    let answer = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert!(answer.user.is_none() && answer.session.is_none() && answer.device_cookie.is_empty());
    assert!(!answer.challenge.is_empty());
    answer.challenge
}

pub async fn verify(auth: &Auth, challenge: &str, code: &str) -> Result<VerifySecondFactorResponse, Failure> {
    let request = VerifySecondFactorRequest {
        challenge: challenge.to_owned(),
        code: code.to_owned(),
        caller: None,
    };
    answered(auth.client().verify_second_factor(request).await)
}

/// A session that the second factor has verified.
pub async fn verified(auth: &Auth, secret: &str) -> String {
    let challenge = challenge(auth).await;
    let answer = verify(auth, &challenge, &next_code(auth, secret)).await.unwrap();
    answer.session.unwrap().token
}

/// The code of the next time step: each is accepted once.
pub fn next_code(auth: &Auth, secret: &str) -> String {
    auth.test.clock().advance(TimeDelta::seconds(30));
    code_at(secret, auth.test.clock().now())
}

pub fn code_at(secret: &str, at: DateTime<Utc>) -> String {
    let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &decoded(secret));
    let tag = sign(&key, &(at.timestamp() / 30).to_be_bytes());
    let mac = tag.as_ref();
    let offset = usize::from(mac[19] & 0x0f);
    let word: [u8; 4] = mac[offset..offset + 4].try_into().unwrap();
    format!("{:06}", (u32::from_be_bytes(word) & 0x7fff_ffff) % 1_000_000)
}

/// Base32 of whole bytes.
fn decoded(secret: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let values = secret.chars().map(|symbol| ALPHABET.find(symbol).unwrap());
    let bits: Vec<usize> = values
        .flat_map(|value| (0..5).rev().map(move |bit| (value >> bit) & 1))
        .collect();
    bits.chunks_exact(8)
        .map(|byte| {
            byte.iter()
                .fold(0_u8, |byte, bit| (byte << 1) | u8::from(*bit == 1))
        })
        .collect()
}

/// The field and the code of the only error.
pub fn field_error(failure: &Failure) -> (&str, &str) {
    assert_eq!(failure.fields.len(), 1, "{failure}");
    (failure.fields[0].field.as_str(), failure.fields[0].code.as_str())
}
