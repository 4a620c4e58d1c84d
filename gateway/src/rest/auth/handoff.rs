//! Handoff tokens, which sign a member in on other sites, and temporary premium access.
use kit::error::ErrorCode;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use proto::auth::v1::{
    GrantTemporaryPremiumRequest, IssueHandoffTokenRequest, RedeemHandoffTokenRequest, User,
};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::openapi::parameters::{NotSignedIn, RedirectPageParam};
use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::rest::auth::session;
use crate::rest::auth::session::Person;
use crate::rest::auth::sign_in_context::SignInContext;
use crate::rest::body::JsonOrForm;
use crate::rest::viewer::{Bearer, Viewer};
use crate::security::redirects::Parameter;
use crate::state::AppState;

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct HandoffTokenRequest {
    /// autologin, chat, survey or therapy
    #[schema(example = "autologin")]
    purpose: String,
}

#[derive(Serialize, ToSchema)]
pub struct HandoffToken {
    token: String,
    #[schema(format = DateTime, value_type = String)]
    expires_at: Option<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ValidateTokenRequest {
    #[schema(example = "5d41…")]
    token: String,
}

/// The data/error envelope.
#[derive(Serialize, ToSchema)]
pub struct ValidateTokenResponse {
    data: Option<Person>,
    error: Option<&'static str>,
    /// `1`: the token is unknown; `2`: it was used or has expired; `3`: another member is signed in in this browser and
    /// stays signed in.
    error_code: Option<&'static str>,
    /// The browser had a session of the same member, which stays: this was no sign-in.
    already_signed_in: bool,
    /// The resolved `redirectPage`; null if it leads off the site, or beside an error.
    #[serde(rename = "redirectPage")]
    #[schema(example = "/en/payment/annual/")]
    redirect_page: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct TemporaryPremium {
    #[serde(rename = "subscriptionType")]
    #[schema(example = "soul")]
    subscription_type: &'static str,
    /// Null until the payment is reported; premium is granted at that moment.
    #[schema(format = DateTime, value_type = Option<String>)]
    until: Option<String>,
    /// The resolved `soul_redirection_url`; null if its host is not allowed.
    #[serde(rename = "redirectUrl")]
    redirect_url: Option<String>,
}

/// Creates a single-use token that signs the member in on another site. It expires after some minutes.
#[utoipa::path(
    post, path = "/api/auth/handoff-tokens", tag = "auth", request_body = HandoffTokenRequest,
    responses(
        (status = 201, body = HandoffToken),
        NotSignedIn,
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: purpose"),
    )
)]
pub async fn issue_handoff_token(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    JsonOrForm(body): JsonOrForm<HandoffTokenRequest>,
) -> HandlerResult<Response> {
    let request = IssueHandoffTokenRequest {
        token: viewer.token.expose_secret().to_owned(),
        purpose: body.purpose,
    };
    let answer = app
        .clients
        .auth()
        .issue_handoff_token(request)
        .await?
        .into_inner();
    let handoff = HandoffToken {
        token: answer.handoff_token,
        expires_at: answer.expires_at.and_then(session::rfc3339),
    };
    Ok((
        StatusCode::CREATED,
        [(CACHE_CONTROL, "no-store")],
        axum::Json(handoff),
    )
        .into_response())
}

/// Signs in the member of a handoff token.
/// With an existing session the token is validated, and the session stays unchanged.
#[utoipa::path(
    post, path = "/validate-token", tag = "auth", request_body = ValidateTokenRequest, params(RedirectPageParam),
    responses((status = 200, body = ValidateTokenResponse, description = "The session is in the cookie `stillpoint_session`; a refusal is in `error_code`"))
)]
pub async fn validate_token(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    JsonOrForm(body): JsonOrForm<ValidateTokenRequest>,
) -> HandlerResult<Response> {
    let request = RedeemHandoffTokenRequest {
        handoff_token: body.token,
        caller: Some(context.caller),
    };
    let answer = match app.clients.auth().redeem_handoff_token(request).await {
        Ok(answer) => answer.into_inner(),
        Err(status) => return refused(Problem::from(status)),
    };
    if answer.session.is_none() {
        let user = answer.user.ok_or_else(session::incomplete_response)?;
        return Ok(uncached(ValidateTokenResponse {
            already_signed_in: true,
            ..accepted(user, context.redirect_page)
        }));
    }
    let (user, cookies) = session::cookies(&app, answer)?;
    Ok((cookies, uncached(accepted(user, context.redirect_page))).into_response())
}

fn accepted(user: User, redirect_page: Option<String>) -> ValidateTokenResponse {
    ValidateTokenResponse {
        data: Some(user.into()),
        redirect_page,
        already_signed_in: false,
        error: None,
        error_code: None,
    }
}

/// The specified envelope has the code in a response with status 200.
fn refused(problem: Problem) -> HandlerResult<Response> {
    let (error, error_code) = match problem.failure().error_code() {
        Some(ErrorCode::TokenExpired) => ("This token was used or has expired.", "2"),
        Some(ErrorCode::TokenUnknown) => ("This is no token of ours.", "1"),
        Some(ErrorCode::TokenOtherMember) => ("Another member is signed in in this browser.", "3"),
        _ => return Err(problem),
    };
    Ok(uncached(ValidateTokenResponse {
        data: None,
        error: Some(error),
        error_code: Some(error_code),
        already_signed_in: false,
        redirect_page: None,
    }))
}

fn uncached(body: ValidateTokenResponse) -> Response {
    ([(CACHE_CONTROL, "no-store")], axum::Json(body)).into_response()
}

/// Grants temporary premium after a payment, once per payment. The member continues to a partner's app.
#[utoipa::path(
    get, path = "/users/temporary-premium", tag = "auth",
    params(
        ("subscriptionType" = String, Query, description = "soul"),
        ("soul_redirection_url" = Option<String>, Query, description = "Returned as `redirectUrl` if its host is allowed"),
    ),
    responses(
        (status = 200, body = TemporaryPremium),
        NotSignedIn,
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: subscriptionType"),
    )
)]
pub async fn temporary_premium(
    Bearer(viewer): Bearer,
    State(app): State<Arc<AppState>>,
    RawQuery(query): RawQuery,
) -> HandlerResult<Response> {
    let query = query.unwrap_or_default();
    let parameter = |wanted: &str| {
        let mut pairs = url::form_urlencoded::parse(query.as_bytes());
        pairs
            .find(|(name, _)| name == wanted)
            .map(|(_, value)| value.into_owned())
    };
    let request = GrantTemporaryPremiumRequest {
        token: viewer.token.expose_secret().to_owned(),
        subscription_type: parameter("subscriptionType").unwrap_or_default(),
    };
    let answer = app
        .clients
        .auth()
        .grant_temporary_premium(request)
        .await?
        .into_inner();
    let wanted = parameter("soul_redirection_url");
    let body = TemporaryPremium {
        subscription_type: "soul",
        until: answer.premium_until.and_then(session::rfc3339),
        redirect_url: wanted.and_then(|wanted| app.config.redirects.resolve(Parameter::External, &wanted)),
    };
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(body)).into_response())
}
