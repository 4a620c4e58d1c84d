//! What auth says of its one member.
use std::time::Duration;

use kit::error::{ErrorCode, Failure, Kind};
use proto::auth::v1::{
    ErasedService, Erasure, RequestErasureRequest, RequestErasureResponse, UpdateProfileRequest,
    UpdateProfileResponse, User,
};
use tonic::Response;

use super::accounts::missing;
use super::{Answer, a_month_on, refuse};

pub fn user(email: &str) -> User {
    User {
        user_id: "usr_1".into(),
        full_name: "Ada Yılmaz".into(),
        email: email.into(),
        is_coaching_user: false,
        is_therapy_user: true,
        first_name: "Ada".into(),
        last_name: "Yılmaz".into(),
        is_premium_user: false,
    }
}

pub fn erasure(state: &str) -> Erasure {
    let is_over = state == "finished";
    let checkout = ErasedService {
        service: "checkout".into(),
        state: if is_over { "erased" } else { "waiting" }.into(),
        erased_at: is_over.then(a_month_on),
        kept: vec!["bookkeeping".into()],
    };
    Erasure {
        erasure_id: "ers_1".into(),
        state: state.into(),
        requested_at: Some(a_month_on()),
        finished_at: is_over.then(a_month_on),
        services: vec![checkout],
    }
}

pub fn update_profile(request: UpdateProfileRequest) -> Answer<UpdateProfileResponse> {
    if request.email == "taken@example.org" {
        return refuse(Kind::Conflict, "R100", "This address already has an account.");
    }
    if request.full_name.is_empty() {
        return Err(missing("fullname"));
    }
    if request.password == "another place" && request.current_password != "right" {
        return step_up_required();
    }
    let present = "ada@example.org";
    let user = User {
        full_name: request.full_name,
        ..user(present)
    };
    Ok(Response::new(UpdateProfileResponse {
        user: Some(user),
        pending_email: Some(request.email)
            .filter(|email| email != present)
            .unwrap_or_default(),
    }))
}

pub fn request_erasure(request: &RequestErasureRequest) -> Answer<RequestErasureResponse> {
    match request.password.as_str() {
        "right" => Ok(Response::new(RequestErasureResponse {
            erasure: Some(erasure("running")),
        })),
        "throttled" => Err(Failure::new(Kind::TooMany, ErrorCode::TooManyAttempts, "Wait.")
            .retry_after(Duration::from_mins(10))
            .into()),
        "" => step_up_required(),
        _ => refuse(Kind::Forbidden, "WRONG_PASSWORD", "This is not your password."),
    }
}

fn step_up_required<T>() -> Answer<T> {
    let failure = Failure::new(
        Kind::Forbidden,
        ErrorCode::StepUpRequired,
        "Confirm that it is you.",
    );
    Err(failure.detail("methods", "password").into())
}
