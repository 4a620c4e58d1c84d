//! `/sandbox/mails` for tests, `/sandbox/inbox/` for people.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{Html, IntoResponse},
};
use serde::{Deserialize, Serialize};

use super::Mail;
use crate::{control::problem::Problem, world::World};

#[derive(Deserialize)]
pub struct Filter {
    to: Option<String>,
}

#[derive(Serialize)]
pub struct Mails {
    mails: Vec<Mail>,
}

/// Newest first.
pub async fn list(State(world): State<Arc<World>>, Query(filter): Query<Filter>) -> Json<Mails> {
    let all = world.inbox.list().into_iter().rev();
    let mails = all.filter(|mail| filter.to.as_deref().is_none_or(|to| mail.is_for(to)));
    Json(Mails {
        mails: mails.collect(),
    })
}

pub async fn clear(State(world): State<Arc<World>>, Query(filter): Query<Filter>) -> StatusCode {
    world.inbox.clear(filter.to.as_deref());
    StatusCode::NO_CONTENT
}

/// As a mail program shows it: without scripts, and links open elsewhere.
pub async fn html(
    State(world): State<Arc<World>>,
    Path(id): Path<u64>,
) -> Result<impl IntoResponse, Problem> {
    let mail = world
        .inbox
        .find(id)
        .ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, format!("there is no mail {id}")))?;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    let html = mail
        .content
        .html
        .replacen("<head>", "<head><base target=\"_blank\">", 1);
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(html)))
}

pub async fn page() -> Html<&'static str> {
    Html(include_str!("inbox.html"))
}

pub async fn script() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")],
        include_str!("inbox.js"),
    )
}
