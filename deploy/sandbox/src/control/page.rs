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
    shelf::Shelf,
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
    let mut kinds = stripe(&world);
    kinds.extend(others(&world).into_iter().filter(|kind| kind["count"] != 0));
    Json(json!({ "kinds": kinds }))
}

fn stripe(world: &World) -> Vec<Value> {
    let books = world.twin.books();
    let kinds = Kind::ALL.into_iter().filter(|kind| books.count(*kind) > 0);
    let rows = kinds.map(|kind| {
        let newest: Vec<_> = books.newest_first(kind, None).take(RECENT).map(summary).collect();
        json!({ "kind": kind.name(), "count": books.count(kind), "newest": newest })
    });
    rows.collect()
}

fn others(world: &World) -> [Value; 6] {
    let (paypal, yookassa, platron) = (
        world.paypal.books(),
        world.yookassa.books(),
        world.platron.books(),
    );
    [
        row("PayPal subscription", &paypal.subscriptions, |one| {
            (&one.id, json!(one.status))
        }),
        row("PayPal sale", &paypal.sales, |one| (&one.id, json!(one.state))),
        row("YooKassa payment", &yookassa.payments, |one| {
            (&one.id, json!(one.status))
        }),
        row("YooKassa refund", &yookassa.refunds, |one| (&one.id, Value::Null)),
        row("Platron payment", &platron.payments, |one| {
            (&one.id, json!(one.status))
        }),
        row("Platron profile", &platron.profiles, |one| (&one.id, Value::Null)),
    ]
}

fn row<T>(kind: &str, shelf: &Shelf<T>, summary: impl Fn(&T) -> (&String, Value)) -> Value {
    let newest = shelf.newest_first().take(RECENT).map(|one| {
        let (id, about) = summary(one);
        json!({ "id": id, "about": about })
    });
    json!({ "kind": kind, "count": shelf.len(), "newest": newest.collect::<Vec<_>>() })
}

fn summary(object: &Value) -> Value {
    let told = ["status", "type", "email", "name", "lookup_key"];
    let about = told.into_iter().find_map(|name| object[name].as_str());
    json!({ "id": id_of(object), "about": about, "created": object["created"] })
}
