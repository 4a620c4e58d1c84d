//! One-time payments, in the specified payment envelope.
use kit::error::ErrorCode;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use kit::money::Money;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ConfirmIntentRequest, CreateIntentRequest, CreateIntentResponse, ListAdditionsRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use utoipa::{IntoParams, ToSchema};

use crate::protocol::error::{HandlerResult, PaymentError};
use crate::rest::body::Json as JsonBody;
use crate::rest::idempotency::IdempotencyKey;
use crate::rest::tracking;
use crate::rest::viewer::{Bearer, Viewer};
use crate::security::country;
use crate::state::AppState;

const SUCCEEDED: &str = "succeeded";
const CANCELED: &str = "canceled";

/// `user_id` and `customer_id` are specified and ignored: the buyer is who is signed in. So is any amount: the price is ours.
#[derive(Default, Deserialize, ToSchema)]
pub struct IntentRequest {
    #[serde(default)]
    #[schema(example = "prc_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    price_id: String,
    /// Of a paid trial: the price of what begins after it, as the campaign names it.
    id: Option<String>,
    coupon_code: Option<String>,
    /// From the campaign's answer: the price shown is the price charged. Without it, the one on sale now is.
    quote: Option<String>,
    /// `therapy_addition`, or the name of what the page sells.
    source: Option<String>,
    country: Option<String>,
    /// Without one: the page's, else the visitor's choice, else the browser's.
    language: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    sent: tracking::TrackingFields,
}

/// The secret stands at the top and under `data`: clients of both kinds exist.
#[derive(Serialize, ToSchema)]
pub struct IntentResponse {
    status: bool,
    data: OpenedIntent,
    #[serde(rename = "clientSecret")]
    client_secret: Option<String>,
    /// The same, as the call for trials names it.
    secret: Option<String>,
    code: Option<String>,
    message: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenedIntent {
    client_secret: Option<String>,
    /// The provider's word: `requires_payment_method`, `processing` or `succeeded`.
    #[schema(example = "requires_payment_method")]
    payment_status: String,
    payment_intent_id: Option<String>,
    order_id: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AdditionsQuery {
    /// `therapy_addition`; else all.
    filter: Option<String>,
    lang: Option<String>,
    country: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct AdditionsResponse {
    status: bool,
    campaigns: Vec<Addition>,
    /// Of the card it would be charged to; null where the member has left none.
    #[schema(example = "4242")]
    card_last4: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Addition {
    #[schema(example = "addition-therapy")]
    campaign: String,
    product: String,
    prices: Vec<AdditionPrice>,
}

#[derive(Serialize, ToSchema)]
pub struct AdditionPrice {
    price_id: String,
    #[schema(example = "TRY")]
    currency: String,
    #[schema(value_type = f64, example = 1499)]
    price: Number,
}

#[derive(Deserialize, ToSchema)]
pub struct ConfirmAdditionRequest {
    #[serde(default)]
    price_id: String,
    /// After the bank's confirmation: the intent to check again.
    payment_intent: Option<String>,
    source: Option<String>,
    country: Option<String>,
    lang: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    sent: tracking::TrackingFields,
}

#[derive(Serialize, ToSchema)]
pub struct ConfirmAdditionResponse {
    /// False: it is not paid, and nothing can be done to pay it.
    status: bool,
    data: AdditionState,
    #[serde(rename = "clientSecret")]
    client_secret: Option<String>,
    code: Option<String>,
    message: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdditionState {
    /// The buyer's page has to confirm it with the secret: their bank asks, or there is no card yet.
    requires_action: bool,
    client_secret: Option<String>,
    payment_intent_id: Option<String>,
}

/// Opens what a member pays once: something, for good, or another session.
#[utoipa::path(
    post, path = "/api/create-payment-intent", tag = "checkout", request_body = IntentRequest, security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one payment")),
    responses(
        (status = 200, body = IntentResponse,
         description = "Or a refusal: V100, UNKNOWN_PRICE, a COUPON_ code, QUOTE_INVALID, QUOTE_EXPIRED, ALREADY_SUBSCRIBED, ALREADY_OWNED, SESSIONS_NOT_BOOKABLE, PAYMENT_IN_PROGRESS"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
        (status = 409, body = PaymentError, description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
    )
)]
pub async fn create_payment_intent(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    key: IdempotencyKey,
    JsonBody(asked): JsonBody<IntentRequest>,
) -> HandlerResult<Response> {
    let request = CreateIntentRequest {
        purpose: Purpose::Payment.into(),
        ..request(&app, &headers, Some(viewer), key, asked)
    };
    open(&app, request).await
}

/// Opens the payment of a trial; the subscription begins when it is paid.
#[utoipa::path(
    post, path = "/api/create-trial-price-intent", tag = "checkout", request_body = IntentRequest, security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one payment")),
    responses(
        (status = 200, body = IntentResponse, description = "Or a refusal: as /api/create-payment-intent"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
        (status = 409, body = PaymentError, description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
    )
)]
pub async fn create_trial_price_intent(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    key: IdempotencyKey,
    JsonBody(asked): JsonBody<IntentRequest>,
) -> HandlerResult<Response> {
    let request = CreateIntentRequest {
        purpose: Purpose::Trial.into(),
        ..request(&app, &headers, Some(viewer), key, asked)
    };
    open(&app, request).await
}

/// Opens the payment of a gift; no session is needed.
#[utoipa::path(
    post, path = "/api/gift/create-intent", tag = "checkout", request_body = IntentRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one payment")),
    responses(
        (status = 200, body = IntentResponse, description = "Or a refusal: as /api/create-payment-intent, but V100"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
        (status = 409, body = PaymentError, description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
    )
)]
pub async fn gift_create_intent(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    key: IdempotencyKey,
    JsonBody(asked): JsonBody<IntentRequest>,
) -> HandlerResult<Response> {
    let request = CreateIntentRequest {
        purpose: Purpose::Gift.into(),
        ..request(&app, &headers, viewer, key, asked)
    };
    open(&app, request).await
}

/// Opens a one-time payment; no session is needed.
#[utoipa::path(
    post, path = "/api/one-time/create-intent", tag = "checkout", request_body = IntentRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one payment")),
    responses(
        (status = 200, body = IntentResponse, description = "Or a refusal: as /api/create-payment-intent, but V100"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
        (status = 409, body = PaymentError, description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
    )
)]
pub async fn one_time_create_intent(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    key: IdempotencyKey,
    JsonBody(asked): JsonBody<IntentRequest>,
) -> HandlerResult<Response> {
    let request = CreateIntentRequest {
        purpose: Purpose::OneTime.into(),
        ..request(&app, &headers, viewer, key, asked)
    };
    open(&app, request).await
}

/// What a member can buy beside what they have.
#[utoipa::path(
    get, path = "/api/addition/campaigns", tag = "checkout", params(AdditionsQuery), security(("session" = [])),
    responses(
        (status = 200, body = AdditionsResponse, description = "Without a campaign, nothing is sold. Or a refusal: V100"),
    )
)]
pub async fn addition_campaigns(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    Query(asked): Query<AdditionsQuery>,
) -> HandlerResult<Response> {
    let request = ListAdditionsRequest {
        user_id: viewer.user.user_id,
        filter: asked.filter.unwrap_or_default(),
        language: asked.lang.unwrap_or_default(),
        country: decide_country(&app, &headers, asked.country.as_deref()),
    };
    let answer = app.clients.checkout().list_additions(request).await?.into_inner();
    let campaigns = answer.offers.into_iter().filter_map(|offer| {
        let price = Money::try_from(offer.price?).ok()?;
        Some(Addition {
            campaign: offer.campaign,
            product: offer.product,
            prices: vec![AdditionPrice {
                price_id: offer.price_id,
                currency: price.currency.code().to_owned(),
                price: price.major_number(),
            }],
        })
    });
    let answer = AdditionsResponse {
        status: true,
        campaigns: campaigns.collect(),
        card_last4: non_empty(answer.card_last4),
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

/// Buys another session by the card the member has left, or looks again at one the bank asked about.
#[utoipa::path(
    post, path = "/api/addition/confirm", tag = "checkout", request_body = ConfirmAdditionRequest, security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one payment")),
    responses(
        (status = 200, body = ConfirmAdditionResponse,
         description = "Or a refusal: V100, UNKNOWN_PRICE, UNKNOWN_ORDER, PAYMENT_IN_PROGRESS, PAYMENT_INCOMPLETE, PAYMENT_CANCELED, or the provider's decline"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
        (status = 409, body = PaymentError, description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
    )
)]
pub async fn addition_confirm(
    Bearer(viewer): Bearer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    key: IdempotencyKey,
    JsonBody(asked): JsonBody<ConfirmAdditionRequest>,
) -> HandlerResult<Response> {
    if let Some(payment_intent_id) = asked.payment_intent.and_then(non_empty) {
        let request = ConfirmIntentRequest {
            user_id: viewer.user.user_id,
            payment_intent_id,
        };
        let answer = app.clients.checkout().confirm_intent(request).await?.into_inner();
        return Ok(addition(answer, |it| it.payment_status == SUCCEEDED));
    }
    let asked = IntentRequest {
        price_id: asked.price_id,
        source: asked.source,
        country: asked.country,
        language: asked.lang,
        sent: asked.sent,
        ..IntentRequest::default()
    };
    let request = CreateIntentRequest {
        purpose: Purpose::Addition.into(),
        ..request(&app, &headers, Some(viewer), key, asked)
    };
    let answer = app.clients.checkout().create_intent(request).await?.into_inner();
    Ok(addition(answer, |it| {
        it.payment_status == SUCCEEDED || !it.client_secret.is_empty()
    }))
}

fn addition(answer: CreateIntentResponse, accepts: impl Fn(&CreateIntentResponse) -> bool) -> Response {
    let status = accepts(&answer);
    let client_secret = non_empty(answer.client_secret);
    let (code, message) = if answer.payment_status == CANCELED {
        (
            ErrorCode::PaymentCanceled,
            "The payment was closed, and took nothing.",
        )
    } else {
        (ErrorCode::PaymentIncomplete, "The payment is not complete.")
    };
    let answer = ConfirmAdditionResponse {
        status,
        data: AdditionState {
            requires_action: client_secret.is_some(),
            client_secret: client_secret.clone(),
            payment_intent_id: non_empty(answer.payment_intent_id),
        },
        client_secret,
        code: (!status).then(|| code.as_str_name().to_owned()),
        message: (!status).then(|| message.to_owned()),
    };
    ([(CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}

fn decide_country(app: &AppState, headers: &HeaderMap, said: Option<&str>) -> String {
    country::decide(headers, app.config.clients.country_header.as_ref(), said)
}

fn request(
    app: &AppState,
    headers: &HeaderMap,
    viewer: Option<Viewer>,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    asked: IntentRequest,
) -> CreateIntentRequest {
    let user = viewer.map(|viewer| viewer.user).unwrap_or_default();
    CreateIntentRequest {
        user_id: user.user_id,
        email: user.email,
        full_name: user.full_name,
        country: decide_country(app, headers, asked.country.as_deref()),
        tracking: Some(asked.sent.tracking(headers)),
        price_id: asked.price_id,
        starts_price_id: asked.id.unwrap_or_default(),
        coupon_code: asked.coupon_code.unwrap_or_default(),
        quote: asked.quote.unwrap_or_default(),
        source: asked.source.unwrap_or_default(),
        language: asked.language.unwrap_or_default(),
        idempotency_key,
        ..CreateIntentRequest::default()
    }
}

async fn open(app: &AppState, request: CreateIntentRequest) -> HandlerResult<Response> {
    let answer = app.clients.checkout().create_intent(request).await?.into_inner();
    let client_secret = non_empty(answer.client_secret);
    let answer = IntentResponse {
        status: true,
        data: OpenedIntent {
            client_secret: client_secret.clone(),
            payment_status: answer.payment_status,
            payment_intent_id: non_empty(answer.payment_intent_id),
            order_id: answer.order_id,
        },
        secret: client_secret.clone(),
        client_secret,
        code: None,
        message: None,
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
