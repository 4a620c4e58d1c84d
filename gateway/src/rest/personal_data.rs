//! What a member may ask of us by law: everything kept of them, and that it be erased.
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

use crate::app::App;
use crate::error::{Answer, Problem, ProblemBody};
use crate::rest::arrival::Arrival;
use crate::rest::auth;
use crate::rest::body::Json;
use crate::rest::described::{NotSignedIn, Throttled};
use crate::security::viewer::{Viewer, session_token};

/// Everything kept of a member, by the service that keeps it.
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
pub struct Farewell {
    /// Left out by a member who has none.
    #[schema(example = "a quiet place", format = Password)]
    password: String,
}

/// Nothing in it is personal, and whoever has it can do nothing with it.
#[derive(Serialize, ToSchema)]
pub struct LeavingReceipt {
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
    services: Vec<ServiceReceipt>,
}

#[derive(Serialize, ToSchema)]
pub struct ServiceReceipt {
    #[schema(example = "checkout")]
    service: String,
    /// `waiting` or `erased`.
    #[schema(example = "erased")]
    state: String,
    #[schema(format = DateTime, value_type = String)]
    erased_at: Option<String>,
    /// What the law makes us keep, without a person: `bookkeeping` is amounts, days, products and countries of sales.
    #[schema(example = json!(["bookkeeping"]))]
    kept: Vec<String>,
}

impl From<Erasure> for LeavingReceipt {
    fn from(erasure: Erasure) -> Self {
        Self {
            receipt_url: format!("/api/account/erasures/{}", erasure.erasure_id),
            erasure_id: erasure.erasure_id,
            state: erasure.state,
            requested_at: erasure.requested_at.and_then(auth::rfc3339),
            finished_at: erasure.finished_at.and_then(auth::rfc3339),
            services: erasure.services.into_iter().map(ServiceReceipt::from).collect(),
        }
    }
}

impl From<ErasedService> for ServiceReceipt {
    fn from(report: ErasedService) -> Self {
        Self {
            service: report.service,
            state: report.state,
            erased_at: report.erased_at.and_then(auth::rfc3339),
            kept: report.kept,
        }
    }
}

/// Everything kept of the member, as a file.
#[utoipa::path(
    get, path = "/api/account/export", tag = "auth",
    responses((status = 200, body = Export), NotSignedIn)
)]
pub async fn export(viewer: Viewer, State(app): State<Arc<App>>) -> Answer<Response> {
    let (auth, checkout, analytics, sessions) = futures::try_join!(
        of_auth(&app, &viewer),
        of_checkout(&app, &viewer),
        of_analytics(&app, &viewer),
        of_sessions(&app, &viewer),
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

/// Deletes the account at once, ends all its sessions, and has every service erase what it keeps. A repeat is answered alike.
#[utoipa::path(
    post, path = "/api/account/erasure", tag = "auth", security(("session" = [])), request_body = Farewell,
    responses(
        (status = 202, body = LeavingReceipt),
        (status = 403, body = ProblemBody, content_type = "application/problem+json", description = "WRONG_PASSWORD; RECENT_SIGN_IN_REQUIRED for a member without a password"),
        NotSignedIn, Throttled,
    )
)]
pub async fn request_erasure(
    viewer: Option<Viewer>,
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    arrival: Arrival,
    Json(body): Json<Farewell>,
) -> Answer<Response> {
    // The session of a repeat is over, and it must hear the same all the same.
    let token = session_token(&headers, &app).ok_or_else(Problem::not_signed_in)?;
    let request = RequestErasureRequest {
        token: token.to_owned(),
        password: body.password,
        caller: Some(arrival.caller),
    };
    let answer = app.clients.auth().request_erasure(request).await;
    let answer = answer.map_err(|status| refusal(status, viewer.as_ref()))?;
    let erasure = answer.into_inner().erasure;
    let receipt = LeavingReceipt::from(erasure.ok_or_else(auth::incomplete)?);
    let headers = [
        (CACHE_CONTROL, "no-store".to_owned()),
        (LOCATION, receipt.receipt_url.clone()),
    ];
    let over = [(SET_COOKIE, app.session_cookie.clear())];
    Ok((StatusCode::ACCEPTED, headers, over, axum::Json(receipt)).into_response())
}

/// The receipt of an erasure, for whoever knows its id: there is no account any more to sign in to.
#[utoipa::path(
    get, path = "/api/account/erasures/{id}", tag = "auth",
    params(("id" = String, Path, description = "From the answer to the request")),
    responses(
        (status = 200, body = LeavingReceipt),
        (status = 404, body = ProblemBody, content_type = "application/problem+json", description = "UNKNOWN_ERASURE"),
    )
)]
pub async fn receipt(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer<Response> {
    let request = GetErasureRequest { erasure_id: id };
    let answer = app.clients.auth().get_erasure(request).await?.into_inner();
    let receipt = LeavingReceipt::from(answer.erasure.ok_or_else(auth::incomplete)?);
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(receipt)).into_response())
}

fn refusal(status: tonic::Status, viewer: Option<&Viewer>) -> Problem {
    let problem = Problem::from(status);
    match viewer {
        None if problem.failure().kind == Kind::Unauthenticated => Problem::not_signed_in(),
        _ => problem,
    }
}

async fn of_auth(app: &App, viewer: &Viewer) -> Answer<AuthExport> {
    let request = accounts::ExportMemberRequest {
        token: viewer.token.expose_secret().to_owned(),
    };
    let answer = app.clients.auth().export_member(request).await?;
    answer.into_inner().export.ok_or_else(auth::incomplete)
}

async fn of_checkout(app: &App, viewer: &Viewer) -> Answer<CheckoutExport> {
    let user_id = viewer.user.user_id.clone();
    let request = checkout::ExportMemberRequest { user_id };
    let answer = app.clients.checkout().export_member(request).await?;
    answer.into_inner().export.ok_or_else(auth::incomplete)
}

async fn of_analytics(app: &App, viewer: &Viewer) -> Answer<AnalyticsExport> {
    let user_id = viewer.user.user_id.clone();
    let request = analytics::ExportMemberRequest { user_id };
    let mut parts = app.clients.analytics().export_member(request).await?.into_inner();
    let mut whole = AnalyticsExport::default();
    while let Some(part) = parts.message().await? {
        whole.events.extend(part.export.unwrap_or_default().events);
    }
    Ok(whole)
}

async fn of_sessions(app: &App, viewer: &Viewer) -> Answer<SessionsExport> {
    let user_id = viewer.user.user_id.clone();
    let request = sessions::ExportMemberRequest { user_id };
    let answer = app.clients.sessions().export_member(request).await?;
    answer.into_inner().export.ok_or_else(auth::incomplete)
}
