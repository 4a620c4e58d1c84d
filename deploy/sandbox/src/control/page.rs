//! `/sandbox/`: one page that shows the clock, the objects, the requests and the faults.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::header,
    response::{Html, IntoResponse},
};
use serde_json::{Value, json};

use crate::{
    stripe::{books::id_of, kinds::Kind},
    world::World,
};

const RECENT: usize = 8;

pub async fn show() -> Html<&'static str> {
    Html(include_str!("page.html"))
}

pub async fn script() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")],
        include_str!("page.js"),
    )
}

/// How many objects of each kind there are, and the newest of them.
pub async fn overview(State(world): State<Arc<World>>) -> Json<Value> {
    let books = world.twin.books();
    let kinds = Kind::ALL
        .into_iter()
        .filter(|kind| books.count(*kind) > 0)
        .map(|kind| {
            let newest: Vec<_> = books.newest_first(kind, None).take(RECENT).map(summary).collect();
            json!({ "kind": kind.name(), "count": books.count(kind), "newest": newest })
        });
    Json(json!({ "kinds": kinds.collect::<Vec<_>>() }))
}

fn summary(object: &Value) -> Value {
    let told = ["status", "type", "email", "name", "lookup_key"];
    let about = told.into_iter().find_map(|name| object[name].as_str());
    json!({ "id": id_of(object), "about": about, "created": object["created"] })
}
