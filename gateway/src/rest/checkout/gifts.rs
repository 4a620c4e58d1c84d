//! Gifts paid on the page of a Russian provider, in the specified payment envelope.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use proto::checkout::v1::CreateGiftRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::protocol::error::{HandlerResult, PaymentError};
use crate::rest::body::JsonOrForm;
use crate::rest::idempotency::IdempotencyKey;
use crate::security::country;
use crate::state::AppState;

/// Other fields, such as an amount or a payment state, are ignored.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct GiftRequest {
    #[schema(example = "Ada Lovelace")]
    full_name: String,
    #[schema(example = "ada@example.org", format = Email)]
    email: String,
    #[schema(example = "prc_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    price_id: String,
    country: Option<String>,
    /// Of the page to return to. Without one: the page's, else the visitor's choice, else the browser's.
    language: Option<String>,
}

/// The handles stand at the top and under `data`: clients of both kinds exist.
#[derive(Serialize, ToSchema)]
pub struct GiftResponse {
    status: bool,
    data: GiftPages,
    confirmation_token: Option<String>,
    redirect_url: Option<String>,
    code: Option<String>,
    message: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct GiftPages {
    /// For YooKassa's widget; null where it opens none.
    #[schema(example = "ct-2d9e4c31-000f-5000-8000-18d9d2c0c7a1")]
    confirmation_token: Option<String>,
    /// Of Platron's page; null where it opens none.
    #[schema(example = "https://www.platron.ru/payment_params.php?customer=1f3a")]
    redirect_url: Option<String>,
    #[schema(example = "ord_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    order_id: String,
    /// `requires_payment_method`, or `succeeded` where the gift is paid.
    #[schema(example = "requires_payment_method")]
    payment_status: String,
}

/// Opens the payment pages for a gift with Russian cards. The gift is paid when either page is.
#[utoipa::path(
    post, path = "/api/platron/transaction/create-gift", tag = "checkout",
    request_body(content((GiftRequest = "application/x-www-form-urlencoded"), (GiftRequest = "application/json"))),
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one gift")),
    responses(
        (status = 200, body = GiftResponse, description = "Or a refusal: UNKNOWN_PRICE, PROVIDER_NOT_OFFERED, PAYMENT_IN_PROGRESS"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
        (status = 409, body = PaymentError, description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
        (status = 422, body = PaymentError, description = "A field error of full_name or email"),
    )
)]
pub async fn platron_create_gift(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonOrForm(asked): JsonOrForm<GiftRequest>,
) -> HandlerResult<Response> {
    let country_header = app.config.clients.country_header.as_ref();
    let request = CreateGiftRequest {
        full_name: asked.full_name,
        email: asked.email,
        price_id: asked.price_id,
        country: country::decide(&headers, country_header, asked.country.as_deref()),
        language: asked.language.unwrap_or_default(),
        idempotency_key,
    };
    let opened = app.clients.checkout().create_gift(request).await?.into_inner();
    let token = Some(opened.yookassa_token).filter(|token| !token.is_empty());
    let address = Some(opened.platron_url).filter(|address| !address.is_empty());
    let answer = GiftResponse {
        status: true,
        data: GiftPages {
            confirmation_token: token.clone(),
            redirect_url: address.clone(),
            order_id: opened.order_id,
            payment_status: opened.payment_status,
        },
        confirmation_token: token,
        redirect_url: address,
        code: None,
        message: None,
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}
