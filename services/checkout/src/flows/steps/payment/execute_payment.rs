//! Executes an intended payment at the provider: customer, card, subscription. Every call carries a key that was stored
//! before, so that repeating it, also after a crash, charges only once.

use super::settle_payment::settle_payment;
use crate::domain::ids::PaymentId;
use crate::domain::order::subscription_order::SubscriptionOrder;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::payment::{Decline, Disposition};
use crate::domain::pricing::catalogue::Price;
use crate::domain::pricing::free_trial::{self, PayerMark};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::pricing::check_card::check_card;
use crate::flows::steps::pricing::sync_prices::provider_price_id;
use crate::flows::steps::subscription::claim_trial::claim_trial;
use crate::ports::{NewCard, NewSubscription, ProviderError};
use crate::store;
use crate::store::order::customers::Customer;
use crate::store::order::subscription_orders;
use crate::store::pricing::prices;

/// Input of the provider calls.
pub struct PaymentExecution {
    pub purchase: SubscriptionOrder,
    pub price: Price,
    pub customer: Customer,
}

pub async fn execute_payment(checkout: &Checkout, payment_id: PaymentId) -> Result<SubscriptionOrder> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read_payment(&mut connection, payment_id).await?;
    // What another attempt has paid must not be charged again.
    if purchase.payment.disposition() != Disposition::InFlight || purchase.order.is_paid() {
        return Ok(purchase);
    }
    let price = prices::read(&mut connection, purchase.order.price_id).await?;
    let customer = store::order::customers::find(&mut connection, &purchase.order.user_id).await?;
    drop(connection);
    let execution = PaymentExecution {
        purchase,
        price,
        customer,
    };
    execute(checkout, execution).await
}

/// Executes a payment that was just read or committed.
pub async fn execute(checkout: &Checkout, execution: PaymentExecution) -> Result<SubscriptionOrder> {
    let payment_id = execution.purchase.payment.payment_id;
    let order_id = execution.purchase.order.order_id;
    let result = match ask(checkout, execution).await {
        Ok(result) => result,
        Err(Error::Provider(error)) => {
            tracing::warn!(order.id = %order_id, %error, "The provider did not accept a payment");
            result_of(error)
        }
        Err(inside) => return Err(inside),
    };
    settle_payment(checkout, payment_id, &result).await
}

async fn ask(checkout: &Checkout, execution: PaymentExecution) -> Result<ProviderResult> {
    let PaymentExecution {
        purchase: SubscriptionOrder { order, payment, .. },
        price,
        customer,
    } = execution;
    check_card(checkout, &price, &payment.payment_method_id).await?;
    let provider_price_id = provider_price_id(checkout, &price).await?;
    let provider_customer_id = customer_id(checkout, customer).await?;
    let card = NewCard {
        provider_customer_id: provider_customer_id.clone(),
        payment_method_id: payment.payment_method_id.clone(),
        idempotency_key: format!("{}-card", payment.idempotency_key),
    };
    let cards = checkout.providers.of(payment.provider)?.own_page()?;
    let attached = cards.attach_card(&card).await?;
    let mark = attached.fingerprint.as_deref();
    let mark = mark.map(|fingerprint| PayerMark::of(payment.provider, fingerprint));
    if !claim_trial(checkout, &order, mark.as_ref()).await? {
        return Ok(ProviderResult::Refused(free_trial::used()));
    }
    let subscription = NewSubscription {
        payment_id: payment.payment_id,
        order_id: order.order_id,
        provider_customer_id,
        provider_price_id,
        payment_method_id: attached.payment_method_id,
        card_network: payment.card_network.clone(),
        trial_days: order.trial_days,
        idempotency_key: payment.idempotency_key.clone(),
    };
    let snapshot = cards.create_subscription(&subscription).await?;
    Ok(ProviderResult::Snapshot(snapshot))
}

pub(in crate::flows) async fn customer_id(checkout: &Checkout, customer: Customer) -> Result<String> {
    if let Some(known) = customer.stripe_customer_id {
        return Ok(known);
    }
    let customers = checkout.providers.own_page();
    let created = customers.create_customer(&customer.buyer).await?;
    let mut connection = checkout.pool.acquire().await?;
    let user_id = &customer.buyer.user_id;
    if let Some(kept) =
        store::order::customers::set_provider_customer_id(&mut connection, user_id, &created).await?
    {
        return Ok(kept);
    }
    drop(connection);
    // The member was erased during the provider call.
    customers.delete_customer(&created).await?;
    Err(Error::MemberErased)
}

fn result_of(error: ProviderError) -> ProviderResult {
    match error {
        ProviderError::Declined(decline) => ProviderResult::Refused(decline),
        ProviderError::Rejected { code, .. } => ProviderResult::Refused(not_accepted(code)),
        ProviderError::NotFound => ProviderResult::Refused(not_accepted("not_found".to_owned())),
        ProviderError::NotConfigured(_) | ProviderError::Unsupported(..) | ProviderError::NotSent(_) => {
            ProviderResult::NotSent
        }
        ProviderError::InProgress | ProviderError::OutcomeUnknown(_) => ProviderResult::OutcomeUnknown,
    }
}

/// Hides the provider's message for our own request errors.
pub(in crate::flows) fn not_accepted(code: String) -> Decline {
    Decline {
        code,
        message: "The payment could not be started. Check your card details and try again.".to_owned(),
    }
}
