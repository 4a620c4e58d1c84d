//! `/sandbox/`: a page with the clock, objects, requests and faults.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::header,
    response::{Html, IntoResponse},
};
use serde_json::{Value, json};

use crate::{
    engine::indexed_store::IndexedStore,
    simulators::Simulators,
    stripe::{object_kind::Kind, state::id_of},
};

const RECENT: usize = 8;

pub async fn page() -> Html<&'static str> {
    Html(include_str!("page.html"))
}

pub async fn script() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")],
        include_str!("page.js"),
    )
}

/// How many objects of each kind there are, and the newest of them.
pub async fn overview(State(simulators): State<Arc<Simulators>>) -> Json<Value> {
    let mut kinds = stripe(&simulators);
    kinds.extend(
        other_providers(&simulators)
            .into_iter()
            .filter(|kind| kind["count"] != 0),
    );
    Json(json!({ "kinds": kinds }))
}

fn stripe(simulators: &Simulators) -> Vec<Value> {
    let state = simulators.stripe.state();
    let kinds = Kind::ALL.into_iter().filter(|kind| state.count(*kind) > 0);
    let rows = kinds.map(|kind| {
        let newest: Vec<_> = state.newest_first(kind, None).take(RECENT).map(summary).collect();
        json!({ "kind": kind.name(), "count": state.count(kind), "newest": newest })
    });
    rows.collect()
}

fn other_providers(simulators: &Simulators) -> [Value; 6] {
    let (paypal, yookassa, platron) = (
        simulators.paypal.state(),
        simulators.yookassa.state(),
        simulators.platron.state(),
    );
    [
        row("PayPal subscription", &paypal.subscriptions, |object| {
            (&object.id, json!(object.status))
        }),
        row("PayPal sale", &paypal.sales, |object| {
            (&object.id, json!(object.state))
        }),
        row("YooKassa payment", &yookassa.payments, |object| {
            (&object.id, json!(object.status))
        }),
        row("YooKassa refund", &yookassa.refunds, |object| {
            (&object.id, Value::Null)
        }),
        row("Platron payment", &platron.payments, |object| {
            (&object.id, json!(object.status))
        }),
        row("Platron profile", &platron.profiles, |object| {
            (&object.id, Value::Null)
        }),
    ]
}

fn row<T>(kind: &str, store: &IndexedStore<T>, summary: impl Fn(&T) -> (&String, Value)) -> Value {
    let newest = store.newest_first().take(RECENT).map(|object| {
        let (id, about) = summary(object);
        json!({ "id": id, "about": about })
    });
    json!({ "kind": kind, "count": store.len(), "newest": newest.collect::<Vec<_>>() })
}

fn summary(object: &Value) -> Value {
    let fields = ["status", "type", "email", "name", "lookup_key"];
    let about = fields.into_iter().find_map(|name| object[name].as_str());
    json!({ "id": id_of(object), "about": about, "created": object["created"] })
}
