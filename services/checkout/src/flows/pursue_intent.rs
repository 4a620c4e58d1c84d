//! Takes what is paid once to the provider, under a key that was stored before: doing it again, here or after a crash, opens
//! and charges nothing a second time.

use super::Checkout;
use super::pursue_payment::{customer_id, not_accepted};
use super::settle_intent::settle_intent;
use crate::domain::ids::PaymentId;
use crate::domain::intent::{IntentReport, IntentSnapshot};
use crate::domain::order::OrderState;
use crate::domain::payment::Standing;
use crate::domain::sale::{Sale, keeps_card};
use crate::error::{Error, Result};
use crate::ports::{Card, Later, NewIntent, ProviderError};
use crate::store::{customers, sales};

pub async fn pursue_intent(checkout: &Checkout, payment_id: PaymentId) -> Result<Sale> {
    let mut connection = checkout.pool.acquire().await?;
    let sale = sales::read_payment(&mut connection, payment_id).await?;
    drop(connection);
    // What another attempt has paid, or was given up, must not be charged.
    if sale.payment.standing() != Standing::InFlight || sale.order.state != OrderState::Open {
        return Ok(sale);
    }
    let report = match ask(checkout, &sale).await {
        Ok(seen) => IntentReport::Seen(seen),
        Err(Error::Provider(error)) => {
            tracing::warn!(order.id = %sale.order.order_id, %error, "The provider did not accept a payment");
            report_of(error)
        }
        Err(inside) => return Err(inside),
    };
    settle_intent(checkout, payment_id, &report).await
}

async fn ask(checkout: &Checkout, sale: &Sale) -> Result<IntentSnapshot> {
    let Sale { order, payment, .. } = sale;
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
        later: if keeps_card(order) {
            Later::OffSession
        } else {
            Later::Nothing
        },
        idempotency_key: payment.idempotency_key.clone(),
    };
    Ok(checkout.providers.cards.intents.create_intent(&new).await?)
}

fn report_of(error: ProviderError) -> IntentReport {
    match error {
        ProviderError::Declined(decline) => IntentReport::Refused(decline),
        ProviderError::Rejected { code, .. } => IntentReport::Refused(not_accepted(code)),
        ProviderError::NotFound => IntentReport::Refused(not_accepted("not_found".to_owned())),
        ProviderError::NotConfigured(_) | ProviderError::Unreached(_) => IntentReport::Unreached,
        ProviderError::InProgress | ProviderError::NoAnswer(_) => IntentReport::NoAnswer,
    }
}
