//! One-time orders: proto to domain and back.

use std::sync::Arc;

use proto::checkout::v1 as wire;
use proto::checkout::v1::create_intent_request::Purpose as WirePurpose;

use super::{convert, language, text};
use crate::domain::ids::PriceId;
use crate::domain::order::buyer::Buyer;
use crate::domain::order::one_time_order::IntentPurpose;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::PaymentState;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::orders::confirm_intent::confirm_intent;
use crate::flows::api::orders::create_intent::{CreateIntent, confirm_addition, create_intent};
use crate::flows::api::orders::list_additions::{AdditionQuery, list_additions as additions};
use crate::flows::api::orders::list_purchases::{OneTimePurchase, list_purchases as purchases};
use crate::flows::steps::pricing::resolve_price::QuotedPrice;

pub async fn create(
    checkout: &Arc<Checkout>,
    request: wire::CreateIntentRequest,
) -> Result<wire::CreateIntentResponse> {
    let command = command(request)?;
    let one_time = if command.purpose == IntentPurpose::Addition {
        confirm_addition(checkout, command).await?
    } else {
        create_intent(checkout, &command).await?
    };
    opened(one_time)
}

pub async fn confirm(
    checkout: &Arc<Checkout>,
    request: wire::ConfirmIntentRequest,
) -> Result<wire::CreateIntentResponse> {
    let user_id = convert::user_id(&request.user_id)?;
    let one_time = confirm_intent(checkout, &user_id, &request.payment_intent_id).await?;
    Ok(answer(one_time))
}

pub async fn list_additions(
    checkout: &Arc<Checkout>,
    request: wire::ListAdditionsRequest,
) -> Result<wire::ListAdditionsResponse> {
    let user_id = convert::user_id(&request.user_id)?;
    let language = language::of(request.language)?;
    let query = AdditionQuery {
        filter: &request.filter,
        language: &language,
        country: &request.country,
    };
    let (prices, card) = additions(checkout, &user_id, query).await?;
    Ok(wire::ListAdditionsResponse {
        offers: prices.iter().map(convert::offer).collect::<Result<_>>()?,
        card_last4: card.map(|card| card.last4).unwrap_or_default(),
    })
}

pub async fn list_purchases(
    checkout: &Checkout,
    request: wire::ListPurchasesRequest,
) -> Result<wire::ListPurchasesResponse> {
    let user_id = convert::user_id(&request.user_id)?;
    let bought = purchases(checkout, &user_id).await?;
    Ok(wire::ListPurchasesResponse {
        purchases: bought.into_iter().map(purchase).collect(),
    })
}

fn purchase(bought: OneTimePurchase) -> wire::Purchase {
    wire::Purchase {
        order_id: bought.order_id.to_string(),
        kind: bought.kind,
        product: bought.product,
        price_id: bought.price_id.to_string(),
        price: Some(bought.price.into()),
        provider: convert::provider(bought.provider).into(),
        paid_at: Some(bought.paid_at.into()),
        receipts: vec![wire::Receipt {
            payment_id: bought.payment_id.to_string(),
            paid_at: Some(bought.paid_at.into()),
            amount: Some(bought.price.into()),
            reason: "first".to_owned(),
        }],
        refunded: (bought.refunded.minor > 0).then(|| bought.refunded.into()),
    }
}

fn purpose(purpose: i32) -> Result<IntentPurpose> {
    Ok(match WirePurpose::try_from(purpose) {
        Ok(WirePurpose::Payment) => IntentPurpose::Payment,
        Ok(WirePurpose::Trial) => IntentPurpose::Trial,
        Ok(WirePurpose::Gift) => IntentPurpose::Gift,
        Ok(WirePurpose::OneTime) => IntentPurpose::OneTime,
        Ok(WirePurpose::Addition) => IntentPurpose::Addition,
        Ok(WirePurpose::Unspecified) | Err(_) => {
            return Err(Error::Invalid {
                field: "purpose",
                why: "is none of ours",
            });
        }
    })
}

fn command(request: wire::CreateIntentRequest) -> Result<CreateIntent> {
    let purpose = purpose(request.purpose)?;
    let buyer = match request.user_id.as_str() {
        "" if purpose.serves_guests() => None,
        text => Some(Buyer {
            user_id: convert::user_id(text)?,
            email: text::short("email", request.email.clone())?,
            full_name: text::short("full_name", request.full_name.clone())?,
        }),
    };
    let who = buyer.as_ref().map_or("visitor", |buyer| buyer.user_id.as_str());
    let scope = format!("{who}/create_intent");
    let key = convert::idempotency_key(&scope, &request.idempotency_key, &request)?;
    let price_id: PriceId = request.price_id.parse().map_err(|_| Error::UnknownPrice)?;
    let (shown_id, trial_price_id) = if purpose == IntentPurpose::Trial {
        let starts = request.starts_price_id.parse().map_err(|_| Error::UnknownPrice)?;
        (starts, Some(price_id))
    } else {
        (price_id, None)
    };
    Ok(CreateIntent {
        purpose,
        buyer,
        quoted_price: QuotedPrice {
            price_id: shown_id,
            coupon_code: request.coupon_code,
            quote: request.quote,
        },
        trial_price_id,
        card: String::new(),
        payment_source: text::short("source", request.source)?,
        country: text::short("country", request.country)?,
        language: language::of(request.language)?,
        tracking: convert::tracking(request.tracking),
        key,
    })
}

/// Returns the client secret, or that it is paid.
fn opened(one_time: OrderAttempt) -> Result<wire::CreateIntentResponse> {
    match one_time.payment.state {
        PaymentState::Failed { decline } => Err(Error::Declined(decline)),
        PaymentState::Canceled => Err(Error::UnknownPrice),
        PaymentState::Intended | PaymentState::Unknown => Err(Error::unanswered()),
        _ => Ok(answer(one_time)),
    }
}

fn answer(one_time: OrderAttempt) -> wire::CreateIntentResponse {
    let payment_status = match one_time.payment.state {
        PaymentState::Succeeded { .. } => "succeeded",
        PaymentState::Canceled | PaymentState::Failed { .. } => "canceled",
        PaymentState::RequiresAction { .. } | PaymentState::RequiresSetup { .. } => "requires_payment_method",
        _ => "processing",
    };
    wire::CreateIntentResponse {
        order_id: one_time.order.order_id.to_string(),
        payment_status: payment_status.to_owned(),
        payment_intent_id: one_time.payment.provider_intent_id.unwrap_or_default(),
        client_secret: match one_time.payment.state {
            PaymentState::RequiresAction { client_secret } => client_secret,
            _ => String::new(),
        },
    }
}
