//! Messages of step-up and second factor.
use proto::auth::v1::{
    ConfirmSecondFactorRequest, EnrolSecondFactorResponse, GetSecondFactorResponse, StepUpRequest,
    VerifySecondFactorRequest,
};

use crate::domain::password::Password;
use crate::domain::session::second_factor::TypedCode;
use crate::error::Error;
use crate::flows::{Confirmation, Enrolment, SecondFactorAttempt, SecondFactorState, StepUp};
use crate::rpc::convert;

pub fn step_up(request: StepUpRequest) -> Result<StepUp, Error> {
    let password = Password::presented(&request.password);
    Ok(StepUp {
        token: request.token,
        password: password.map_err(|error| Error::Invalid(vec![error]))?,
        code: request.code,
        caller: convert::caller(request.caller),
    })
}

pub fn confirmation(request: ConfirmSecondFactorRequest) -> Result<Confirmation, Error> {
    Ok(Confirmation {
        code: code(&request.code)?,
        token: request.token,
        caller: convert::caller(request.caller),
    })
}

pub fn attempt(request: VerifySecondFactorRequest) -> Result<SecondFactorAttempt, Error> {
    Ok(SecondFactorAttempt {
        code: code(&request.code)?,
        challenge: request.challenge,
        caller: convert::caller(request.caller),
    })
}

pub fn state(state: &SecondFactorState) -> GetSecondFactorResponse {
    GetSecondFactorResponse {
        enabled: state.is_enabled,
        required: state.is_required,
        recovery_codes_left: i32::try_from(state.recovery_codes_left).unwrap_or(i32::MAX),
    }
}

pub fn enrolment(enrolment: Enrolment) -> EnrolSecondFactorResponse {
    EnrolSecondFactorResponse {
        secret: enrolment.secret,
        uri: enrolment.uri,
    }
}

fn code(typed: &str) -> Result<TypedCode, Error> {
    TypedCode::parse(typed).map_err(|error| Error::Invalid(vec![error]))
}
