//! The inbox over HTTP: `/sandbox/mails` for tests, `/sandbox/inbox/` for people.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{StatusCode, header},
    response::{Html, IntoResponse},
    routing::get,
};
use serde::{Deserialize, Serialize};

use super::inbox::{Inbox, Mail};
use crate::engine::http::problem::Problem;

pub fn routes(inbox: Arc<Inbox>) -> Router {
    Router::new()
        .route("/sandbox/inbox/", get(page))
        .route("/sandbox/inbox/inbox.js", get(script))
        .route("/sandbox/mails", get(list).delete(clear))
        .route("/sandbox/mails/{id}/html", get(html))
        .with_state(inbox)
}

#[derive(Deserialize)]
struct Filter {
    to: Option<String>,
}

#[derive(Serialize)]
struct Mails {
    mails: Vec<Mail>,
}

/// Newest first.
async fn list(State(inbox): State<Arc<Inbox>>, Query(filter): Query<Filter>) -> Json<Mails> {
    let all = inbox.list().into_iter().rev();
    let mails = all.filter(|mail| filter.to.as_deref().is_none_or(|to| mail.is_for(to)));
    Json(Mails {
        mails: mails.collect(),
    })
}

async fn clear(State(inbox): State<Arc<Inbox>>, Query(filter): Query<Filter>) -> StatusCode {
    inbox.clear(filter.to.as_deref());
    StatusCode::NO_CONTENT
}

/// A mail's HTML as a mail program shows it: without scripts; links open in a new tab.
async fn html(State(inbox): State<Arc<Inbox>>, Path(id): Path<u64>) -> Result<impl IntoResponse, Problem> {
    let mail = inbox
        .find(id)
        .ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, format!("there is no mail {id}")))?;
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    let html = mail
        .content
        .html
        .replacen("<head>", "<head><base target=\"_blank\">", 1);
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(html)))
}

async fn page() -> Html<&'static str> {
    Html(include_str!("inbox.html"))
}

async fn script() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")],
        include_str!("inbox.js"),
    )
}
