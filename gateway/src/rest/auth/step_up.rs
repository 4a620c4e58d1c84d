//! Renewed authentication of a session, and the end of a session by its mailed link.
use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use proto::auth::v1::{EndSessionRequest, StepUpRequest};
use secrecy::ExposeSecret;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::openapi::parameters::{NotSignedIn, Throttled};
use crate::protocol::error::{HandlerResult, ProblemBody};
use crate::rest::auth::account::MailedToken;
use crate::rest::auth::sign_in_context::SignInContext;
use crate::rest::body::{Json, JsonOrForm};
use crate::rest::viewer::Viewer;
use crate::state::AppState;

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct StepUpBody {
    #[schema(example = "a quiet place", format = Password, required = true)]
    password: String,
    /// A code of the second factor or a recovery code. Required if the member has a second factor.
    #[schema(example = "123456")]
    code: Option<String>,
}

/// Authenticates the member again: calls that need a recent authentication are possible for ten minutes.
#[utoipa::path(
    post, path = "/api/account/step-up", tag = "auth", security(("session" = [])), request_body = StepUpBody,
    responses(
        (status = 204),
        NotSignedIn,
        (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "WRONG_PASSWORD; STEP_UP_REQUIRED with `methods` `sign_in` for a member without a password"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: password; code, which is REQUIRED or SECOND_FACTOR_WRONG"),
        Throttled,
    )
)]
pub async fn step_up(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    Json(body): Json<StepUpBody>,
) -> HandlerResult<StatusCode> {
    let request = StepUpRequest {
        token: viewer.token.expose_secret().to_owned(),
        password: body.password,
        code: body.code.unwrap_or_default(),
        caller: Some(context.caller),
    };
    app.clients.auth().step_up(request).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends one session with the link of the mail about a new sign-in. Requires no session; the link works once.
#[utoipa::path(
    post, path = "/api/account/sessions/end", tag = "auth", request_body(content((MailedToken = "application/json"), (MailedToken = "application/x-www-form-urlencoded"))),
    responses(
        (status = 204),
        (status = 404, body = ProblemBody, content_type = "application/problem+json", description = "LINK_INVALID: used, expired or unknown"),
    )
)]
pub async fn end_session(
    State(app): State<Arc<AppState>>,
    JsonOrForm(body): JsonOrForm<MailedToken>,
) -> HandlerResult<StatusCode> {
    let request = EndSessionRequest {
        token: body.into_token(),
    };
    app.clients.auth().end_session(request).await?;
    Ok(StatusCode::NO_CONTENT)
}
