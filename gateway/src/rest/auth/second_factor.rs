//! The second factor of an account: enrolment, recovery codes, and the verification of a sign-in.
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use proto::auth::v1::{
    ConfirmSecondFactorRequest, DisableSecondFactorRequest, EnrolSecondFactorRequest, GetSecondFactorRequest,
    ReplaceRecoveryCodesRequest, VerifySecondFactorRequest,
};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::openapi::parameters::{NotSignedIn, RedirectPageParam, StepUpRequired, Throttled};
use crate::protocol::error::{HandlerResult, ProblemBody};
use crate::rest::auth::session::{self, SignedIn};
use crate::rest::auth::sign_in_context::SignInContext;
use crate::rest::body::{Json, JsonOrForm};
use crate::rest::viewer::{RecentViewer, Viewer};
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub struct SecondFactorState {
    enabled: bool,
    /// The account has a role that needs a second factor.
    required: bool,
    recovery_codes_left: i32,
}

#[derive(Serialize, ToSchema)]
pub struct Enrolment {
    /// Base32, to be typed into an authenticator app.
    #[schema(example = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")]
    secret: String,
    /// The same as a QR code shows it.
    #[schema(
        example = "otpauth://totp/Stillpoint:ada%40example%2Eorg?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Stillpoint"
    )]
    uri: String,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Code {
    #[schema(example = "123456", required = true)]
    code: String,
}

#[derive(Serialize, ToSchema)]
pub struct RecoveryCodes {
    /// Each works once. They are shown this once.
    recovery_codes: Vec<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Verification {
    /// `data.challenge` of the sign-in's `SECOND_FACTOR_REQUIRED`.
    #[schema(example = "5d41…", required = true)]
    challenge: String,
    /// Of the authenticator app, or a recovery code.
    #[schema(example = "123456", required = true)]
    code: String,
}

/// Whether the member has a second factor, and how many recovery codes are left.
#[utoipa::path(
    get, path = "/api/account/second-factor", tag = "auth",
    responses((status = 200, body = SecondFactorState), NotSignedIn)
)]
pub async fn state(viewer: Viewer, State(app): State<Arc<AppState>>) -> HandlerResult<Response> {
    let request = GetSecondFactorRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    let answer = app.clients.auth().get_second_factor(request).await?.into_inner();
    let state = SecondFactorState {
        enabled: answer.enabled,
        required: answer.required,
        recovery_codes_left: answer.recovery_codes_left,
    };
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(state)).into_response())
}

/// Creates a secret for an authenticator app. It is active once one of its codes is confirmed.
#[utoipa::path(
    post, path = "/api/account/second-factor/enrol", tag = "auth",
    responses((status = 200, body = Enrolment), NotSignedIn, StepUpRequired)
)]
pub async fn enrol(
    RecentViewer(viewer): RecentViewer,
    State(app): State<Arc<AppState>>,
) -> HandlerResult<Response> {
    let request = EnrolSecondFactorRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    let answer = app
        .clients
        .auth()
        .enrol_second_factor(request)
        .await?
        .into_inner();
    let enrolment = Enrolment {
        secret: answer.secret,
        uri: answer.uri,
    };
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(enrolment)).into_response())
}

/// Activates the second factor with a code of the new secret, and returns recovery codes.
#[utoipa::path(
    post, path = "/api/account/second-factor/confirm", tag = "auth", security(("session" = [])), request_body = Code,
    responses(
        (status = 200, body = RecoveryCodes),
        NotSignedIn,
        (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "SECOND_FACTOR_NOT_ENROLLED"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: code, which is REQUIRED or SECOND_FACTOR_WRONG"),
        Throttled,
    )
)]
pub async fn confirm(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    Json(body): Json<Code>,
) -> HandlerResult<Response> {
    let request = ConfirmSecondFactorRequest {
        token: viewer.token.expose_secret().to_owned(),
        code: body.code,
        caller: Some(context.caller),
    };
    let answer = app.clients.auth().confirm_second_factor(request).await?;
    Ok(recovery_codes(answer.into_inner().recovery_codes))
}

/// Replaces the recovery codes; the former ones stop working.
#[utoipa::path(
    post, path = "/api/account/second-factor/recovery-codes", tag = "auth",
    responses(
        (status = 200, body = RecoveryCodes),
        NotSignedIn,
        StepUpRequired,
        (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "SECOND_FACTOR_NOT_ENROLLED"),
    )
)]
pub async fn replace_recovery_codes(
    RecentViewer(viewer): RecentViewer,
    State(app): State<Arc<AppState>>,
) -> HandlerResult<Response> {
    let request = ReplaceRecoveryCodesRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    let answer = app.clients.auth().replace_recovery_codes(request).await?;
    Ok(recovery_codes(answer.into_inner().recovery_codes))
}

/// Deletes the second factor with its recovery codes.
#[utoipa::path(
    delete, path = "/api/account/second-factor", tag = "auth",
    responses(
        (status = 204),
        NotSignedIn,
        (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "STEP_UP_REQUIRED, with `methods`; SECOND_FACTOR_REQUIRED: a role of the account needs it"),
    )
)]
pub async fn disable(
    RecentViewer(viewer): RecentViewer,
    State(app): State<Arc<AppState>>,
) -> HandlerResult<StatusCode> {
    let request = DisableSecondFactorRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    app.clients.auth().disable_second_factor(request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Finishes a sign-in with the second factor.
#[utoipa::path(
    post, path = "/api/account/second-factor/verify", tag = "auth", request_body(content((Verification = "application/json"), (Verification = "application/x-www-form-urlencoded"))), params(RedirectPageParam),
    responses(
        (status = 200, body = SignedIn, description = "The session is in the cookie `stillpoint_session`"),
        (status = 401, body = ProblemBody, content_type = "application/problem+json", description = "CHALLENGE_EXPIRED: sign in again"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: code, which is REQUIRED or SECOND_FACTOR_WRONG"),
        Throttled,
    )
)]
pub async fn verify(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    JsonOrForm(body): JsonOrForm<Verification>,
) -> HandlerResult<Response> {
    let request = VerifySecondFactorRequest {
        challenge: body.challenge,
        code: body.code,
        caller: Some(context.caller),
    };
    let answer = app
        .clients
        .auth()
        .verify_second_factor(request)
        .await?
        .into_inner();
    session::signed_in(&app, StatusCode::OK, answer, context.redirect_page)
}

fn recovery_codes(recovery_codes: Vec<String>) -> Response {
    let body = RecoveryCodes { recovery_codes };
    ([(CACHE_CONTROL, "no-store")], axum::Json(body)).into_response()
}
