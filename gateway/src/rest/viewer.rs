//! Proofs of identity: a handler that takes one of these cannot run without it.
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::HeaderMap;
use http::Method;
use http::request::Parts;
use kit::error::{ErrorCode, Kind};
use proto::auth::v1::{AuthenticateRequest, RefreshSessionRequest, Session, User};
use secrecy::SecretString;

use crate::protocol::error::{HandlerResult, METHODS, Problem};
use crate::security::tokens;
use crate::state::AppState;

/// A member with a live session. An access token is accepted only by calls that read: apps and widgets hold it, and it
/// must not cancel, pay or change an account.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub user: User,
    pub token: SecretString,
    authentication: Authentication,
}

/// How the member of a session is authenticated, as auth decided.
#[derive(Clone, Debug)]
struct Authentication {
    is_recent: bool,
    step_up_methods: Vec<String>,
    roles: Vec<String>,
    second_factor_missing: bool,
}

/// A member who has authenticated within the last minutes, by session: for calls that could take an account over or along.
#[derive(Clone, Debug)]
pub struct RecentViewer(pub Viewer);

/// A role beyond member, granted by an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "for endpoints of coaches and companies")]
pub enum Role {
    Coach,
    CompanyAdministrator,
    Operator,
}

impl Role {
    fn as_str(self) -> &'static str {
        match self {
            Self::Coach => "coach",
            Self::CompanyAdministrator => "company_administrator",
            Self::Operator => "operator",
        }
    }
}

impl Viewer {
    pub fn require_recent(&self) -> HandlerResult<()> {
        if self.authentication.is_recent {
            return Ok(());
        }
        let problem = Problem::new(
            Kind::Forbidden,
            ErrorCode::StepUpRequired,
            "Confirm that it is you first: your sign-in was too long ago.",
        );
        Err(problem.detail(METHODS, self.authentication.step_up_methods.join(",")))
    }
}

/// The session may use the role: it is granted, and the second factor has verified the session.
#[allow(dead_code, reason = "for endpoints of coaches and companies")]
pub fn require_role(viewer: &Viewer, role: Role) -> HandlerResult<()> {
    let authentication = &viewer.authentication;
    if authentication
        .roles
        .iter()
        .any(|granted| granted == role.as_str())
    {
        return Ok(());
    }
    let (code, message) = if authentication.second_factor_missing {
        (
            ErrorCode::SecondFactorRequired,
            "Sign in with your second factor to use your role.",
        )
    } else {
        (
            ErrorCode::RoleRequired,
            "Your account does not have the role for this.",
        )
    };
    Err(Problem::new(Kind::Forbidden, code, message))
}

/// The same, for a call that changes nothing or is specified for access tokens, whatever its method.
#[derive(Clone, Debug)]
pub struct Bearer(pub Viewer);

/// The same, for a call that writes by GET and is not specified for access tokens.
#[derive(Clone, Debug)]
pub struct SessionViewer(pub Viewer);

/// The session token a request brings, dead or alive.
pub fn session_token<'h>(headers: &'h HeaderMap, app: &AppState) -> Option<&'h str> {
    app.session_cookie
        .session(headers)
        .or_else(|| tokens::bearer(headers).filter(|token| !token.is_empty()))
}

impl FromRequestParts<Arc<AppState>> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> HandlerResult<Self> {
        let known = authenticate(&parts.headers, app).await?;
        let known = known.ok_or_else(Problem::not_signed_in)?;
        if known.may_call(&parts.method) {
            return Ok(known.viewer);
        }
        Err(session_required())
    }
}

impl FromRequestParts<Arc<AppState>> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> HandlerResult<Self> {
        let known = authenticate(&parts.headers, app).await?;
        known
            .map(|known| Self(known.viewer))
            .ok_or_else(Problem::not_signed_in)
    }
}

impl FromRequestParts<Arc<AppState>> for SessionViewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> HandlerResult<Self> {
        let known = authenticate(&parts.headers, app).await?;
        let known = known.ok_or_else(Problem::not_signed_in)?;
        if known.by_access_token {
            return Err(session_required());
        }
        Ok(Self(known.viewer))
    }
}

impl FromRequestParts<Arc<AppState>> for RecentViewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> HandlerResult<Self> {
        let SessionViewer(viewer) = SessionViewer::from_request_parts(parts, app).await?;
        viewer.require_recent()?;
        Ok(Self(viewer))
    }
}

/// `None` for a visitor, for an expired session, and for an access token where it grants nothing.
impl OptionalFromRequestParts<Arc<AppState>> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> HandlerResult<Option<Self>> {
        let known = authenticate(&parts.headers, app).await?;
        Ok(known
            .filter(|known| known.may_call(&parts.method))
            .map(|known| known.viewer))
    }
}

struct Authenticated {
    viewer: Viewer,
    by_access_token: bool,
}

impl Authenticated {
    fn may_call(&self, method: &Method) -> bool {
        !self.by_access_token || method.is_safe()
    }
}

fn session_required() -> Problem {
    Problem::new(
        Kind::Forbidden,
        ErrorCode::SessionRequired,
        "An access token does not open this call. Use the session.",
    )
}

async fn authenticate(headers: &HeaderMap, app: &AppState) -> HandlerResult<Option<Authenticated>> {
    let Some(token) = session_token(headers, app) else {
        return Ok(None);
    };
    let request = AuthenticateRequest {
        token: token.to_owned(),
    };
    let answer = unless_expired(app.clients.auth().authenticate(request).await)?;
    let token = SecretString::from(token);
    Ok(answer.and_then(|answer| {
        Some(Authenticated {
            viewer: Viewer {
                user: answer.user?,
                token,
                authentication: Authentication {
                    is_recent: answer.is_recently_authenticated,
                    step_up_methods: answer.step_up_methods,
                    roles: answer.roles,
                    second_factor_missing: answer.second_factor_missing,
                },
            },
            by_access_token: answer.by_access_token,
        })
    }))
}

/// Who is signed in, and the token that is to take the place of the one in the cookie, now and then. A bearer token is
/// left as it is: its holder would not look for another.
pub async fn refreshed(
    headers: &HeaderMap,
    app: &AppState,
) -> HandlerResult<Option<(User, Option<Session>)>> {
    let Some(token) = app.session_cookie.session(headers) else {
        let known = authenticate(headers, app).await?;
        return Ok(known.map(|known| (known.viewer.user, None)));
    };
    let request = RefreshSessionRequest {
        token: token.to_owned(),
    };
    let answer = unless_expired(app.clients.auth().refresh_session(request).await)?;
    Ok(answer.and_then(|answer| Some((answer.user?, answer.renewed))))
}

/// `None` where the session is over.
fn unless_expired<T>(answer: Result<tonic::Response<T>, tonic::Status>) -> HandlerResult<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(status) => match Problem::from(status) {
            dead if dead.failure().kind == Kind::Unauthenticated => Ok(None),
            problem => Err(problem),
        },
    }
}

/// An operator, identified by the operator token.
#[derive(Clone, Copy, Debug)]
pub struct Operator;

impl FromRequestParts<Arc<AppState>> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> HandlerResult<Self> {
        let client = app.limits.client_of(&parts.headers, &parts.extensions);
        app.limits.tokens.check(client)?;
        if tokens::carries(&parts.headers, &app.config.tokens.operator) {
            return Ok(Self);
        }
        if tokens::bearer(&parts.headers).is_some() {
            app.limits.tokens.count_wrong(client);
        }
        Err(Problem::new(
            Kind::Unauthenticated,
            ErrorCode::Unauthenticated,
            "This call needs the operator token.",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(roles: &[&str], second_factor_missing: bool) -> Viewer {
        Viewer {
            user: User::default(),
            token: SecretString::from("token"),
            authentication: Authentication {
                is_recent: false,
                step_up_methods: vec!["password".to_owned(), "code".to_owned()],
                roles: roles.iter().map(|&role| role.to_owned()).collect(),
                second_factor_missing,
            },
        }
    }

    fn code(refused: HandlerResult<()>) -> String {
        refused.unwrap_err().failure().code.clone()
    }

    #[test]
    fn a_role_is_required_by_its_name() {
        let operator = viewer(&["operator"], false);
        assert!(require_role(&operator, Role::Operator).is_ok());
        for other in [Role::Coach, Role::CompanyAdministrator] {
            assert_eq!(code(require_role(&operator, other)), "ROLE_REQUIRED");
        }
        let unverified = viewer(&[], true);
        assert_eq!(
            code(require_role(&unverified, Role::Operator)),
            "SECOND_FACTOR_REQUIRED"
        );
    }

    #[test]
    fn a_step_up_names_its_methods() {
        let refused = viewer(&[], false).require_recent().unwrap_err();
        assert_eq!(refused.failure().details[METHODS], "password,code");
    }
}
