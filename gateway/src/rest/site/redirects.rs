//! Resolves a redirect parameter for pages that make no other call.
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use blocks::Locale;
use http::header::CACHE_CONTROL;
use kit::error::{ErrorCode, Kind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::security::redirects::{Parameter, Redirects};
use crate::security::site::Site;
use crate::state::AppState;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RedirectQuery {
    #[param(inline)]
    parameter: RedirectParameter,
    /// The value of the URL parameter.
    #[param(example = "/en/payment/annual/")]
    to: String,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
pub enum RedirectParameter {
    #[serde(rename = "redirectPage")]
    RedirectPage,
    #[serde(rename = "nextPage")]
    NextPage,
    #[serde(rename = "soul_redirection_url")]
    SoulRedirectionUrl,
    #[serde(rename = "url")]
    Url,
}

#[derive(Serialize, ToSchema)]
pub struct RedirectTarget {
    /// Null: nowhere. Go where the page would have gone without the parameter.
    #[schema(example = "/en/payment/annual/")]
    to: Option<String>,
}

/// Where a redirect parameter leads.
#[utoipa::path(
    get, path = "/api/redirects", tag = "meta", params(RedirectQuery),
    responses(
        (status = 200, body = RedirectTarget),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: parameter, to"),
    )
)]
pub async fn redirect(
    State(app): State<Arc<AppState>>,
    query: Result<Query<RedirectQuery>, QueryRejection>,
) -> HandlerResult<Response> {
    let Query(query) = query.map_err(|_| invalid_query())?;
    let redirects = &app.config.redirects;
    let to = match query.parameter {
        RedirectParameter::RedirectPage | RedirectParameter::NextPage => {
            redirects.resolve(Parameter::Page, &query.to)
        }
        RedirectParameter::SoulRedirectionUrl => redirects.resolve(Parameter::External, &query.to),
        RedirectParameter::Url => gift_page(redirects, &app.config.site, &query.to)
            .or_else(|| redirects.resolve(Parameter::External, &query.to)),
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(RedirectTarget { to })).into_response())
}

/// The page of a gift on this site, named in full. Other pages are refused: the link is copied and sent to a friend.
fn gift_page(redirects: &Redirects, site: &Site, wanted: &str) -> Option<String> {
    let page = wanted.strip_prefix(site.origin())?;
    let page = redirects.resolve(Parameter::Page, page)?;
    is_gift(&page).then(|| format!("{}{page}", site.origin()))
}

/// `/gift/{id}`, with or without a locale before it.
fn is_gift(page: &str) -> bool {
    let path = page.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split('/').filter(|segment| !segment.is_empty()).peekable();
    segments.next_if(|segment| segment.parse::<Locale>().is_ok());
    segments.next() == Some("gift") && segments.next().is_some()
}

fn invalid_query() -> Problem {
    Problem::new(
        Kind::Invalid,
        ErrorCode::ValidationFailed,
        "The parameter cannot be read.",
    )
    .field(
        "parameter",
        ErrorCode::Invalid,
        "Name the parameter, and send its value as to.",
    )
}
