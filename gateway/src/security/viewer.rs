//! Proofs of identity: a handler that takes one of these cannot run without it.
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::HeaderMap;
use http::request::Parts;
use kit::error::Kind;
use proto::auth::v1::{AuthenticateRequest, RefreshSessionRequest, Session, User};
use secrecy::SecretString;

use crate::app::App;
use crate::error::{Answer, Problem};
use crate::security::{cookies, tokens};

/// Somebody whose session is alive.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub user: User,
    pub token: SecretString,
}

/// The session token a request brings, dead or alive.
pub fn session_token(headers: &HeaderMap) -> Option<&str> {
    cookies::read(headers, cookies::SESSION)
        .or_else(|| tokens::bearer(headers))
        .filter(|token| !token.is_empty())
}

impl FromRequestParts<Arc<App>> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Answer<Self> {
        viewer(&parts.headers, app)
            .await?
            .ok_or_else(Problem::not_signed_in)
    }
}

/// `None` for a visitor, and for somebody whose session is over.
impl OptionalFromRequestParts<Arc<App>> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Answer<Option<Self>> {
        viewer(&parts.headers, app).await
    }
}

async fn viewer(headers: &HeaderMap, app: &App) -> Answer<Option<Viewer>> {
    let Some(token) = session_token(headers) else {
        return Ok(None);
    };
    let request = AuthenticateRequest {
        token: token.to_owned(),
    };
    let answer = alive(app.clients.auth().authenticate(request).await)?;
    let token = SecretString::from(token);
    Ok(answer
        .and_then(|answer| answer.user)
        .map(|user| Viewer { user, token }))
}

/// Who is signed in, and the token that is to take the place of the one in the cookie, now and then. A bearer token is
/// left as it is: its holder would not look for another.
pub async fn refreshed(headers: &HeaderMap, app: &App) -> Answer<Option<(User, Option<Session>)>> {
    let Some(token) = cookies::read(headers, cookies::SESSION).filter(|token| !token.is_empty()) else {
        return Ok(viewer(headers, app).await?.map(|viewer| (viewer.user, None)));
    };
    let request = RefreshSessionRequest {
        token: token.to_owned(),
    };
    let answer = alive(app.clients.auth().refresh_session(request).await)?;
    Ok(answer.and_then(|answer| Some((answer.user?, answer.renewed))))
}

/// `None` where the session is over.
fn alive<T>(answer: Result<tonic::Response<T>, tonic::Status>) -> Answer<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(status) => match Problem::from(status) {
            dead if dead.failure().kind == Kind::Unauthenticated => Ok(None),
            problem => Err(problem),
        },
    }
}

/// Somebody who runs the site, known by the operator token.
#[derive(Clone, Copy, Debug)]
pub struct Operator;

impl FromRequestParts<Arc<App>> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Answer<Self> {
        if tokens::carries(&parts.headers, &app.config.tokens.operator) {
            return Ok(Self);
        }
        Err(Problem::new(
            Kind::Unauthenticated,
            "UNAUTHENTICATED",
            "This call needs the operator token.",
        ))
    }
}
