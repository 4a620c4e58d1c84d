//! Where a parameter of an address may lead, for pages that no other answer tells.
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use kit::error::Kind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::config::Site;
use crate::error::{Answer, Problem, ProblemBody};
use crate::security::redirects::{Parameter, Redirects};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wish {
    #[param(inline)]
    parameter: Named,
    /// What stands in the address.
    #[param(example = "/en/payment/annual/")]
    to: String,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
pub enum Named {
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
pub struct Decision {
    /// Null: nowhere. Go where the page would have gone without the parameter.
    #[schema(example = "/en/payment/annual/")]
    to: Option<String>,
}

/// Where a redirect parameter leads.
#[utoipa::path(
    get, path = "/api/redirects", tag = "meta", params(Wish),
    responses(
        (status = 200, body = Decision),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED: parameter, to"),
    )
)]
pub async fn redirect(
    State(app): State<Arc<App>>,
    wish: Result<Query<Wish>, QueryRejection>,
) -> Answer<Response> {
    let Query(wish) = wish.map_err(|_| unreadable())?;
    let redirects = &app.config.redirects;
    let to = match wish.parameter {
        Named::RedirectPage | Named::NextPage => redirects.lead(Parameter::Page, &wish.to),
        Named::SoulRedirectionUrl => redirects.lead(Parameter::Elsewhere, &wish.to),
        Named::Url => ours(redirects, &app.config.site, &wish.to)
            .or_else(|| redirects.lead(Parameter::Elsewhere, &wish.to)),
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(Decision { to })).into_response())
}

/// A gift's link names this site in full.
fn ours(redirects: &Redirects, site: &Site, wanted: &str) -> Option<String> {
    let page = wanted.strip_prefix(site.origin())?;
    let page = redirects.lead(Parameter::Page, page)?;
    Some(format!("{}{page}", site.origin()))
}

fn unreadable() -> Problem {
    Problem::new(Kind::Invalid, "VALIDATION_FAILED", "The wish cannot be read.").field(
        "parameter",
        "INVALID",
        "Name the parameter, and send its value as to.",
    )
}
