//! Registration, sign-in, sign-out and the session.
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{AppendHeaders, IntoResponse, Response};
use chrono::{DateTime, SecondsFormat, Utc};
use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{HeaderName, HeaderValue, StatusCode};
use kit::error::{ErrorCode, Kind};
use proto::Timestamp;
use proto::auth::v1::{
    RedeemHandoffTokenResponse, RegisterByEmailResponse, RegisterRequest, RegisterResponse, Session,
    SignInRequest, SignInResponse, SignInSociallyResponse, SignOutRequest, User, VerifySecondFactorResponse,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoResponses, ToSchema};

use crate::openapi::parameters::{IdempotencyKeyParam, RedirectPageParam, Throttled};
use crate::protocol::error::{CHALLENGE, HandlerResult, Problem, ProblemBody};
use crate::rest::auth::sign_in_context::SignInContext;
use crate::rest::body::JsonOrForm;
use crate::rest::viewer::{refreshed, session_token};
use crate::state::AppState;

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Registration {
    #[schema(example = "Ada Yılmaz")]
    name: String,
    #[schema(example = "ada@example.org", format = Email, required = true)]
    email: String,
    #[schema(example = "a quiet place", format = Password, required = true)]
    password: String,
    #[schema(example = "tr")]
    lang: Option<String>,
    /// ISO 3166 alpha-2.
    #[schema(example = "TR")]
    country: Option<String>,
    /// The survey order of this sign-up.
    orderid: Option<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Credentials {
    #[schema(example = "ada@example.org", format = Email, required = true)]
    email: String,
    #[schema(example = "a quiet place", format = Password, required = true)]
    password: String,
    #[schema(example = "tr")]
    lang: Option<String>,
    /// The provider of an earlier `SOCIAL_LINK_REQUIRED`: this sign-in links its identity. Required for Facebook.
    #[serde(rename = "joinProvider")]
    #[schema(example = "facebook")]
    join_provider: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    user: Person,
    /// The resolved `redirectPage`; null if it leads off the site.
    #[serde(rename = "redirectPage")]
    #[schema(example = "/en/payment/annual/")]
    redirect_page: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SessionState {
    logged_in: bool,
    user: Option<Person>,
}

#[derive(Serialize, ToSchema)]
pub struct Person {
    user_id: String,
    #[serde(rename = "fullName")]
    full_name: String,
    #[serde(rename = "firstName")]
    first_name: String,
    #[serde(rename = "lastName")]
    last_name: String,
    email: String,
    #[serde(rename = "isCoachingUser")]
    is_coaching_user: bool,
    #[serde(rename = "isTherapyUser")]
    is_therapy_user: bool,
}

impl From<User> for Person {
    fn from(user: User) -> Self {
        Self {
            user_id: user.user_id,
            full_name: user.full_name,
            first_name: user.first_name,
            last_name: user.last_name,
            email: user.email,
            is_coaching_user: user.is_coaching_user,
            is_therapy_user: user.is_therapy_user,
        }
    }
}

#[derive(IntoResponses)]
#[expect(dead_code, reason = "the description is derived from it")]
pub enum SignUpResponses {
    /// The session is in the cookie `stillpoint_session`
    #[response(status = 201)]
    SignedUp(SignedIn),
    /// R100: the address has an account
    #[response(status = 409, content_type = "application/problem+json")]
    Conflict(ProblemBody),
    /// `VALIDATION_FAILED`
    #[response(status = 422, content_type = "application/problem+json")]
    Invalid(ProblemBody),
}

/// Creates an account and signs it in.
/// A form is answered with 303: to the next page, or back with `?error=CODE`.
#[utoipa::path(
    post, path = "/api/auth/register", tag = "auth", request_body(content((Registration = "application/json"), (Registration = "application/x-www-form-urlencoded"))),
    params(IdempotencyKeyParam, RedirectPageParam), responses(SignUpResponses)
)]
pub async fn register(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    JsonOrForm(body): JsonOrForm<Registration>,
) -> HandlerResult<Response> {
    let request = RegisterRequest {
        country: context.country(&app, body.country.as_deref()),
        name: body.name,
        email: body.email,
        password: body.password,
        lang: body.lang.unwrap_or_default(),
        order_id: body.orderid.unwrap_or_default(),
        idempotency_key: context.idempotency_key,
        caller: Some(context.caller),
    };
    let answer = app.clients.auth().register(request).await?.into_inner();
    signed_in(&app, StatusCode::CREATED, answer, context.redirect_page)
}

/// Signs in with e-mail and password.
/// A form is answered with 303: to the next page, or back with `?error=CODE`.
#[utoipa::path(
    post, path = "/api/auth/login", tag = "auth", request_body(content((Credentials = "application/json"), (Credentials = "application/x-www-form-urlencoded"))),
    params(RedirectPageParam),
    responses(
        (status = 200, body = SignedIn, description = "The session is in the cookie `stillpoint_session`"),
        (status = 401, body = ProblemBody, content_type = "application/problem+json", description = "INVALID_CREDENTIALS"),
        (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "SECOND_FACTOR_REQUIRED, with `data.challenge`"),
        Throttled,
    )
)]
pub async fn login(
    State(app): State<Arc<AppState>>,
    context: SignInContext,
    JsonOrForm(body): JsonOrForm<Credentials>,
) -> HandlerResult<Response> {
    let request = SignInRequest {
        email: body.email,
        password: body.password,
        lang: body.lang.unwrap_or_default(),
        social_browser: context.social_browser,
        join_provider: body.join_provider.unwrap_or_default(),
        caller: Some(context.caller),
    };
    let answer = app.clients.auth().sign_in(request).await?.into_inner();
    signed_in(&app, StatusCode::OK, answer, context.redirect_page)
}

/// Ends the session. Without a session the response is the same.
#[utoipa::path(post, path = "/api/auth/logout", tag = "auth", responses((status = 204)))]
pub async fn logout(State(app): State<Arc<AppState>>, headers: HeaderMap) -> HandlerResult<Response> {
    if let Some(token) = session_token(&headers, &app) {
        app.clients
            .auth()
            .sign_out(SignOutRequest {
                token: token.to_owned(),
            })
            .await?;
    }
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, app.session_cookie.clear())]).into_response())
}

/// The session's user, or that there is no session. From time to time the response renews the session's token.
#[utoipa::path(get, path = "/api/auth/session", tag = "auth", responses((status = 200, body = SessionState)))]
pub async fn session(State(app): State<Arc<AppState>>, headers: HeaderMap) -> HandlerResult<Response> {
    let refreshed = refreshed(&headers, &app).await?;
    let is_dead = refreshed.is_none() && session_token(&headers, &app).is_some();
    let (user, renewed) = refreshed.map_or((None, None), |(user, renewed)| (Some(user), renewed));
    let cookie = match renewed {
        Some(session) => Some(session_cookie(&app, &session)?),
        None => is_dead.then(|| app.session_cookie.clear()),
    };
    let body = SessionState {
        logged_in: user.is_some(),
        user: user.map(Person::from),
    };
    let cookie = AppendHeaders(cookie.map(|cookie| (SET_COOKIE, cookie)));
    Ok(([(CACHE_CONTROL, "no-store")], cookie, axum::Json(body)).into_response())
}

/// The common fields of all auth responses that open a session.
pub struct OpenedSession {
    pub user: Option<User>,
    pub session: Option<Session>,
    pub device_cookie: String,
    /// Set instead of the others if the second factor is awaited.
    pub challenge: String,
}

macro_rules! opens_a_session {
    ($($answer:ty),+) => {$(
        impl From<$answer> for OpenedSession {
            fn from(answer: $answer) -> Self {
                Self {
                    user: answer.user,
                    session: answer.session,
                    device_cookie: answer.device_cookie,
                    challenge: String::new(),
                }
            }
        }
    )+};
}

macro_rules! opens_a_session_or_challenges {
    ($($answer:ty),+) => {$(
        impl From<$answer> for OpenedSession {
            fn from(answer: $answer) -> Self {
                Self {
                    user: answer.user,
                    session: answer.session,
                    device_cookie: answer.device_cookie,
                    challenge: answer.challenge,
                }
            }
        }
    )+};
}

opens_a_session!(
    RegisterResponse,
    RegisterByEmailResponse,
    RedeemHandoffTokenResponse,
    VerifySecondFactorResponse
);
opens_a_session_or_challenges!(SignInResponse, SignInSociallyResponse);

pub fn signed_in(
    app: &AppState,
    status: StatusCode,
    opened: impl Into<OpenedSession>,
    redirect_page: Option<String>,
) -> HandlerResult<Response> {
    let (user, cookies) = cookies(app, opened)?;
    let body = SignedIn {
        user: user.into(),
        redirect_page,
    };
    Ok((status, [(CACHE_CONTROL, "no-store")], cookies, axum::Json(body)).into_response())
}

pub type Cookies = AppendHeaders<Vec<(HeaderName, HeaderValue)>>;

/// The signed-in user and the cookies of the browser: session and device.
pub fn cookies(app: &AppState, opened: impl Into<OpenedSession>) -> HandlerResult<(User, Cookies)> {
    let opened = opened.into();
    if !opened.challenge.is_empty() {
        return Err(second_factor_required(&opened.challenge));
    }
    let (user, session) = opened.user.zip(opened.session).ok_or_else(incomplete_response)?;
    let session = session_cookie(app, &session)?;
    let cookies = [
        Some(session),
        app.session_cookie.set_device(&opened.device_cookie),
    ];
    let lines = cookies.into_iter().flatten().map(|cookie| (SET_COOKIE, cookie));
    Ok((user, AppendHeaders(lines.collect())))
}

fn second_factor_required(challenge: &str) -> Problem {
    let message = "Enter the code of your second factor.";
    Problem::new(Kind::Forbidden, ErrorCode::SecondFactorRequired, message).detail(CHALLENGE, challenge)
}

fn session_cookie(app: &AppState, session: &Session) -> HandlerResult<HeaderValue> {
    let expires_at: Option<DateTime<Utc>> = session.expires_at.and_then(|at| at.try_into().ok());
    let lifetime = expires_at.ok_or_else(incomplete_response)? - app.clock.now();
    app.session_cookie
        .set(&session.token, lifetime)
        .ok_or_else(incomplete_response)
}

pub fn rfc3339(at: Timestamp) -> Option<String> {
    let at: DateTime<Utc> = at.try_into().ok()?;
    Some(at.to_rfc3339_opts(SecondsFormat::Secs, true))
}

pub fn incomplete_response() -> Problem {
    tracing::error!("response of auth has no user or session");
    Problem::internal()
}
