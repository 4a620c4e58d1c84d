//! Proofs of identity: a handler that takes one of these cannot run without it.
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::HeaderMap;
use http::request::Parts;
use kit::error::Kind;
use proto::auth::v1::{AuthenticateRequest, User};

use crate::app::App;
use crate::error::{Answer, Problem};
use crate::security::{cookies, tokens};

/// Somebody whose session is alive.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub user: User,
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
    match app.clients.auth().authenticate(request).await {
        Ok(answer) => Ok(answer.into_inner().user.map(|user| Viewer { user })),
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
