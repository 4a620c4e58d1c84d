//! Step-up and second factor: the code is always `123456`.
use kit::error::{ErrorCode, Failure, FieldError, Kind};
use proto::auth::v1::{
    EnrolSecondFactorResponse, GetSecondFactorResponse, StepUpRequest, StepUpResponse,
    VerifySecondFactorRequest, VerifySecondFactorResponse,
};
use tonic::{Response, Status};

use super::accounts::{MARK, session};
use super::members::user;
use super::{Answer, refuse};

pub const CHALLENGE: &str = "challenged";

pub fn state() -> GetSecondFactorResponse {
    GetSecondFactorResponse {
        enabled: true,
        required: false,
        recovery_codes_left: 9,
    }
}

pub fn enrolment() -> EnrolSecondFactorResponse {
    EnrolSecondFactorResponse {
        secret: "JBSWY3DP".into(),
        uri: "otpauth://totp/Stillpoint:ada?secret=JBSWY3DP".into(),
    }
}

pub fn check_code(code: &str) -> Result<(), Status> {
    let code = match code {
        "123456" => return Ok(()),
        "" => ErrorCode::Required,
        _ => ErrorCode::SecondFactorWrong,
    };
    Err(Failure::fields(vec![FieldError::new("code", code, "No.")]).into())
}

pub fn recovery_codes() -> Vec<String> {
    vec!["0a1b-2c3d-4e5f".into()]
}

pub fn step_up(request: &StepUpRequest) -> Answer<StepUpResponse> {
    match request.password.as_str() {
        "right" => check_code(&request.code).map(|()| Response::new(StepUpResponse {})),
        "social" => Err(
            Failure::new(Kind::Forbidden, ErrorCode::StepUpRequired, "Sign in again.")
                .detail("methods", "sign_in")
                .into(),
        ),
        _ => refuse(Kind::Forbidden, "WRONG_PASSWORD", "This is not your password."),
    }
}

pub fn verify(request: &VerifySecondFactorRequest) -> Answer<VerifySecondFactorResponse> {
    if request.challenge != CHALLENGE {
        return refuse(Kind::Unauthenticated, "CHALLENGE_EXPIRED", "Start again.");
    }
    check_code(&request.code)?;
    Ok(Response::new(VerifySecondFactorResponse {
        user: Some(user("ada@example.org")),
        session: Some(session("alive")),
        device_cookie: MARK.into(),
    }))
}
