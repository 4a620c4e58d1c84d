//! What a member has paid once.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::header::CACHE_CONTROL;
use kit::money::Money;
use proto::checkout::v1 as wire;
use proto::checkout::v1::ListPurchasesRequest;
use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

use crate::protocol::error::{HandlerResult, ProblemBody};
use crate::rest::checkout::subscriptions::{Receipt, money, provider_name, time};
use crate::rest::viewer::Viewer;
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub struct Purchases {
    purchases: Vec<Purchase>,
}

#[derive(Serialize, ToSchema)]
pub struct Purchase {
    #[schema(example = "ord_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    order_id: String,
    /// `one_time`, `gift`, `addition`, `lifetime` or `trial`.
    #[schema(example = "lifetime")]
    kind: String,
    #[schema(example = "premium")]
    product: String,
    /// In major units.
    #[schema(value_type = Option<f64>, example = 199.99)]
    price: Option<Number>,
    #[schema(example = "USD")]
    currency: Option<String>,
    /// Who took the money: `stripe`, `paypal`, `yookassa` or `platron`.
    #[schema(example = "stripe")]
    provider: &'static str,
    paid_at: Option<DateTime<Utc>>,
    /// What of it was given back, in the same currency; null: nothing.
    #[schema(value_type = Option<f64>, example = 10.0)]
    refunded: Option<Number>,
    receipts: Vec<Receipt>,
}

/// What the member has paid once, newest first, with receipts. Subscriptions are in `GET /api/subscriptions`.
#[utoipa::path(
    get, path = "/api/purchases", tag = "checkout", security(("session" = [])),
    responses(
        (status = 200, body = Purchases),
        (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_purchases(viewer: Viewer, State(app): State<Arc<AppState>>) -> HandlerResult<Response> {
    let request = ListPurchasesRequest {
        user_id: viewer.user.user_id,
    };
    let answer = app.clients.checkout().list_purchases(request).await?.into_inner();
    let purchases = answer.purchases.into_iter().map(Purchase::from).collect();
    Ok(([(CACHE_CONTROL, "no-store")], Json(Purchases { purchases })).into_response())
}

impl From<wire::Purchase> for Purchase {
    fn from(purchase: wire::Purchase) -> Self {
        let provider = provider_name(purchase.provider());
        let price = money(purchase.price);
        Self {
            order_id: purchase.order_id,
            kind: purchase.kind,
            product: purchase.product,
            price: price.map(Money::major_number),
            currency: price.map(|price| price.currency.code().to_owned()),
            provider,
            paid_at: time(purchase.paid_at),
            refunded: money(purchase.refunded).map(Money::major_number),
            receipts: purchase.receipts.into_iter().map(Receipt::from).collect(),
        }
    }
}
