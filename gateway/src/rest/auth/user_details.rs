//! The signed-in user for the embedded chat.
use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use http::header::CACHE_CONTROL;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::openapi::parameters::NotSignedIn;
use crate::protocol::locale;
use crate::rest::auth::session::Person;
use crate::rest::viewer::Viewer;

#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct LocaleQuery {
    /// The page's locale. Unsupported or absent: the browser's language
    #[param(example = "tr")]
    locale: Option<String>,
}

/// Fields with two spellings among the callers have both.
#[derive(Serialize, ToSchema)]
pub struct UserDetails {
    #[serde(flatten)]
    user: Person,
    #[serde(rename = "userID")]
    user_id: String,
    coachingready: bool,
    istherapyuser: bool,
    #[schema(example = "tr")]
    locale: &'static str,
}

/// The user of the session or of the access token.
#[utoipa::path(
    get, path = "/api/users/details", tag = "auth", params(LocaleQuery),
    responses(
        (status = 200, body = UserDetails),
        NotSignedIn,
    )
)]
pub async fn user_details(
    viewer: Viewer,
    headers: HeaderMap,
    spoken: Result<Query<LocaleQuery>, QueryRejection>,
) -> Response {
    let asked = spoken
        .ok()
        .and_then(|Query(spoken)| locale::supported(&spoken.locale?));
    let details = UserDetails {
        user_id: viewer.user.user_id.clone(),
        coachingready: viewer.user.is_coaching_user,
        istherapyuser: viewer.user.is_therapy_user,
        user: viewer.user.into(),
        locale: asked.unwrap_or_else(|| locale::negotiate(&headers)).code(),
    };
    ([(CACHE_CONTROL, "no-store")], axum::Json(details)).into_response()
}
