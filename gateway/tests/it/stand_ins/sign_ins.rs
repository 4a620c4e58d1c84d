//! Sign-ins: by password, by a provider's credential, by a handoff token.
use std::time::Duration;

use kit::error::{ErrorCode, Failure, Kind};
use proto::auth::v1::{
    RedeemHandoffTokenRequest, RedeemHandoffTokenResponse, SignInRequest, SignInResponse,
    SignInSociallyRequest, SignInSociallyResponse,
};
use tonic::Response;

use super::accounts::{MARK, session};
use super::members::user;
use super::second_factors::CHALLENGE;
use super::{Answer, refuse};

pub fn by_password(request: &SignInRequest) -> Answer<SignInResponse> {
    match request.password.as_str() {
        "right" => Ok(Response::new(SignInResponse {
            user: Some(user(&request.email)),
            session: Some(session("alive")),
            device_cookie: MARK.into(),
            challenge: String::new(),
        })),
        "first" => Ok(Response::new(SignInResponse {
            challenge: CHALLENGE.into(),
            ..SignInResponse::default()
        })),
        "throttled" => Err(Failure::new(Kind::TooMany, ErrorCode::TooManyAttempts, "Wait.")
            .retry_after(Duration::from_mins(10))
            .into()),
        _ => refuse(
            Kind::Unauthenticated,
            "INVALID_CREDENTIALS",
            "E-mail or password is wrong.",
        ),
    }
}

pub fn socially(request: &SignInSociallyRequest) -> Answer<SignInSociallyResponse> {
    let no = |kind, code| refuse(kind, code, "No.");
    match request.token.as_str() {
        token @ ("new" | "known") => Ok(Response::new(SignInSociallyResponse {
            user: Some(user(&request.claimed_email)),
            session: Some(session("alive")),
            device_cookie: MARK.into(),
            is_new: token == "new",
            challenge: String::new(),
        })),
        "first" => Ok(Response::new(SignInSociallyResponse {
            challenge: CHALLENGE.into(),
            ..SignInSociallyResponse::default()
        })),
        "unconfirmed" => no(Kind::Refused, "SOCIAL_EMAIL_UNVERIFIED"),
        "elsewhere" => no(Kind::NotFound, "SOCIAL_NOT_OFFERED"),
        "taken" => no(Kind::Conflict, "SOCIAL_LINK_REQUIRED"),
        "unanswered" => Err(
            Failure::new(Kind::Unavailable, ErrorCode::SocialUnavailable, "No.")
                .retry_after(Duration::from_secs(5))
                .into(),
        ),
        _ => no(Kind::Unauthenticated, "SOCIAL_TOKEN_INVALID"),
    }
}

pub fn by_handoff_token(request: &RedeemHandoffTokenRequest) -> Answer<RedeemHandoffTokenResponse> {
    let caller = request.caller.as_ref();
    let is_member_here = caller.is_some_and(|caller| caller.session == "alive");
    match request.handoff_token.as_str() {
        "own" if is_member_here => Ok(Response::new(RedeemHandoffTokenResponse {
            user: Some(user("ada@example.org")),
            ..RedeemHandoffTokenResponse::default()
        })),
        "handed" if is_member_here => refuse(Kind::Refused, "TOKEN_OTHER_MEMBER", "Another member's."),
        "handed" => Ok(Response::new(RedeemHandoffTokenResponse {
            user: Some(user("grace@example.org")),
            session: Some(session("alive")),
            device_cookie: MARK.into(),
        })),
        "used" => refuse(
            Kind::Refused,
            "TOKEN_EXPIRED",
            "This token was used or has expired.",
        ),
        _ => refuse(Kind::Refused, "TOKEN_UNKNOWN", "This is no token of ours."),
    }
}
