//! Executes a one-time payment at the provider with a stored key. Repeating it, also after a crash, opens
//! and charges nothing twice.

use super::execute_payment::{customer_id, not_accepted};
use super::settle_intent::settle_intent;
use crate::domain::ids::PaymentId;
use crate::domain::order::OrderState;
use crate::domain::order::intent::{IntentResult, IntentSnapshot};
use crate::domain::order::one_time_order::{OneTimeOrder, saves_card};
use crate::domain::payment::Disposition;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::ports::{Card, Later, NewIntent, ProviderError};
use crate::store::order::{customers, one_time_orders};

pub async fn execute_intent(checkout: &Checkout, payment_id: PaymentId) -> Result<OneTimeOrder> {
    let mut connection = checkout.pool.acquire().await?;
    let one_time = one_time_orders::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    // What another attempt has paid, or was given up, must not be charged.
    if one_time.payment.disposition() != Disposition::InFlight || one_time.order.state != OrderState::Open {
        return Ok(one_time);
    }
    let result = match ask(checkout, &one_time).await {
        Ok(seen) => IntentResult::Snapshot(seen),
        Err(Error::Provider(error)) => {
            tracing::warn!(order.id = %one_time.order.order_id, %error, "The provider did not accept a payment");
            result_of(error)
        }
        Err(inside) => return Err(inside),
    };
    settle_intent(checkout, payment_id, &result).await
}

async fn ask(checkout: &Checkout, one_time: &OneTimeOrder) -> Result<IntentSnapshot> {
    let OneTimeOrder { order, payment, .. } = one_time;
    let provider_customer_id = if order.user_id.is_guest() {
        None
    } else {
        let mut connection = checkout.pool.acquire().await?;
        let customer = customers::find(&mut connection, &order.user_id).await?;
        drop(connection);
        Some(customer_id(checkout, customer).await?)
    };
    let new = NewIntent {
        payment_id: payment.payment_id,
        order_id: order.order_id,
        amount: order.amount,
        provider_customer_id,
        card: match payment.payment_method_id.as_str() {
            "" => Card::OfThePage,
            known => Card::Known(known.to_owned()),
        },
        later: if saves_card(order) {
            Later::OffSession
        } else {
            Later::Nothing
        },
        idempotency_key: payment.idempotency_key.clone(),
    };
    let intents = checkout.providers.of(payment.provider)?.own_page()?;
    Ok(intents.create_intent(&new).await?)
}

fn result_of(error: ProviderError) -> IntentResult {
    match error {
        ProviderError::Declined(decline) => IntentResult::Refused(decline),
        ProviderError::Rejected { code, .. } => IntentResult::Refused(not_accepted(code)),
        ProviderError::NotFound => IntentResult::Refused(not_accepted("not_found".to_owned())),
        ProviderError::NotConfigured(_) | ProviderError::Unsupported(..) | ProviderError::NotSent(_) => {
            IntentResult::NotSent
        }
        ProviderError::InProgress | ProviderError::OutcomeUnknown(_) => IntentResult::OutcomeUnknown,
    }
}
