//! Webhooks of the payment providers, and the calls with which buyers return from their pages. Checkout verifies all of it.
use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use kit::error::{ErrorCode, Kind};
use proto::checkout::v1::{
    ConfirmPlatronPaymentRequest, LinkPaypalSubscriptionRequest, Provider, ReceiveWebhookRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::protocol::error::{HandlerResult, PaymentError, Problem, ProblemBody};
use crate::rest::body::Json as JsonBody;
use crate::rest::client::Client;
use crate::rest::tracking;
use crate::rest::viewer::Viewer;
use crate::security::country;
use crate::state::AppState;

/// The headers that prove a notification of PayPal's.
const PAYPAL_SIGNATURE_HEADERS: [&str; 5] = [
    "paypal-auth-algo",
    "paypal-cert-url",
    "paypal-transmission-id",
    "paypal-transmission-sig",
    "paypal-transmission-time",
];

/// `user_id` is specified and ignored: the buyer is who is signed in.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct PaypalSubscription {
    /// PayPal's own id, as its button hands it to the page.
    #[schema(example = "I-BW452GLLEP1G")]
    subscription_id: String,
    country: Option<String>,
    /// Without one: the page's, else the visitor's choice, else the browser's.
    language: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    sent: tracking::TrackingFields,
}

#[derive(Serialize, ToSchema)]
pub struct LinkResponse {
    status: bool,
    data: LinkedSubscription,
    code: Option<String>,
    message: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct LinkedSubscription {
    /// Ours.
    #[schema(example = "sbn_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    subscription_id: String,
    /// `active`, `trialing`, `incomplete`, …
    #[schema(example = "active")]
    status: String,
}

#[derive(Serialize, ToSchema)]
pub struct PlatronReturnResponse {
    /// Whether Platron says that it is paid.
    status: bool,
    data: PlatronPayment,
    code: Option<String>,
    message: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct PlatronPayment {
    /// `paid`, `open` or `expired`.
    state: String,
}

#[derive(Serialize, ToSchema)]
pub struct WebhookReceived {
    pub received: bool,
}

/// A member has agreed to a subscription at PayPal; PayPal is asked whether that is so.
#[utoipa::path(
    post, path = "/api/paypal/customers/subscription", tag = "checkout", request_body = PaypalSubscription, security(("session" = [])),
    responses(
        (status = 200, body = LinkResponse,
         description = "Or a refusal: V100, UNKNOWN_PAYPAL_SUBSCRIPTION, PAYPAL_NOT_APPROVED, PAYPAL_ENDED, UNKNOWN_PRICE, \
         ALREADY_SUBSCRIBED, ALREADY_OWNED, PAYMENT_IN_PROGRESS, PROVIDER_NOT_OFFERED"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
    )
)]
pub async fn link_paypal_subscription(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    JsonBody(asked): JsonBody<PaypalSubscription>,
) -> HandlerResult<Json<LinkResponse>> {
    let request = LinkPaypalSubscriptionRequest {
        user_id: viewer.user.user_id,
        email: viewer.user.email,
        full_name: viewer.user.full_name,
        subscription_id: asked.subscription_id,
        country: country::decide(
            &headers,
            app.config.clients.country_header.as_ref(),
            asked.country.as_deref(),
        ),
        language: asked.language.unwrap_or_default(),
        tracking: Some(asked.sent.tracking(&headers)),
    };
    let linked = app.clients.checkout().link_paypal_subscription(request).await?;
    let subscription = linked.into_inner().subscription.unwrap_or_default();
    Ok(Json(LinkResponse {
        status: true,
        data: LinkedSubscription {
            subscription_id: subscription.subscription_id,
            status: subscription.status,
        },
        code: None,
        message: None,
    }))
}

/// A buyer comes back from Platron's page, which says that they have paid. Platron is asked.
#[utoipa::path(
    get, path = "/api/platron/transaction/success", tag = "checkout",
    params(
        ("pg_payment_id" = Option<String>, Query, description = "Platron's number"),
        ("pg_order_id" = Option<String>, Query, description = "Ours, as Platron sends it along: it proves that the payment is the caller's"),
    ),
    responses((status = 200, body = PlatronReturnResponse, description = "Or a refusal: UNKNOWN_ORDER, PROVIDER_NOT_OFFERED"))
)]
pub async fn platron_success(
    State(app): State<Arc<AppState>>,
    Query(asked): Query<HashMap<String, String>>,
) -> HandlerResult<Json<PlatronReturnResponse>> {
    platron_return(&app, &asked).await
}

/// A buyer comes back from Platron's page without having paid, or so it says. Platron is asked.
#[utoipa::path(
    get, path = "/api/platron/transaction/error", tag = "checkout",
    params(
        ("pg_payment_id" = Option<String>, Query, description = "Platron's number"),
        ("pg_order_id" = Option<String>, Query, description = "Ours, as Platron sends it along: it proves that the payment is the caller's"),
    ),
    responses((status = 200, body = PlatronReturnResponse, description = "Or a refusal: UNKNOWN_ORDER, PROVIDER_NOT_OFFERED"))
)]
pub async fn platron_error(
    State(app): State<Arc<AppState>>,
    Query(asked): Query<HashMap<String, String>>,
) -> HandlerResult<Json<PlatronReturnResponse>> {
    platron_return(&app, &asked).await
}

async fn platron_return(
    app: &AppState,
    asked: &HashMap<String, String>,
) -> HandlerResult<Json<PlatronReturnResponse>> {
    let named = |name: &str| asked.get(name).cloned().unwrap_or_default();
    let request = ConfirmPlatronPaymentRequest {
        payment_id: named("pg_payment_id"),
        reference: named("pg_order_id"),
    };
    let response = app.clients.checkout().confirm_platron_payment(request).await?;
    let state = response.into_inner().state;
    Ok(Json(PlatronReturnResponse {
        status: state == "paid",
        data: PlatronPayment { state },
        code: None,
        message: None,
    }))
}

/// A notification of Stripe, taken as it came: the signature covers the very bytes.
#[utoipa::path(
    post, path = "/webhooks/stripe", tag = "checkout", request_body(content = Vec<u8>, content_type = "application/json"),
    params(("Stripe-Signature" = String, Header)),
    responses(
        (status = 200, body = WebhookReceived),
        (status = 400, body = ProblemBody, content_type = "application/problem+json", description = "BAD_SIGNATURE"),
        (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "RATE_LIMITED, with `Retry-After`"),
    )
)]
pub async fn stripe_webhook(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    body: Bytes,
) -> HandlerResult<Json<WebhookReceived>> {
    let signature = headers
        .get("stripe-signature")
        .and_then(|value| value.to_str().ok())
        .ok_or_else(|| {
            Problem::new(
                Kind::Invalid,
                ErrorCode::BadSignature,
                "The notification carries no signature of ours.",
            )
        })?;
    let request = ReceiveWebhookRequest {
        provider: Provider::Stripe.into(),
        body: body.to_vec(),
        signature: signature.to_owned(),
        ..Default::default()
    };
    app.clients.checkout().receive_webhook(request).await?;
    Ok(Json(WebhookReceived { received: true }))
}

/// A notification of PayPal, taken as it came: the signature covers the very bytes.
#[utoipa::path(
    post, path = "/webhooks/paypal", tag = "checkout", request_body(content = Vec<u8>, content_type = "application/json"),
    responses(
        (status = 200, body = WebhookReceived),
        (status = 400, body = ProblemBody, content_type = "application/problem+json", description = "BAD_SIGNATURE"),
        (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "RATE_LIMITED, with `Retry-After`"),
    )
)]
pub async fn paypal_webhook(
    State(app): State<Arc<AppState>>,
    client: Client,
    headers: HeaderMap,
    body: Bytes,
) -> HandlerResult<Json<WebhookReceived>> {
    let proofs = PAYPAL_SIGNATURE_HEADERS.iter().filter_map(|name| {
        let value = headers.get(*name)?.to_str().ok()?;
        Some(((*name).to_owned(), value.to_owned()))
    });
    let request = ReceiveWebhookRequest {
        provider: Provider::Paypal.into(),
        body: body.to_vec(),
        headers: proofs.collect(),
        ..Default::default()
    };
    receive_limited(&app, client, request).await?;
    Ok(Json(WebhookReceived { received: true }))
}

/// A notification of YooKassa, unsigned: checkout fetches its object from YooKassa.
#[utoipa::path(
    post, path = "/webhooks/yookassa", tag = "checkout", request_body(content = Vec<u8>, content_type = "application/json"),
    responses(
        (status = 200, body = WebhookReceived),
        (status = 400, body = ProblemBody, content_type = "application/problem+json",
         description = "BAD_SIGNATURE: YooKassa has no such object"),
        (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "RATE_LIMITED, with `Retry-After`"),
    )
)]
pub async fn yookassa_webhook(
    State(app): State<Arc<AppState>>,
    client: Client,
    body: Bytes,
) -> HandlerResult<Json<WebhookReceived>> {
    let request = ReceiveWebhookRequest {
        provider: Provider::Yookassa.into(),
        body: body.to_vec(),
        ..Default::default()
    };
    receive_limited(&app, client, request).await?;
    Ok(Json(WebhookReceived { received: true }))
}

/// For webhooks that checkout verifies by a call of the provider: a client with too many forged ones is refused. Stripe and
/// Platron sign theirs, so a check costs no call, and forged ones must not keep out signed ones from the same address.
async fn receive_limited(
    app: &AppState,
    Client(client): Client,
    request: ReceiveWebhookRequest,
) -> HandlerResult<()> {
    let forged = &app.limits.notifications;
    forged.check(client)?;
    let received = app.clients.checkout().receive_webhook(request).await;
    let received = received.map_err(Problem::from);
    let is_forged = |problem: &Problem| problem.failure().error_code() == Some(ErrorCode::BadSignature);
    if received.as_ref().is_err_and(is_forged) {
        forged.count_wrong(client);
    }
    received.map(|_| ())
}

/// Platron's pre-payment check (`check`) and notifications (`result`, `refund`), answered in signed XML.
#[utoipa::path(
    post, path = "/webhooks/platron/{script}", tag = "checkout", params(("script" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, body = String, content_type = "text/xml"),
        (status = 400, body = ProblemBody, content_type = "application/problem+json", description = "BAD_SIGNATURE"),
        (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "RATE_LIMITED, with `Retry-After`"),
    )
)]
pub async fn platron_webhook(
    State(app): State<Arc<AppState>>,
    Path(script): Path<String>,
    body: Bytes,
) -> HandlerResult<Response> {
    let request = ReceiveWebhookRequest {
        provider: Provider::Platron.into(),
        body: body.to_vec(),
        script,
        ..Default::default()
    };
    let response = app
        .clients
        .checkout()
        .receive_webhook(request)
        .await?
        .into_inner();
    Ok(([(CONTENT_TYPE, response.answer_type)], response.answer).into_response())
}
