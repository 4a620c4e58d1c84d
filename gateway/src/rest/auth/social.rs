//! Sign-in with Apple, Google and Facebook. The browser sends claims; auth verifies them with the provider.
use std::sync::Arc;

use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{HeaderMap, StatusCode};
use proto::auth::v1::{IssueSocialNonceRequest, SignInSociallyRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoResponses, ToSchema};

use crate::openapi::parameters::{IdempotencyKeyParam, RedirectPageParam, SocialSignInParams};
use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::rest::auth::session::{SignedIn, incomplete_response, rfc3339, signed_in};
use crate::rest::auth::sign_in_context::SignInContext;
use crate::rest::body::Json;
use crate::state::AppState;

/// The result of Apple's script: `id_token`, and with the first sign-in the name.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct AppleCredential {
    #[schema(example = "tr")]
    lang: Option<String>,
    #[schema(example = "ada@example.org", format = Email)]
    email: Option<String>,
    /// `sub` of the token.
    #[serde(rename = "appleID")]
    #[schema(example = "001234.0a1b2c.0123")]
    apple_id: String,
    /// The id token.
    #[schema(example = "eyJhbGciOiJSUzI1NiJ9.e30.c2ln")]
    token: String,
    /// Apple sends it with the first sign-in only.
    #[schema(example = "Ada Yılmaz")]
    name: Option<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct FacebookCredential {
    /// Ignored: auth queries Facebook.
    #[schema(example = "Ada Yılmaz")]
    name: Option<String>,
    #[schema(example = "ada@example.org", format = Email)]
    email: Option<String>,
    #[serde(rename = "facebookID")]
    #[schema(example = "10150000000000000")]
    facebook_id: String,
    /// The access token, valid for one sign-in.
    #[schema(example = "EAAS…")]
    token: String,
    #[schema(example = "tr")]
    lang: Option<String>,
}

/// Google's credential with its decoded fields.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct GoogleCredential {
    /// Ignored: the token contains it.
    #[schema(example = "Ada")]
    name: Option<String>,
    #[schema(example = "ada@example.org", format = Email)]
    email: Option<String>,
    /// `sub` of the token.
    #[serde(rename = "googleID")]
    #[schema(example = "110169484474386276334")]
    google_id: String,
    /// Ignored.
    #[serde(rename = "picturePath")]
    picture_path: Option<String>,
    /// Ignored: the token contains it.
    #[serde(rename = "fullName")]
    full_name: Option<String>,
    /// The id token.
    #[schema(example = "eyJhbGciOiJSUzI1NiJ9.e30.c2ln")]
    token: String,
    #[schema(example = "tr")]
    lang: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SocialNonce {
    /// For the scripts of Apple and Google. Valid once, in the browser with the cookie `stillpoint_social`.
    #[schema(example = "1795259698.0f3c….9b1d…")]
    nonce: String,
    #[schema(format = DateTime, value_type = String)]
    expires_at: Option<String>,
}

#[derive(IntoResponses)]
#[expect(dead_code, reason = "the description is derived from it")]
pub enum SocialSignInResponses {
    /// The identity has an account; the session is in the cookie `stillpoint_session`
    #[response(status = 200)]
    SignedIn(SignedIn),
    /// The identity has a new account; the session is in the cookie `stillpoint_session`
    #[response(status = 201)]
    SignedUp(SignedIn),
    /// `SOCIAL_TOKEN_INVALID`
    #[response(status = 401, content_type = "application/problem+json")]
    InvalidToken(ProblemBody),
    /// `SECOND_FACTOR_REQUIRED`, with `data.challenge`
    #[response(status = 403, content_type = "application/problem+json")]
    SecondFactorRequired(ProblemBody),
    /// `SOCIAL_NOT_OFFERED`: the provider is not configured
    #[response(status = 404, content_type = "application/problem+json")]
    NotConfigured(ProblemBody),
    /// `SOCIAL_LINK_REQUIRED`: the address has an account. A sign-in from this browser within ten minutes links the
    /// identity
    #[response(status = 409, content_type = "application/problem+json")]
    LinkRequired(ProblemBody),
    /// `SOCIAL_EMAIL_MISSING`, `SOCIAL_EMAIL_UNVERIFIED`; `SOCIAL_ACCOUNT_MISSING` if `existingOnly` is sent
    #[response(status = 422, content_type = "application/problem+json")]
    Refused(ProblemBody),
    /// `SOCIAL_UNAVAILABLE`: the provider does not respond
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemBody),
}

/// Creates a nonce for a provider's script. The resulting token is valid in this browser only.
#[utoipa::path(
    post, path = "/api/auth/social/nonce", tag = "auth",
    responses((status = 201, body = SocialNonce, description = "The cookie `stillpoint_social` identifies the browser while the nonce is valid"))
)]
pub async fn social_nonce(State(app): State<Arc<AppState>>, headers: HeaderMap) -> HandlerResult<Response> {
    let request = IssueSocialNonceRequest {
        social_browser: app.session_cookie.social_browser(&headers),
    };
    let issued = app.clients.auth().issue_social_nonce(request).await?.into_inner();
    let expires_at: Option<DateTime<Utc>> = issued.expires_at.and_then(|at| at.try_into().ok());
    let lifetime = expires_at.ok_or_else(incomplete_response)? - app.clock.now();
    let cookie = app
        .session_cookie
        .set_social_browser(&issued.social_browser, lifetime);
    let cookie = AppendHeaders([(SET_COOKIE, cookie.ok_or_else(incomplete_response)?)]);
    let body = SocialNonce {
        nonce: issued.nonce,
        expires_at: issued.expires_at.and_then(rfc3339),
    };
    Ok((
        StatusCode::CREATED,
        [(CACHE_CONTROL, "no-store")],
        cookie,
        axum::Json(body),
    )
        .into_response())
}

/// Signs in with Apple.
#[utoipa::path(
    post, path = "/api/auth/social/apple", tag = "auth", request_body = AppleCredential,
    params(IdempotencyKeyParam, RedirectPageParam, SocialSignInParams), responses(SocialSignInResponses)
)]
pub async fn apple(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    Json(body): Json<AppleCredential>,
) -> HandlerResult<Response> {
    let claim = SocialCredential {
        provider: "apple",
        token: body.token,
        email: body.email,
        id: body.apple_id,
        name: body.name,
        lang: body.lang,
    };
    sign_in(&app, context, claim).await
}

/// Signs in with Facebook.
#[utoipa::path(
    post, path = "/api/auth/social/facebook", tag = "auth", request_body = FacebookCredential,
    params(IdempotencyKeyParam, RedirectPageParam, SocialSignInParams), responses(SocialSignInResponses)
)]
pub async fn facebook(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    Json(body): Json<FacebookCredential>,
) -> HandlerResult<Response> {
    let claim = SocialCredential {
        provider: "facebook",
        token: body.token,
        email: body.email,
        id: body.facebook_id,
        name: body.name,
        lang: body.lang,
    };
    sign_in(&app, context, claim).await
}

/// Signs in with Google.
#[utoipa::path(
    post, path = "/api/auth/social/google", tag = "auth", request_body = GoogleCredential,
    params(IdempotencyKeyParam, RedirectPageParam, SocialSignInParams), responses(SocialSignInResponses)
)]
pub async fn google(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    Json(body): Json<GoogleCredential>,
) -> HandlerResult<Response> {
    let claim = SocialCredential {
        provider: "google",
        token: body.token,
        email: body.email,
        id: body.google_id,
        name: body.full_name.or(body.name),
        lang: body.lang,
    };
    sign_in(&app, context, claim).await
}

/// The fields that all providers share.
struct SocialCredential {
    provider: &'static str,
    token: String,
    email: Option<String>,
    id: String,
    name: Option<String>,
    lang: Option<String>,
}

async fn sign_in(app: &AppState, context: SignInContext, claim: SocialCredential) -> HandlerResult<Response> {
    let country = context.country(app, None);
    let request = SignInSociallyRequest {
        provider: claim.provider.to_owned(),
        token: claim.token,
        social_browser: context.social_browser,
        claimed_email: claim.email.unwrap_or_default(),
        claimed_id: claim.id,
        name: claim.name.unwrap_or_default(),
        lang: claim.lang.or(context.lang).unwrap_or_default(),
        country,
        order_id: context.order_id,
        existing_only: context.existing_only,
        idempotency_key: context.idempotency_key,
        caller: Some(context.caller),
    };
    let answer = app.clients.auth().sign_in_socially(request).await;
    let answer = answer.map_err(Problem::from)?.into_inner();
    let status = if answer.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    signed_in(app, status, answer, context.redirect_page)
}
