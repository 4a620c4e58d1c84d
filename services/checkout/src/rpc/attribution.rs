//! Survey orders and attribution: proto to flows.

use proto::checkout::v1 as wire;

use super::convert;
use crate::domain::ids::SurveyOrderId;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::subscriptions::set_subscription_attribution::set_subscription_attribution as set_attribution;
use crate::flows::api::surveys::save_survey_answers::AccessKey;
use crate::flows::api::surveys::settle_survey_order::{
    prove_survey_order, settle_survey_order as settle, take_survey_order,
};

pub async fn claim_survey_order(
    checkout: &Checkout,
    request: &wire::ClaimSurveyOrderRequest,
) -> Result<wire::ClaimSurveyOrderResponse> {
    let user_id = convert::user_id(&request.user_id)?;
    let id = survey_order(&request.order_id)?;
    take_survey_order(checkout, &user_id, id).await?;
    if !request.access_key.is_empty() {
        prove_survey_order(checkout, &user_id, id, &AccessKey(request.access_key.clone())).await?;
    }
    Ok(wire::ClaimSurveyOrderResponse {})
}

pub async fn settle_survey_order(
    checkout: &Checkout,
    request: &wire::SettleSurveyOrderRequest,
) -> Result<wire::SettleSurveyOrderResponse> {
    let user_id = match request.user_id.as_str() {
        "" => None,
        text => Some(convert::user_id(text)?),
    };
    let paid = settle(checkout, user_id.as_ref(), survey_order(&request.order_id)?).await?;
    Ok(wire::SettleSurveyOrderResponse { paid })
}

pub async fn set_subscription_attribution(
    checkout: &Checkout,
    request: wire::SetSubscriptionAttributionRequest,
) -> Result<wire::SetSubscriptionAttributionResponse> {
    let user_id = convert::user_id(&request.user_id)?;
    let tracking = convert::tracking(request.tracking);
    set_attribution(checkout, &user_id, &request.subscription_id, &tracking).await?;
    Ok(wire::SetSubscriptionAttributionResponse {})
}

fn survey_order(text: &str) -> Result<SurveyOrderId> {
    text.parse().map_err(|_| Error::UnknownOrder)
}
