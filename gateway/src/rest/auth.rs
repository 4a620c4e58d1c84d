//! Accounts and sessions.
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::StatusCode;
use http::header::{CACHE_CONTROL, SET_COOKIE};
use kit::error::Kind;
use proto::auth::v1::{RegisterRequest, Session, SignInRequest, SignOutRequest, User};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{Answer, Problem, ProblemBody};
use crate::rest::body::Json;
use crate::rest::idempotency::IdempotencyKey;
use crate::security::country;
use crate::security::viewer::{Viewer, session_token};

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Registration {
    #[schema(example = "Ada Yılmaz")]
    name: String,
    #[schema(example = "ada@example.org", format = Email)]
    email: String,
    #[schema(example = "a quiet place", format = Password)]
    password: String,
    #[schema(example = "tr")]
    lang: Option<String>,
    /// ISO 3166 alpha-2.
    #[schema(example = "TR")]
    country: Option<String>,
    /// The survey order this sign-up belongs to.
    orderid: Option<String>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Credentials {
    #[schema(example = "ada@example.org", format = Email)]
    email: String,
    #[schema(example = "a quiet place", format = Password)]
    password: String,
    #[schema(example = "tr")]
    lang: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    user: Person,
}

#[derive(Serialize, ToSchema)]
pub struct Standing {
    logged_in: bool,
    user: Option<Person>,
}

#[derive(Serialize, ToSchema)]
pub struct Person {
    user_id: String,
    #[serde(rename = "fullName")]
    full_name: String,
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
            email: user.email,
            is_coaching_user: user.is_coaching_user,
            is_therapy_user: user.is_therapy_user,
        }
    }
}

/// Creates an account and signs it in.
#[utoipa::path(
    post, path = "/api/auth/register", tag = "auth", request_body = Registration,
    params(("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key has one effect")),
    responses(
        (status = 201, body = SignedIn, description = "The session is in the cookie `stillpoint_session`"),
        (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "R100: the address has an account"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED"),
    )
)]
pub async fn register(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    Json(body): Json<Registration>,
) -> Answer<Response> {
    let request = RegisterRequest {
        country: country::decide(
            &headers,
            app.config.clients.country_header.as_ref(),
            body.country.as_deref(),
        ),
        name: body.name,
        email: body.email,
        password: body.password,
        lang: body.lang.unwrap_or_default(),
        order_id: body.orderid.unwrap_or_default(),
        idempotency_key,
    };
    let answer = app.clients.auth().register(request).await?.into_inner();
    signed_in(&app, StatusCode::CREATED, answer.user, answer.session)
}

/// Signs somebody in.
#[utoipa::path(
    post, path = "/api/auth/login", tag = "auth", request_body = Credentials,
    responses(
        (status = 200, body = SignedIn, description = "The session is in the cookie `stillpoint_session`"),
        (status = 401, body = ProblemBody, content_type = "application/problem+json", description = "INVALID_CREDENTIALS"),
    )
)]
pub async fn login(State(app): State<Arc<App>>, Json(body): Json<Credentials>) -> Answer<Response> {
    let request = SignInRequest {
        email: body.email,
        password: body.password,
        lang: body.lang.unwrap_or_default(),
    };
    let answer = app.clients.auth().sign_in(request).await?.into_inner();
    signed_in(&app, StatusCode::OK, answer.user, answer.session)
}

/// Ends the session; without one there is nothing to end, and the answer is the same.
#[utoipa::path(post, path = "/api/auth/logout", tag = "auth", responses((status = 204)))]
pub async fn logout(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Response> {
    if let Some(token) = session_token(&headers) {
        app.clients
            .auth()
            .sign_out(SignOutRequest {
                token: token.to_owned(),
            })
            .await?;
    }
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, app.session_cookie.clear())]).into_response())
}

/// Whether somebody is signed in, and who.
#[utoipa::path(get, path = "/api/auth/session", tag = "auth", responses((status = 200, body = Standing)))]
pub async fn session(State(app): State<Arc<App>>, headers: HeaderMap, viewer: Option<Viewer>) -> Response {
    let is_dead = viewer.is_none() && session_token(&headers).is_some();
    let user = viewer.map(|viewer| Person::from(viewer.user));
    let body = Standing {
        logged_in: user.is_some(),
        user,
    };
    let mut response = ([(CACHE_CONTROL, "no-store")], axum::Json(body)).into_response();
    if is_dead {
        response
            .headers_mut()
            .insert(SET_COOKIE, app.session_cookie.clear());
    }
    response
}

fn signed_in(
    app: &App,
    status: StatusCode,
    user: Option<User>,
    session: Option<Session>,
) -> Answer<Response> {
    let (Some(user), Some(session)) = (user, session) else {
        return Err(incomplete());
    };
    let expires_at: Option<DateTime<Utc>> = session.expires_at.and_then(|at| at.try_into().ok());
    let expires_at = expires_at.ok_or_else(incomplete)?;
    let cookie = app
        .session_cookie
        .set(&session.token, (app.clock.now(), expires_at))
        .ok_or_else(incomplete)?;
    let headers = [(SET_COOKIE, cookie)];
    Ok((
        status,
        headers,
        [(CACHE_CONTROL, "no-store")],
        axum::Json(SignedIn { user: user.into() }),
    )
        .into_response())
}

fn incomplete() -> Problem {
    tracing::error!("Answer of auth lacks its user or session");
    Problem::new(Kind::Internal, "INTERNAL", "Something went wrong on our side.")
}
