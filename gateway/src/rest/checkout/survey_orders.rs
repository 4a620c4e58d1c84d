//! The order a survey hangs on.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, SET_COOKIE};
use proto::checkout::v1::CreateSurveyOrderRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::openapi::parameters;
use crate::protocol::error::{HandlerResult, ProblemBody};
use crate::rest::body;
use crate::rest::body::Json as JsonBody;
use crate::rest::idempotency::IdempotencyKey;
use crate::rest::tracking;
use crate::security::country;
use crate::state::AppState;

/// Besides these the eleven allowed tracking parameters.
#[derive(Deserialize, ToSchema)]
pub struct SurveyOrderRequest {
    /// A number, or one as text; 0 when left out.
    #[serde(default, deserialize_with = "body::number")]
    #[schema(schema_with = parameters::number_or_text)]
    flow: Option<i32>,
    /// A number, or one as text; 15 when left out.
    #[serde(default, deserialize_with = "body::number")]
    #[schema(schema_with = parameters::number_or_text)]
    variant: Option<i32>,
    #[schema(example = "b")]
    abgroup: Option<String>,
    /// What stands before the first dash counts.
    #[schema(example = "coaching")]
    producttype: Option<String>,
    #[schema(example = "tr")]
    lang: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    sent: tracking::TrackingFields,
}

#[derive(Serialize, ToSchema)]
pub struct SurveyOrder {
    #[schema(example = "svo_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    orderid: String,
}

/// Opens the order that a survey's answers and later its payment belong to. The cookie it sets opens the answers.
#[utoipa::path(
    post, path = "/api/survey/orders", tag = "checkout", request_body = SurveyOrderRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one order")),
    responses(
        (status = 201, body = SurveyOrder),
        (status = 409, body = ProblemBody, content_type = "application/problem+json",
         description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn create_survey_order(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(asked): JsonBody<SurveyOrderRequest>,
) -> HandlerResult<Response> {
    let request = CreateSurveyOrderRequest {
        flow: asked.flow,
        variant: asked.variant,
        ab_group: asked.abgroup.unwrap_or_default(),
        product_type: asked.producttype.unwrap_or_default(),
        lang: asked.lang.unwrap_or_default(),
        country: country::decide(&headers, app.config.clients.country_header.as_ref(), None),
        tracking: Some(asked.sent.tracking(&headers)),
        idempotency_key,
    };
    let answer = app.clients.checkout().create_survey_order(request).await?;
    let opened = answer.into_inner();
    let cookie = app
        .session_cookie
        .set_survey(&opened.order_id, &opened.access_key);
    let order = SurveyOrder {
        orderid: opened.order_id,
    };
    let mut response = (StatusCode::CREATED, [(CACHE_CONTROL, "no-store")], Json(order)).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}
