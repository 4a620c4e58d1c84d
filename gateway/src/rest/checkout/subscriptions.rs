//! Buying a subscription, settling it, and what a member has.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::header::CACHE_CONTROL;
use kit::money::Money;
use proto::checkout::v1 as wire;
use proto::checkout::v1::{
    ConfirmSubscriptionRequest, CreateSubscriptionRequest, ListSubscriptionsRequest, Provider, Subscription,
};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use utoipa::ToSchema;

use crate::protocol::error::{HandlerResult, PaymentError, Problem, ProblemBody};
use crate::rest::body::Json as JsonBody;
use crate::rest::idempotency::IdempotencyKey;
use crate::rest::tracking;
use crate::rest::viewer::Viewer;
use crate::security::country;
use crate::state::AppState;

/// `customer_id` is specified and ignored: the buyer is who is signed in.
#[derive(Deserialize, ToSchema)]
pub struct CreateSubscriptionBody {
    #[serde(default)]
    #[schema(example = "prc_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    price_id: String,
    coupon_code: Option<String>,
    /// From the campaign's answer: the price shown is the price charged. Without it, the one on sale now is.
    quote: Option<String>,
    /// The provider's id of the tokenised card.
    #[serde(default)]
    #[schema(example = "pm_card_visa")]
    payment_method_id: String,
    /// Which network a co-branded card is charged by, now and later: `cartes_bancaires`, `mastercard` or `visa`.
    card_network: Option<String>,
    /// `stripe` for a card, `apple_google_pay` for a wallet.
    payment_source: Option<String>,
    country: Option<String>,
    /// Without one: the page's, else the visitor's choice, else the browser's.
    language: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    sent: tracking::TrackingFields,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ConfirmSubscriptionBody {
    #[schema(example = "sub_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    subscription_id: String,
}

/// The fields stand at the top and under `data`: clients of both kinds exist.
#[derive(Serialize, ToSchema)]
pub struct SubscriptionResponse {
    #[serde(flatten)]
    state: SubscriptionState,
    data: SubscriptionState,
    code: Option<String>,
    message: Option<String>,
}

#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionState {
    /// `active`, `trialing`, `incomplete`, …
    #[schema(example = "active")]
    status: String,
    /// The provider's word on the first payment; null for a trial.
    #[schema(example = "succeeded")]
    payment_status: Option<String>,
    client_secret: Option<String>,
    setup_intent_secret: Option<String>,
    payment_intent_id: Option<String>,
    quantity: i32,
    #[serde(rename = "subscription_id")]
    subscription_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct Subscriptions {
    subscriptions: Vec<MemberSubscription>,
}

#[derive(Serialize, ToSchema)]
pub struct MemberSubscription {
    subscription_id: String,
    order_id: String,
    product: String,
    status: String,
    #[schema(value_type = Option<f64>, example = 59.99)]
    price: Option<Number>,
    currency: Option<String>,
    /// Length of each paid period.
    #[schema(example = 12)]
    period_months: i32,
    /// Who takes the money: `stripe`, `paypal`, `yookassa` or `platron`. What can be changed is in `available_actions`.
    #[schema(example = "stripe")]
    provider: &'static str,
    trial_days: i32,
    current_period_end: Option<DateTime<Utc>>,
    created_at: Option<DateTime<Utc>>,
    /// It ends then, unless it is kept.
    cancel_at: Option<DateTime<Utc>>,
    /// Nothing is charged until then.
    paused_until: Option<DateTime<Utc>>,
    card_brand: Option<String>,
    card_last4: Option<String>,
    /// A renewal that was not paid.
    overdue: Option<Overdue>,
    /// What the provider has not answered yet: `cancel`, `keep`, `card`, `pause`, `resume`, `plan` or `keep_plan`.
    pending_change: Option<String>,
    /// The changes that are possible now: `cancel`, `keep`, `card`, `pause`, `resume`, `plan`,
    /// `keep_plan`.
    available_actions: Vec<String>,
    /// What was paid, newest first.
    receipts: Vec<Receipt>,
    /// A cheaper plan that it was changed to, and that has not begun.
    scheduled_plan: Option<ScheduledPlan>,
    /// Another period is charged when this one ends, with any provider. False: it ends then, or has not begun.
    renews: bool,
}

#[derive(Serialize, ToSchema)]
pub struct ScheduledPlan {
    #[schema(example = "prc_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    price_id: String,
    /// What is charged each period from then on, in major units.
    #[schema(value_type = Option<f64>, example = 59.99)]
    price: Option<Number>,
    currency: Option<String>,
    period_months: i32,
    starts_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
pub struct Overdue {
    #[schema(value_type = Option<f64>, example = 59.99)]
    amount: Option<Number>,
    access_until: Option<DateTime<Utc>>,
    /// The provider's, such as `insufficient_funds`.
    code: String,
    /// The card will not be tried again.
    needs_new_card: bool,
}

#[derive(Serialize, ToSchema)]
pub struct Receipt {
    payment_id: String,
    paid_at: Option<DateTime<Utc>>,
    #[schema(value_type = Option<f64>, example = 59.99)]
    amount: Option<Number>,
    currency: Option<String>,
    /// `first`, `renewal` or `change`.
    reason: String,
}

/// Creates and charges a subscription.
#[utoipa::path(
    post, path = "/api/create-subscription-fixed", tag = "checkout", request_body = CreateSubscriptionBody, security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "Same key, same body: one subscription")),
    responses(
        (status = 200, body = SubscriptionResponse,
         description = "Or a refusal: V100, UNKNOWN_PRICE, UNKNOWN_COUPON, COUPON_EXHAUSTED, COUPON_ALREADY_USED, QUOTE_INVALID and \
         QUOTE_EXPIRED (ask for the campaign again), TRIAL_ALREADY_USED (asked again, the campaign has no trial), SB101, ALREADY_SUBSCRIBED, ALREADY_OWNED, CARD_NOT_IN_OFFER, or the provider's decline"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
        (status = 409, body = PaymentError, description = "IDEMPOTENCY_CONFLICT: the key was used with another body; IDEMPOTENCY_IN_PROGRESS: the first call is not answered yet"),
    )
)]
pub async fn create_subscription_fixed(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    JsonBody(purchase): JsonBody<CreateSubscriptionBody>,
) -> HandlerResult<Response> {
    let request = CreateSubscriptionRequest {
        user_id: viewer.user.user_id,
        email: viewer.user.email,
        full_name: viewer.user.full_name,
        country: country::decide(
            &headers,
            app.config.clients.country_header.as_ref(),
            purchase.country.as_deref(),
        ),
        tracking: Some(purchase.sent.tracking(&headers)),
        price_id: purchase.price_id,
        coupon_code: purchase.coupon_code.unwrap_or_default(),
        quote: purchase.quote.unwrap_or_default(),
        payment_method_id: purchase.payment_method_id,
        card_network: purchase.card_network.unwrap_or_default(),
        payment_source: purchase.payment_source.unwrap_or_else(|| "stripe".to_owned()),
        language: purchase.language.unwrap_or_default(),
        idempotency_key,
    };
    let answer = app
        .clients
        .checkout()
        .create_subscription(request)
        .await?
        .into_inner();
    let subscription = answer.subscription.ok_or_else(incomplete_response)?;
    Ok(subscription_response(SubscriptionState {
        status: subscription.status,
        payment_status: non_empty(answer.payment_status),
        client_secret: non_empty(answer.client_secret),
        setup_intent_secret: non_empty(answer.setup_intent_secret),
        payment_intent_id: non_empty(answer.payment_intent_id),
        quantity: answer.quantity,
        subscription_id: subscription.subscription_id,
    }))
}

/// Asks the provider what became of a subscription, after the buyer has confirmed it with their bank.
#[utoipa::path(
    post, path = "/api/subscriptions/confirm", tag = "checkout", request_body = ConfirmSubscriptionBody, security(("session" = [])),
    responses(
        (status = 200, body = SubscriptionResponse, description = "Or a refusal: V100, UNKNOWN_SUBSCRIPTION, ALREADY_OWNED (what was captured is refunded)"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
    )
)]
pub async fn confirm_subscription(
    viewer: Viewer,
    State(app): State<Arc<AppState>>,
    JsonBody(confirmation): JsonBody<ConfirmSubscriptionBody>,
) -> HandlerResult<Response> {
    let request = ConfirmSubscriptionRequest {
        user_id: viewer.user.user_id,
        subscription_id: confirmation.subscription_id,
    };
    let answer = app
        .clients
        .checkout()
        .confirm_subscription(request)
        .await?
        .into_inner();
    let subscription = answer.subscription.ok_or_else(incomplete_response)?;
    Ok(subscription_response(SubscriptionState {
        status: subscription.status,
        payment_status: non_empty(answer.payment_status),
        client_secret: None,
        setup_intent_secret: None,
        payment_intent_id: None,
        quantity: 1,
        subscription_id: subscription.subscription_id,
    }))
}

/// The member's subscriptions, newest first. What was paid once is in `GET /api/purchases`.
#[utoipa::path(
    get, path = "/api/subscriptions", tag = "checkout", security(("session" = [])),
    responses(
        (status = 200, body = Subscriptions),
        (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_subscriptions(viewer: Viewer, State(app): State<Arc<AppState>>) -> HandlerResult<Response> {
    let request = ListSubscriptionsRequest {
        user_id: viewer.user.user_id,
    };
    let answer = app
        .clients
        .checkout()
        .list_subscriptions(request)
        .await?
        .into_inner();
    let subscriptions = answer
        .subscriptions
        .into_iter()
        .map(MemberSubscription::from)
        .collect();
    Ok((
        [(CACHE_CONTROL, "no-store")],
        Json(Subscriptions { subscriptions }),
    )
        .into_response())
}

pub fn provider_name(provider: Provider) -> &'static str {
    match provider {
        Provider::Unspecified | Provider::Stripe => "stripe",
        Provider::Paypal => "paypal",
        Provider::Yookassa => "yookassa",
        Provider::Platron => "platron",
    }
}

impl From<Subscription> for MemberSubscription {
    fn from(subscription: Subscription) -> Self {
        let provider = provider_name(subscription.provider());
        let price = money(subscription.price);
        Self {
            subscription_id: subscription.subscription_id,
            order_id: subscription.order_id,
            product: subscription.product,
            status: subscription.status,
            price: price.map(Money::major_number),
            currency: price.map(|price| price.currency.code().to_owned()),
            period_months: subscription.period_months,
            provider,
            trial_days: subscription.trial_days,
            current_period_end: time(subscription.current_period_end),
            created_at: time(subscription.created_at),
            cancel_at: time(subscription.cancel_at),
            paused_until: time(subscription.paused_until),
            card_brand: non_empty(subscription.card_brand),
            card_last4: non_empty(subscription.card_last4),
            overdue: subscription.overdue.map(Overdue::from),
            pending_change: non_empty(subscription.pending_change),
            available_actions: subscription.available_actions,
            receipts: subscription.receipts.into_iter().map(Receipt::from).collect(),
            scheduled_plan: subscription.scheduled_plan.map(ScheduledPlan::from),
            renews: subscription.renews,
        }
    }
}

impl From<wire::ScheduledPlan> for ScheduledPlan {
    fn from(plan: wire::ScheduledPlan) -> Self {
        let price = money(plan.price);
        Self {
            price_id: plan.price_id,
            price: price.map(Money::major_number),
            currency: price.map(|price| price.currency.code().to_owned()),
            period_months: plan.period_months,
            starts_at: time(plan.starts_at),
        }
    }
}

impl From<wire::Overdue> for Overdue {
    fn from(overdue: wire::Overdue) -> Self {
        Self {
            amount: money(overdue.amount).map(Money::major_number),
            access_until: time(overdue.access_until),
            code: overdue.code,
            needs_new_card: overdue.needs_new_card,
        }
    }
}

impl From<wire::Receipt> for Receipt {
    fn from(receipt: wire::Receipt) -> Self {
        let amount = money(receipt.amount);
        Self {
            payment_id: receipt.payment_id,
            paid_at: time(receipt.paid_at),
            amount: amount.map(Money::major_number),
            currency: amount.map(|amount| amount.currency.code().to_owned()),
            reason: receipt.reason,
        }
    }
}

pub fn money(amount: Option<proto::common::v1::Money>) -> Option<Money> {
    amount.and_then(|amount| Money::try_from(amount).ok())
}

pub fn time(at: Option<proto::Timestamp>) -> Option<DateTime<Utc>> {
    at.and_then(|at| at.try_into().ok())
}

fn subscription_response(state: SubscriptionState) -> Response {
    let answer = SubscriptionResponse {
        data: state.clone(),
        state,
        code: None,
        message: None,
    };
    ([(CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}

fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

pub fn incomplete_response() -> Problem {
    tracing::error!("response of checkout has no subscription");
    Problem::internal()
}
