//! Proto to domain and back. What comes in is checked here once.

use std::collections::BTreeMap;

use kit::idempotency::{self, Key};
use prost::Message;
use proto::checkout::v1 as wire;

use super::language;
use crate::domain::ids::UserId;
use crate::domain::order::buyer::Buyer;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::PaymentState;
use crate::domain::pricing::bin::{Bin, NotABin};
use crate::domain::pricing::catalogue::Price;
use crate::domain::pricing::free_trial;
use crate::domain::provider::Provider;
use crate::domain::survey::survey_order::{SurveyOrderRequest, Terms};
use crate::domain::webhook_event::WebhookRequest;
use crate::error::{Error, Result};
use crate::flows::api::orders::confirm_platron_payment::ReturnedPayment;
use crate::flows::api::orders::create_gift::OpenedGift;
use crate::flows::api::orders::create_subscription::CreateSubscription;
use crate::flows::api::pricing::resolve_campaign::{ResolveCampaign, ResolvedOffer};
use crate::flows::api::surveys::create_survey_order::CreateSurveyOrder;
use crate::flows::steps::hosted::link_subscription::LinkPaypalSubscription;
use crate::flows::steps::hosted::offer_hosted_checkouts::{HostedCheckouts, Opened};
use crate::flows::steps::pricing::resolve_price::QuotedPrice;
use crate::rpc::text::{TEXT_LENGTH_MAX, short};

pub const QUOTED_MAX: usize = 50;

const TRACKED_MAX: usize = 20;

/// One subscription is one seat; companies buy seats elsewhere.
const QUANTITY: i32 = 1;

pub fn user_id(text: &str) -> Result<UserId> {
    UserId::parse(text).ok_or(Error::Invalid {
        field: "user_id",
        why: "is not a member's id",
    })
}

pub fn delivery(request: wire::ReceiveWebhookRequest) -> Result<(Provider, WebhookRequest)> {
    let provider = match request.provider() {
        wire::Provider::Stripe => Provider::Stripe,
        wire::Provider::Paypal => Provider::Paypal,
        wire::Provider::Yookassa => Provider::Yookassa,
        wire::Provider::Platron => Provider::Platron,
        wire::Provider::Unspecified => {
            return Err(Error::Invalid {
                field: "provider",
                why: "is not one we are paid through",
            });
        }
    };
    let request = WebhookRequest {
        body: request.body,
        signature: request.signature,
        headers: request.headers.into_iter().collect(),
        script: request.script,
    };
    Ok((provider, request))
}

pub fn resolve_campaign(request: wire::ResolveCampaignRequest) -> Result<ResolveCampaign> {
    let user_id = match request.user_id.as_str() {
        "" => None,
        text => Some(user_id(text)?),
    };
    Ok(ResolveCampaign {
        campaign: request.campaign,
        coupon_code: request.coupon_code,
        language: language::of(request.language)?,
        country: short("country", request.country)?,
        user_id,
        email: short("email", request.email)?,
        full_name: short("full_name", request.full_name)?,
    })
}

pub fn create_subscription(request: wire::CreateSubscriptionRequest) -> Result<CreateSubscription> {
    let user_id = user_id(&request.user_id)?;
    let scope = format!("{user_id}/create_subscription");
    let key = idempotency_key(&scope, &request.idempotency_key, &request)?;
    let tracking = tracking(request.tracking);
    Ok(CreateSubscription {
        buyer: Buyer {
            user_id,
            email: short("email", request.email)?,
            full_name: short("full_name", request.full_name)?,
        },
        quoted_price: QuotedPrice {
            price_id: request.price_id.parse().map_err(|_| Error::UnknownPrice)?,
            coupon_code: request.coupon_code,
            quote: request.quote,
        },
        payment_method_id: payment_method_id(request.payment_method_id)?,
        card_network: card_network(request.card_network)?,
        payment_source: payment_source(request.payment_source)?,
        country: short("country", request.country)?,
        language: language::of(request.language)?,
        tracking,
        key,
    })
}

/// Survey callers are anonymous: the key is not bound to a member.
pub fn create_survey_order(request: wire::CreateSurveyOrderRequest) -> Result<CreateSurveyOrder> {
    let key = idempotency_key("visitor/create_survey_order", &request.idempotency_key, &request)?;
    let terms = Terms::accept(SurveyOrderRequest {
        flow: request.flow,
        variant: request.variant,
        ab_group: request.ab_group,
        product_type: request.product_type,
        language: request.lang,
        country: request.country,
        tracking: request.tracking.unwrap_or_default().parameters,
    })?;
    Ok(CreateSurveyOrder { terms, key })
}

/// What can be kept of where a buyer came from.
pub fn tracking(tracking: Option<proto::common::v1::Tracking>) -> BTreeMap<String, String> {
    let parameters = tracking.unwrap_or_default().parameters;
    parameters
        .into_iter()
        .filter(|(name, value)| name.len().max(value.len()) <= TEXT_LENGTH_MAX)
        .take(TRACKED_MAX)
        .collect()
}

pub fn idempotency_key(scope: &str, key: &str, request: &impl Message) -> Result<Option<Key>> {
    if key.is_empty() {
        return Ok(None);
    }
    if key.len() > TEXT_LENGTH_MAX {
        return Err(Error::Invalid {
            field: "idempotency_key",
            why: "is longer than 255",
        });
    }
    Ok(Some(Key {
        scope: scope.to_owned(),
        key: key.to_owned(),
        fingerprint: idempotency::fingerprint(request),
    }))
}

pub fn payment_method_id(text: String) -> Result<String> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if text.is_empty() || text.len() > TEXT_LENGTH_MAX || !plain {
        return Err(Error::Invalid {
            field: "payment_method_id",
            why: "is not a provider's id of a card",
        });
    }
    Ok(text)
}

/// A card has two networks where one of them is Cartes Bancaires.
fn card_network(text: String) -> Result<Option<String>> {
    match text.as_str() {
        "" => Ok(None),
        "cartes_bancaires" | "mastercard" | "visa" => Ok(Some(text)),
        _ => Err(Error::Invalid {
            field: "card_network",
            why: "is no network that a card leaves a choice of",
        }),
    }
}

fn payment_source(text: String) -> Result<String> {
    match text.as_str() {
        "" => Ok("stripe".to_owned()),
        "stripe" | "apple_google_pay" => Ok(text),
        _ => Err(Error::Invalid {
            field: "payment_source",
            why: "is neither stripe nor apple_google_pay",
        }),
    }
}

pub fn offer(price: &Price) -> Result<wire::Offer> {
    let terms = &price.terms;
    Ok(wire::Offer {
        campaign: price.campaign.clone(),
        campaign_id: price.campaign_id.to_string(),
        coupon_code: terms.coupon_code.clone(),
        price_id: price.price_id.to_string(),
        price: Some(terms.amount.into()),
        default_price: Some(terms.list.into()),
        discount_amount: Some(terms.discount()?.into()),
        discount_rate_percent: terms.discount_rate_percent(),
        trial_days: terms.trial_days,
        period_months: terms.period_months,
        product: terms.product.clone(),
        opens: terms.opens.names(),
    })
}

pub fn resolved_offer(resolved: ResolvedOffer) -> Result<wire::ResolveCampaignResponse> {
    let trial = resolved.trial.map(|trial| wire::TrialPrice {
        price_id: trial.price_id.to_string(),
        price: Some(trial.terms.amount.into()),
    });
    let offer = wire::Offer {
        trial_days: resolved.trial_days,
        ..offer(&resolved.price)?
    };
    Ok(wire::ResolveCampaignResponse {
        offer: Some(offer),
        stripe_customer_id: resolved.stripe_customer_id.unwrap_or_default(),
        kind: resolved.price.terms.kind.name().to_owned(),
        stripe_price_id: resolved.price.stripe_price_id.clone().unwrap_or_default(),
        quote: resolved.quote,
        quote_expires_at: Some(resolved.quote_expires_at.into()),
        trial_prices: trial.into_iter().collect(),
        paypal_plan_id: resolved.paypal_plan_id.unwrap_or_default(),
        russian: resolved.hosted_checkouts.as_ref().map(russian_pages),
    })
}

fn russian_pages(pages: &HostedCheckouts) -> wire::HostedCheckouts {
    let Opened {
        redirect_urls_or_tokens,
        unavailable,
    } = &pages.opened;
    wire::HostedCheckouts {
        has_subscription: pages.has_subscription,
        yookassa_token: handle(redirect_urls_or_tokens, Provider::Yookassa),
        platron_url: handle(redirect_urls_or_tokens, Provider::Platron),
        unavailable: unavailable.iter().map(|it| provider(*it).into()).collect(),
    }
}

/// By which a gift's pages are opened.
pub fn created_gift(opened: &OpenedGift) -> wire::CreateGiftResponse {
    let payment_status = if opened.is_paid {
        "succeeded"
    } else {
        "requires_payment_method"
    };
    wire::CreateGiftResponse {
        order_id: opened.order_id.to_string(),
        payment_status: payment_status.to_owned(),
        yookassa_token: handle(&opened.redirect_urls_or_tokens, Provider::Yookassa),
        platron_url: handle(&opened.redirect_urls_or_tokens, Provider::Platron),
    }
}

/// What the provider's page is opened by; empty where it has none.
fn handle(redirect_urls_or_tokens: &[(Provider, String)], wanted: Provider) -> String {
    let found = redirect_urls_or_tokens
        .iter()
        .find(|(provider, _)| *provider == wanted);
    found.map(|(_, handle)| handle.clone()).unwrap_or_default()
}

/// The payment's number, and the reference that proves that it is the caller's.
pub fn platron_payment(request: wire::ConfirmPlatronPaymentRequest) -> Result<ReturnedPayment> {
    let id = short("payment_id", request.payment_id)?;
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Error::UnknownOrder);
    }
    let reference = request.reference.parse().map_err(|()| Error::UnknownOrder)?;
    Ok(ReturnedPayment {
        provider: Provider::Platron,
        provider_payment_id: id,
        reference,
    })
}

/// The format of PayPal's subscription ids; anything else is rejected without a call.
pub fn link_paypal_subscription(
    request: wire::LinkPaypalSubscriptionRequest,
) -> Result<LinkPaypalSubscription> {
    let id = short("subscription_id", request.subscription_id)?;
    let is_plain = id
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if id.is_empty() || !is_plain {
        return Err(Error::UnknownApproval);
    }
    Ok(LinkPaypalSubscription {
        buyer: Buyer {
            user_id: user_id(&request.user_id)?,
            email: short("email", request.email)?,
            full_name: short("full_name", request.full_name)?,
        },
        provider_subscription_id: id,
        country: short("country", request.country)?,
        language: language::of(request.language)?,
        tracking: tracking(request.tracking),
    })
}

pub fn bin(text: &str) -> Result<Bin> {
    Bin::parse(text).map_err(|error| Error::Invalid {
        field: "bin",
        why: match error {
            NotABin::Empty => "is empty",
            NotABin::TooLong => "has more than eight digits",
            NotABin::NotDigits => "is not digits alone",
        },
    })
}

/// A declined card is a refusal to the buyer, though the order stays open for another.
pub fn created(purchase: SubscriptionOrder) -> Result<wire::CreateSubscriptionResponse> {
    let mut response = wire::CreateSubscriptionResponse {
        subscription: Some(subscription(&purchase)),
        payment_status: payment_status(&purchase.payment.state).to_owned(),
        payment_intent_id: purchase.payment.provider_intent_id.unwrap_or_default(),
        quantity: QUANTITY,
        ..Default::default()
    };
    match purchase.payment.state {
        PaymentState::Failed { decline } if decline.code == free_trial::USED => return Err(Error::TrialUsed),
        PaymentState::Failed { decline } => return Err(Error::Declined(decline)),
        PaymentState::RequiresAction { client_secret } => response.client_secret = client_secret,
        PaymentState::RequiresSetup { client_secret, .. } => {
            response.setup_intent_secret = client_secret;
            // Specified so: by this state with this secret the page confirms the card. The trial begins afterwards.
            if let Some(subscription) = &mut response.subscription {
                "trialing".clone_into(&mut subscription.status);
            }
        }
        _ => {}
    }
    Ok(response)
}

pub fn confirmed(purchase: &SubscriptionOrder) -> wire::ConfirmSubscriptionResponse {
    wire::ConfirmSubscriptionResponse {
        subscription: Some(subscription(purchase)),
        payment_status: payment_status(&purchase.payment.state).to_owned(),
    }
}

/// The provider's word on the first payment; empty while a trial owes nothing.
fn payment_status(state: &PaymentState) -> &'static str {
    match state {
        PaymentState::Intended | PaymentState::Unknown | PaymentState::Processing => "processing",
        PaymentState::RequiresAction { .. } => "requires_action",
        PaymentState::RequiresSetup { .. } | PaymentState::Deferred { .. } => "",
        PaymentState::Succeeded { .. } => "succeeded",
        PaymentState::Failed { .. } => "requires_payment_method",
        PaymentState::Canceled => "canceled",
    }
}

pub fn provider(provider: Provider) -> wire::Provider {
    match provider {
        Provider::Stripe => wire::Provider::Stripe,
        Provider::Paypal => wire::Provider::Paypal,
        Provider::Yookassa => wire::Provider::Yookassa,
        Provider::Platron => wire::Provider::Platron,
    }
}

pub fn subscription(purchase: &SubscriptionOrder) -> wire::Subscription {
    let SubscriptionOrder {
        order,
        subscription,
        payment,
        ..
    } = purchase;
    wire::Subscription {
        subscription_id: subscription.subscription_id.to_string(),
        order_id: order.order_id.to_string(),
        product: order.product.clone(),
        price_id: order.price_id.to_string(),
        status: subscription.state.name().to_owned(),
        price: Some(order.amount.into()),
        trial_days: order.trial_days,
        current_period_end: subscription.state.period_end().map(Into::into),
        created_at: Some(subscription.created_at.into()),
        provider: provider(payment.provider).into(),
        ..Default::default()
    }
}
