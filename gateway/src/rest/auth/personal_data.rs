//! Export and erasure of a member's personal data.
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, SecondsFormat, Utc};
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, LOCATION, SET_COOKIE};
use http::{HeaderMap, StatusCode};
use kit::error::Kind;
use proto::analytics::v1 as analytics;
use proto::auth::v1 as accounts;
use proto::auth::v1::{ErasedService, Erasure, GetErasureRequest, RequestErasureRequest};
use proto::checkout::v1 as checkout;
use proto::export::v1::{AnalyticsExport, AuthExport, CheckoutExport, SessionsExport};
use proto::sessions::v1 as sessions;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::openapi::parameters::{NotSignedIn, StepUpRequired, Throttled};
use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::rest::auth::session;
use crate::rest::auth::sign_in_context::SignInContext;
use crate::rest::body::Json;
use crate::rest::viewer::{RecentViewer, Viewer, session_token};
use crate::state::AppState;

/// All data stored about a member, by service.
#[derive(Serialize, ToSchema)]
pub struct Export {
    #[schema(format = DateTime, value_type = String)]
    exported_at: String,
    #[schema(value_type = Object)]
    auth: AuthExport,
    #[schema(value_type = Object)]
    checkout: CheckoutExport,
    #[schema(value_type = Object)]
    analytics: AnalyticsExport,
    #[schema(value_type = Object)]
    sessions: SessionsExport,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ErasureConfirmation {
    /// Omitted if the account has no password.
    #[schema(example = "a quiet place", format = Password)]
    password: String,
}

/// The receipt of an erasure. Contains no personal data and grants no access.
#[derive(Serialize, ToSchema)]
pub struct ErasureReceipt {
    #[schema(example = "ers_0193…")]
    erasure_id: String,
    #[schema(example = "/api/account/erasures/ers_0193…")]
    receipt_url: String,
    /// `running` or `finished`.
    #[schema(example = "running")]
    state: String,
    #[schema(format = DateTime, value_type = String)]
    requested_at: Option<String>,
    #[schema(format = DateTime, value_type = String)]
    finished_at: Option<String>,
    services: Vec<ServiceErasure>,
}

#[derive(Serialize, ToSchema)]
pub struct ServiceErasure {
    #[schema(example = "checkout")]
    service: String,
    /// `waiting` or `erased`.
    #[schema(example = "erased")]
    state: String,
    #[schema(format = DateTime, value_type = String)]
    erased_at: Option<String>,
    /// Anonymised records that the law requires to be retained: `bookkeeping` is amounts, days, products and countries of
    /// sales.
    #[schema(example = json!(["bookkeeping"]))]
    kept: Vec<String>,
}

impl From<Erasure> for ErasureReceipt {
    fn from(erasure: Erasure) -> Self {
        Self {
            receipt_url: format!("/api/account/erasures/{}", erasure.erasure_id),
            erasure_id: erasure.erasure_id,
            state: erasure.state,
            requested_at: erasure.requested_at.and_then(session::rfc3339),
            finished_at: erasure.finished_at.and_then(session::rfc3339),
            services: erasure.services.into_iter().map(ServiceErasure::from).collect(),
        }
    }
}

impl From<ErasedService> for ServiceErasure {
    fn from(report: ErasedService) -> Self {
        Self {
            service: report.service,
            state: report.state,
            erased_at: report.erased_at.and_then(session::rfc3339),
            kept: report.kept,
        }
    }
}

/// All data stored about the member, as a file. Requires an authentication of the last ten minutes.
#[utoipa::path(
    get, path = "/api/account/export", tag = "auth",
    responses((status = 200, body = Export), NotSignedIn, StepUpRequired)
)]
pub async fn export(
    RecentViewer(viewer): RecentViewer,
    State(app): State<Arc<AppState>>,
) -> HandlerResult<Response> {
    let (auth, checkout, analytics, sessions) = futures::try_join!(
        export_auth(&app, &viewer),
        export_checkout(&app, &viewer),
        export_analytics(&app, &viewer),
        export_sessions(&app, &viewer),
    )?;
    let now: DateTime<Utc> = app.clock.now();
    let body = Export {
        exported_at: now.to_rfc3339_opts(SecondsFormat::Secs, true),
        auth,
        checkout,
        analytics,
        sessions,
    };
    let headers = [
        (CACHE_CONTROL, "no-store"),
        (CONTENT_DISPOSITION, "attachment; filename=\"stillpoint.json\""),
    ];
    Ok((headers, axum::Json(body)).into_response())
}

/// Deletes the account at once, ends all its sessions, and requests erasure from every service.
/// A repeat returns the same receipt.
#[utoipa::path(
    post, path = "/api/account/erasure", tag = "auth", security(("session" = [])), request_body = ErasureConfirmation,
    responses(
        (status = 202, body = ErasureReceipt),
        (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "WRONG_PASSWORD; STEP_UP_REQUIRED, with `methods`, without the password of a member without a second factor"),
        NotSignedIn, Throttled,
    )
)]
pub async fn request_erasure(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    context: SignInContext,
    Json(body): Json<ErasureConfirmation>,
) -> HandlerResult<Response> {
    // A repeat comes with an ended session and receives the same response.
    let token = session_token(&headers, &app).ok_or_else(Problem::not_signed_in)?;
    let request = RequestErasureRequest {
        token: token.to_owned(),
        password: body.password,
        caller: Some(context.caller),
    };
    let answer = app.clients.auth().request_erasure(request).await;
    let answer = answer.map_err(|status| refusal(status, viewer.as_ref()))?;
    let erasure = answer.into_inner().erasure;
    let receipt = ErasureReceipt::from(erasure.ok_or_else(session::incomplete_response)?);
    let headers = [
        (CACHE_CONTROL, "no-store".to_owned()),
        (LOCATION, receipt.receipt_url.clone()),
    ];
    let over = [(SET_COOKIE, app.session_cookie.clear())];
    Ok((StatusCode::ACCEPTED, headers, over, axum::Json(receipt)).into_response())
}

/// The receipt of an erasure by its id. Requires no session.
#[utoipa::path(
    get, path = "/api/account/erasures/{id}", tag = "auth",
    params(("id" = String, Path, description = "From the response of the erasure request")),
    responses(
        (status = 200, body = ErasureReceipt),
        (status = 404, body = ProblemBody, content_type = "application/problem+json", description = "UNKNOWN_ERASURE"),
    )
)]
pub async fn receipt(State(app): State<Arc<AppState>>, Path(id): Path<String>) -> HandlerResult<Response> {
    let request = GetErasureRequest { erasure_id: id };
    let answer = app.clients.auth().get_erasure(request).await?.into_inner();
    let receipt = ErasureReceipt::from(answer.erasure.ok_or_else(session::incomplete_response)?);
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(receipt)).into_response())
}

fn refusal(status: tonic::Status, viewer: Option<&Viewer>) -> Problem {
    let problem = Problem::from(status);
    match viewer {
        None if problem.failure().kind == Kind::Unauthenticated => Problem::not_signed_in(),
        _ => problem,
    }
}

async fn export_auth(app: &AppState, viewer: &Viewer) -> HandlerResult<AuthExport> {
    let request = accounts::ExportMemberRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    let answer = app.clients.auth().export_member(request).await?;
    answer
        .into_inner()
        .export
        .ok_or_else(session::incomplete_response)
}

async fn export_checkout(app: &AppState, viewer: &Viewer) -> HandlerResult<CheckoutExport> {
    let user_id = viewer.user.user_id.clone();
    let request = checkout::ExportMemberRequest { user_id };
    let answer = app.clients.checkout().export_member(request).await?;
    answer
        .into_inner()
        .export
        .ok_or_else(session::incomplete_response)
}

async fn export_analytics(app: &AppState, viewer: &Viewer) -> HandlerResult<AnalyticsExport> {
    let user_id = viewer.user.user_id.clone();
    let request = analytics::ExportMemberRequest { user_id };
    let mut parts = app.clients.analytics().export_member(request).await?.into_inner();
    let mut whole = AnalyticsExport::default();
    while let Some(part) = parts.message().await? {
        whole.events.extend(part.export.unwrap_or_default().events);
    }
    Ok(whole)
}

async fn export_sessions(app: &AppState, viewer: &Viewer) -> HandlerResult<SessionsExport> {
    let user_id = viewer.user.user_id.clone();
    let request = sessions::ExportMemberRequest { user_id };
    let answer = app.clients.sessions().export_member(request).await?;
    answer
        .into_inner()
        .export
        .ok_or_else(session::incomplete_response)
}
