//! Executes an intended payment at the provider: customer, card, subscription; or an intent for a one-time order. Every call
//! carries a key that was stored before, so that repeating it, also after a crash, charges only once.

use super::settle_payment::settle_payment;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::order::OrderState;
use crate::domain::order::one_time_order::saves_card;
use crate::domain::order::order_attempt::{OrderAttempt, SubscriptionOrder};
use crate::domain::payment::provider_result::{ProviderResult, Snapshot};
use crate::domain::payment::{Decline, Disposition};
use crate::domain::pricing::catalogue::Price;
use crate::domain::pricing::free_trial::{self, PayerMark};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::pricing::check_card::check_card;
use crate::flows::steps::pricing::sync_prices::provider_price_id;
use crate::flows::steps::trial::claim_trial::claim_trial;
use crate::ports::{Card, Later, NewCard, NewIntent, NewSubscription, ProviderError};
use crate::store;
use crate::store::order::customers::{self, Customer};
use crate::store::order::order_attempts;
use crate::store::pricing::prices;

/// Input of the provider calls, just read or committed.
pub enum PaymentExecution {
    Subscription {
        purchase: Box<SubscriptionOrder>,
        price: Box<Price>,
        customer: Box<Customer>,
    },
    OneTime(Box<OrderAttempt>),
}

impl PaymentExecution {
    pub fn payment_id(&self) -> PaymentId {
        match self {
            Self::Subscription { purchase, .. } => purchase.payment.payment_id,
            Self::OneTime(attempt) => attempt.payment.payment_id,
        }
    }

    fn order_id(&self) -> OrderId {
        match self {
            Self::Subscription { purchase, .. } => purchase.order.order_id,
            Self::OneTime(attempt) => attempt.order.order_id,
        }
    }
}

pub async fn execute_payment(checkout: &Checkout, payment_id: PaymentId) -> Result<OrderAttempt> {
    let mut connection = checkout.pool.acquire().await?;
    let attempt = order_attempts::read_payment(&mut connection, payment_id).await?;
    // What another attempt has paid, or was abandoned, must not be charged.
    if attempt.payment.disposition() != Disposition::InFlight || attempt.order.state != OrderState::Open {
        return Ok(attempt);
    }
    let execution = match attempt.into_subscription_order() {
        Ok(purchase) => PaymentExecution::Subscription {
            price: Box::new(prices::read(&mut connection, purchase.order.price_id).await?),
            customer: Box::new(customers::find(&mut connection, &purchase.order.user_id).await?),
            purchase: Box::new(purchase),
        },
        Err(one_time) => PaymentExecution::OneTime(one_time),
    };
    drop(connection);
    execute(checkout, execution).await
}

/// Executes a payment that was just read or committed.
pub async fn execute(checkout: &Checkout, execution: PaymentExecution) -> Result<OrderAttempt> {
    let (payment_id, order_id) = (execution.payment_id(), execution.order_id());
    let response = match execution {
        PaymentExecution::Subscription {
            purchase,
            price,
            customer,
        } => create_subscription(checkout, &purchase, &price, *customer).await,
        PaymentExecution::OneTime(attempt) => create_intent(checkout, &attempt).await,
    };
    let result = match response {
        Ok(result) => result,
        Err(Error::Provider(error)) => {
            tracing::warn!(order.id = %order_id, %error, "payment not accepted by the provider");
            result_of(error)
        }
        Err(inside) => return Err(inside),
    };
    settle_payment(checkout, payment_id, &result).await
}

async fn create_subscription(
    checkout: &Checkout,
    SubscriptionOrder { order, payment, .. }: &SubscriptionOrder,
    price: &Price,
    customer: Customer,
) -> Result<ProviderResult<Snapshot>> {
    check_card(checkout, price, &payment.payment_method_id).await?;
    let provider_price_id = provider_price_id(checkout, price).await?;
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
    if !claim_trial(checkout, order, mark.as_ref()).await? {
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
    Ok(ProviderResult::Snapshot(snapshot.into()))
}

async fn create_intent(
    checkout: &Checkout,
    OrderAttempt { order, payment, .. }: &OrderAttempt,
) -> Result<ProviderResult<Snapshot>> {
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
    let snapshot = intents.create_intent(&new).await?;
    Ok(ProviderResult::Snapshot(snapshot.into()))
}

async fn customer_id(checkout: &Checkout, customer: Customer) -> Result<String> {
    if let Some(known) = customer.stripe_customer_id {
        return Ok(known);
    }
    let customers = checkout.providers.own_page();
    let created = customers.create_customer(&customer.buyer).await?;
    let mut connection = checkout.pool.acquire().await?;
    let user_id = &customer.buyer.user_id;
    if let Some(stored) =
        store::order::customers::set_provider_customer_id(&mut connection, user_id, &created).await?
    {
        return Ok(stored);
    }
    drop(connection);
    // The member was erased during the provider call.
    customers.delete_customer(&created).await?;
    Err(Error::MemberErased)
}

fn result_of(error: ProviderError) -> ProviderResult<Snapshot> {
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
fn not_accepted(code: String) -> Decline {
    Decline {
        code,
        message: "The payment could not be started. Check your card details and try again.".to_owned(),
    }
}
