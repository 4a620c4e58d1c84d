//! Reports of pages about a survey order after a payment, in the specified data/error envelope. They are not trusted:
//! checkout verifies the payment.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, SetSubscriptionAttributionRequest, SettleSurveyOrderRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::protocol::error::{EnvelopeError, HandlerResult, PaymentError};
use crate::rest::body::{Json as JsonBody, JsonOrForm};
use crate::rest::tracking;
use crate::rest::viewer::Viewer;
use crate::security::survey_cookie::SurveyCookie;
use crate::state::AppState;

/// `userid`, `customerid`, `status` and `email` are specified and ignored: it is about who is signed in, and what they paid.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct SurveyOrderQuery {
    #[schema(example = "svo_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    orderid: String,
}

#[derive(Serialize, ToSchema)]
pub struct SurveyOrderResponse {
    data: SurveyOrderState,
    #[schema(value_type = Option<String>)]
    error: Option<()>,
    #[schema(value_type = Option<String>)]
    error_code: Option<()>,
}

#[derive(Serialize, ToSchema)]
pub struct SurveyOrderState {
    orderid: String,
    /// 1: it is paid. 0: not that we know of.
    status: i32,
}

#[derive(Deserialize, ToSchema)]
pub struct MetaData {
    /// Ours, or the provider's.
    #[serde(default)]
    subscription_id: String,
    #[serde(flatten)]
    #[schema(ignore)]
    sent: tracking::TrackingFields,
}

#[derive(Serialize, ToSchema)]
pub struct MetaDataResponse {
    status: bool,
    #[schema(value_type = Option<Object>)]
    data: Option<()>,
    code: Option<String>,
    message: Option<String>,
}

/// Whether the order a survey hangs on is paid.
#[utoipa::path(
    post, path = "/specialprogram/payment", tag = "checkout",
    request_body(content((SurveyOrderQuery = "application/json"), (SurveyOrderQuery = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, body = SurveyOrderResponse),
        (status = 404, body = EnvelopeError, description = "UNKNOWN_ORDER"),
    )
)]
pub async fn special_program_payment(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    JsonOrForm(asked): JsonOrForm<SurveyOrderQuery>,
) -> HandlerResult<Json<SurveyOrderResponse>> {
    let request = SettleSurveyOrderRequest {
        user_id: viewer.map(|viewer| viewer.user.user_id).unwrap_or_default(),
        order_id: asked.orderid.clone(),
    };
    let answer = app.clients.checkout().settle_survey_order(request).await?;
    Ok(order_response(asked.orderid, i32::from(answer.into_inner().paid)))
}

/// Takes a survey's order over for who is signed in.
#[utoipa::path(
    post, path = "/specialprogram/idupdate", tag = "checkout", security(("session" = [])),
    request_body(content((SurveyOrderQuery = "application/json"), (SurveyOrderQuery = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, body = SurveyOrderResponse),
        (status = 401, body = EnvelopeError, description = "V100"),
        (status = 404, body = EnvelopeError, description = "UNKNOWN_ORDER"),
    )
)]
pub async fn special_program_id_update(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    JsonOrForm(asked): JsonOrForm<SurveyOrderQuery>,
) -> HandlerResult<Json<SurveyOrderResponse>> {
    let user_id = viewer.user.user_id;
    let request = ClaimSurveyOrderRequest {
        user_id: user_id.clone(),
        access_key: SurveyCookie::key_of(app.session_cookie, &headers, &asked.orderid),
        order_id: asked.orderid.clone(),
    };
    app.clients.checkout().claim_survey_order(request).await?;
    let request = SettleSurveyOrderRequest {
        user_id,
        order_id: asked.orderid.clone(),
    };
    let answer = app.clients.checkout().settle_survey_order(request).await?;
    Ok(order_response(asked.orderid, i32::from(answer.into_inner().paid)))
}

/// Stores the attribution of a subscription after its purchase. `payment_provider_id` is specified and ignored.
#[utoipa::path(
    post, path = "/api/subscriptions/meta-data", tag = "checkout", request_body = MetaData, security(("session" = [])),
    responses(
        (status = 200, body = MetaDataResponse, description = "Or a refusal: V100, UNKNOWN_SUBSCRIPTION"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
    )
)]
pub async fn subscription_meta_data(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    JsonBody(asked): JsonBody<MetaData>,
) -> HandlerResult<Json<MetaDataResponse>> {
    let request = SetSubscriptionAttributionRequest {
        user_id: viewer.user.user_id,
        tracking: Some(asked.sent.tracking(&headers)),
        subscription_id: asked.subscription_id,
    };
    app.clients
        .checkout()
        .set_subscription_attribution(request)
        .await?;
    Ok(Json(MetaDataResponse {
        status: true,
        data: None,
        code: None,
        message: None,
    }))
}

fn order_response(orderid: String, status: i32) -> Json<SurveyOrderResponse> {
    Json(SurveyOrderResponse {
        data: SurveyOrderState { orderid, status },
        error: None,
        error_code: None,
    })
}
