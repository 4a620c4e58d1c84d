//! Campaign prices, in the specified payment envelope.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use kit::money::Money;
use proto::auth::v1::User;
use proto::checkout::v1::{HostedCheckouts, Provider, ResolveCampaignRequest, ResolveCampaignResponse};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use utoipa::ToSchema;

use crate::protocol::error::{HandlerResult, PaymentError, Problem};
use crate::rest::body::{Json as JsonBody, JsonOrForm};
use crate::rest::viewer::Bearer;
use crate::security::country;
use crate::state::AppState;

/// `ip`, `user_id`, `customer_name` and `customer_email` are specified and ignored: the country comes from the proxy, the user
/// from the session, and a price request stores no personal data.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct CampaignRequest {
    #[schema(example = "web-annual")]
    campaign: String,
    #[schema(example = "WELCOME20")]
    coupon_code: Option<String>,
    /// Without one: the page's, else the visitor's choice, else the browser's.
    #[schema(example = "tr")]
    language: Option<String>,
    #[schema(example = "TR")]
    country: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct CampaignResponse {
    #[schema(example = true)]
    status: bool,
    data: Campaign,
    code: Option<String>,
    message: Option<String>,
}

/// Amounts are in major units.
#[derive(Serialize, ToSchema)]
pub struct Campaign {
    /// The provider's id of the buyer, where there is one.
    customer_id: Option<String>,
    /// Ours: what is sent back to buy it.
    #[schema(example = "prc_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    price_id: String,
    #[schema(example = "TRY")]
    currency: String,
    #[schema(value_type = f64, example = 959.2)]
    price: Number,
    /// In whole percent.
    discount_rate: i32,
    #[schema(value_type = f64, example = 1199)]
    default_price: Number,
    default_price_currency: String,
    #[schema(value_type = f64, example = 239.8)]
    discount_amount: Number,
    trial_days: i32,
    #[serde(rename = "campaign_id")]
    id: String,
    providers: Providers,
    has_trial_price: bool,
    trial_prices: TrialPrices,
    period_months: i32,
    product: String,
    /// What it opens for its buyer: `premium`, `coaching`, `therapy`.
    opens: Vec<String>,
    /// `subscription`, `one_time`, `gift`, `addition` or `lifetime`.
    #[schema(example = "subscription")]
    kind: String,
    /// The offer, signed. Sent back before it expires, it makes the price shown the price charged.
    quote: String,
    #[schema(format = DateTime, value_type = Option<String>)]
    quote_expires_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
pub struct Providers {
    stripe: Option<StripePrice>,
    paypal: Option<PaypalPrice>,
    yookassa: Option<YookassaPage>,
    platron: Option<PlatronPage>,
    /// Who sells this to the member but could not open a page just now: `yookassa`, `platron`. Asked again, they may.
    unavailable: Vec<&'static str>,
}

/// A plan of PayPal's. The page makes the subscription with the member's id as its `custom_id`; language and country may follow
/// it, each after a space.
#[derive(Serialize, ToSchema)]
pub struct PaypalPrice {
    #[schema(example = "P-5ML4271244454362WXNWU5NQ")]
    price_id: String,
}

/// For members in Russia and Belarus.
#[derive(Serialize, ToSchema)]
pub struct YookassaPage {
    /// Another subscription is refused: SB101.
    has_subscription: bool,
    /// What YooKassa's widget is opened by.
    confirmation_token: Option<String>,
}

/// For members in Russia and Belarus.
#[derive(Serialize, ToSchema)]
pub struct PlatronPage {
    price_id: String,
    redirect_url: String,
}

#[derive(Serialize, ToSchema)]
pub struct StripePrice {
    customer_id: Option<String>,
    price_id: String,
}

#[derive(Serialize, ToSchema)]
pub struct TrialPrices {
    stripe: Vec<TrialPrice>,
}

#[derive(Serialize, ToSchema)]
pub struct TrialPrice {
    /// Ours, of what is paid for the trial.
    price_id: String,
    /// Ours, of what begins after it.
    id: String,
    customer_id: Option<String>,
    /// What the trial costs, in the campaign's currency and major units.
    #[schema(value_type = f64, example = 1)]
    price: Number,
}

/// The price of a campaign for the signed-in member.
#[utoipa::path(
    post, path = "/api/web-campaign", tag = "checkout", request_body = CampaignRequest, security(("session" = [])),
    responses(
        (status = 200, body = CampaignResponse, description = "Or a refusal: V100, UNKNOWN_CAMPAIGN, ALREADY_OWNED, SESSIONS_NOT_BOOKABLE, UNKNOWN_COUPON or another COUPON_ code"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
    )
)]
pub async fn web_campaign(
    Bearer(viewer): Bearer,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    JsonBody(asked): JsonBody<CampaignRequest>,
) -> HandlerResult<Response> {
    resolve(&app, &headers, asked, Some(viewer.user)).await
}

/// The price of a campaign for visitors.
#[utoipa::path(
    post, path = "/api/web-campaign-landing", tag = "checkout",
    request_body(content((CampaignRequest = "application/json"), (CampaignRequest = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, body = CampaignResponse, description = "Or a refusal: UNKNOWN_CAMPAIGN, SESSIONS_NOT_BOOKABLE, UNKNOWN_COUPON or another COUPON_ code"),
        (status = 400, body = PaymentError, description = "The body cannot be read"),
    )
)]
pub async fn web_campaign_landing(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    JsonOrForm(asked): JsonOrForm<CampaignRequest>,
) -> HandlerResult<Response> {
    resolve(&app, &headers, asked, None).await
}

async fn resolve(
    app: &AppState,
    headers: &HeaderMap,
    asked: CampaignRequest,
    user: Option<User>,
) -> HandlerResult<Response> {
    let request = ResolveCampaignRequest {
        country: country::decide(
            headers,
            app.config.clients.country_header.as_ref(),
            asked.country.as_deref(),
        ),
        campaign: asked.campaign,
        coupon_code: asked.coupon_code.unwrap_or_default(),
        language: asked.language.unwrap_or_default(),
        user_id: user.as_ref().map(|user| user.user_id.clone()).unwrap_or_default(),
        email: user.as_ref().map(|user| user.email.clone()).unwrap_or_default(),
        full_name: user.map(|user| user.full_name).unwrap_or_default(),
    };
    let answer = app
        .clients
        .checkout()
        .resolve_campaign(request)
        .await?
        .into_inner();
    let data = campaign(answer).ok_or_else(malformed_offer)?;
    Ok(Json(CampaignResponse {
        status: true,
        data,
        code: None,
        message: None,
    })
    .into_response())
}

fn campaign(answer: ResolveCampaignResponse) -> Option<Campaign> {
    let offer = answer.offer?;
    let price = amount(offer.price)?;
    let default_price = amount(offer.default_price)?;
    let customer_id = non_empty(answer.stripe_customer_id);
    let stripe = non_empty(answer.stripe_price_id).map(|price_id| StripePrice {
        customer_id: customer_id.clone(),
        price_id,
    });
    let trial = |trial: proto::checkout::v1::TrialPrice| {
        Some(TrialPrice {
            price: amount(trial.price)?.major_number(),
            price_id: trial.price_id,
            id: offer.price_id.clone(),
            customer_id: customer_id.clone(),
        })
    };
    let unavailable = answer.russian.as_ref().map(unavailable).unwrap_or_default();
    let (yookassa, platron) = russian_providers(answer.russian, &offer.price_id);
    let trials: Vec<TrialPrice> = answer.trial_prices.into_iter().filter_map(trial).collect();
    Some(Campaign {
        customer_id,
        price_id: offer.price_id,
        currency: price.currency.code().to_owned(),
        price: price.major_number(),
        discount_rate: offer.discount_rate_percent,
        default_price: default_price.major_number(),
        default_price_currency: default_price.currency.code().to_owned(),
        discount_amount: amount(offer.discount_amount)?.major_number(),
        trial_days: offer.trial_days,
        id: offer.campaign_id,
        providers: Providers {
            stripe,
            paypal: non_empty(answer.paypal_plan_id).map(|price_id| PaypalPrice { price_id }),
            yookassa,
            platron,
            unavailable,
        },
        has_trial_price: !trials.is_empty(),
        trial_prices: TrialPrices { stripe: trials },
        period_months: offer.period_months,
        product: offer.product,
        opens: offer.opens,
        kind: answer.kind,
        quote: answer.quote,
        quote_expires_at: answer.quote_expires_at.and_then(|at| at.try_into().ok()),
    })
}

fn russian_providers(
    pages: Option<HostedCheckouts>,
    price_id: &str,
) -> (Option<YookassaPage>, Option<PlatronPage>) {
    let Some(pages) = pages else {
        return (None, None);
    };
    let platron = non_empty(pages.platron_url).map(|redirect_url| PlatronPage {
        price_id: price_id.to_owned(),
        redirect_url,
    });
    let yookassa = YookassaPage {
        has_subscription: pages.has_subscription,
        confirmation_token: non_empty(pages.yookassa_token),
    };
    (Some(yookassa), platron)
}

fn unavailable(pages: &HostedCheckouts) -> Vec<&'static str> {
    let name = |provider| match provider {
        Provider::Yookassa => Some("yookassa"),
        Provider::Platron => Some("platron"),
        Provider::Stripe | Provider::Paypal | Provider::Unspecified => None,
    };
    pages.unavailable().filter_map(name).collect()
}

fn amount(money: Option<proto::common::v1::Money>) -> Option<Money> {
    Money::try_from(money?).ok()
}

fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn malformed_offer() -> Problem {
    tracing::error!("offer of checkout has no amount or currency");
    Problem::internal()
}
