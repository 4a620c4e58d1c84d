//! Takes an intended payment to the provider: customer, card, subscription. Every call carries a key that was stored
//! before, so that doing all of it again, here or after a crash, charges no second time.

use super::Checkout;
use super::check_card::check_card;
use super::claim_trial::claim_trial;
use super::settle_payment::settle_payment;
use super::sync_prices::stripe_price_id;
use crate::domain::catalogue::Price;
use crate::domain::free_trial;
use crate::domain::ids::PaymentId;
use crate::domain::payment::{Decline, Standing};
use crate::domain::purchase::Purchase;
use crate::domain::report::Report;
use crate::error::{Error, Result};
use crate::ports::{NewCard, NewSubscription, ProviderError};
use crate::store::customers::Customer;
use crate::store::{self, prices, purchases};

/// All that the provider is told.
pub struct Pursuit {
    pub purchase: Purchase,
    pub price: Price,
    pub customer: Customer,
}

pub async fn pursue_payment(checkout: &Checkout, payment_id: PaymentId) -> Result<Purchase> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = purchases::read_payment(&mut connection, payment_id).await?;
    // What another attempt has paid must not be charged again.
    if purchase.payment.standing() != Standing::InFlight || purchase.order.is_paid() {
        return Ok(purchase);
    }
    let price = prices::read(&mut connection, purchase.order.price_id).await?;
    let customer = store::customers::find(&mut connection, &purchase.order.user_id).await?;
    drop(connection);
    let pursuit = Pursuit {
        purchase,
        price,
        customer,
    };
    pursue(checkout, pursuit).await
}

/// Of what was read, or committed, just now.
pub async fn pursue(checkout: &Checkout, pursuit: Pursuit) -> Result<Purchase> {
    let payment_id = pursuit.purchase.payment.payment_id;
    let order_id = pursuit.purchase.order.order_id;
    let report = match ask(checkout, pursuit).await {
        Ok(report) => report,
        Err(Error::Provider(error)) => {
            tracing::warn!(order.id = %order_id, %error, "The provider did not accept a payment");
            report_of(error)
        }
        Err(inside) => return Err(inside),
    };
    settle_payment(checkout, payment_id, &report).await
}

async fn ask(checkout: &Checkout, pursuit: Pursuit) -> Result<Report> {
    let Pursuit {
        purchase: Purchase { order, payment, .. },
        price,
        customer,
    } = pursuit;
    check_card(checkout, &price, &payment.payment_method_id).await?;
    let provider_price_id = stripe_price_id(checkout, &price).await?;
    let provider_customer_id = customer_id(checkout, customer).await?;
    let card = NewCard {
        provider_customer_id: provider_customer_id.clone(),
        payment_method_id: payment.payment_method_id.clone(),
        idempotency_key: format!("{}-card", payment.idempotency_key),
    };
    let cards = &checkout.providers.cards.cards;
    let attached = cards.attach_card(&card).await?;
    if !claim_trial(checkout, &order, attached.fingerprint.as_deref()).await? {
        return Ok(Report::Refused(free_trial::used()));
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
    Ok(Report::Snapshot(snapshot))
}

pub(super) async fn customer_id(checkout: &Checkout, customer: Customer) -> Result<String> {
    if let Some(known) = customer.stripe_customer_id {
        return Ok(known);
    }
    let customers = &checkout.providers.cards.customers;
    let created = customers.create_customer(&customer.buyer).await?;
    let mut connection = checkout.pool.acquire().await?;
    let user_id = &customer.buyer.user_id;
    if let Some(kept) = store::customers::set_stripe_id(&mut connection, user_id, &created).await? {
        return Ok(kept);
    }
    drop(connection);
    // They left while the provider was being told of them.
    customers.delete_customer(&created).await?;
    Err(Error::MemberErased)
}

fn report_of(error: ProviderError) -> Report {
    match error {
        ProviderError::Declined(decline) => Report::Refused(decline),
        ProviderError::Rejected { code, .. } => Report::Refused(not_accepted(code)),
        ProviderError::NotFound => Report::Refused(not_accepted("not_found".to_owned())),
        ProviderError::NotConfigured(_) | ProviderError::Unreached(_) => Report::Unreached,
        ProviderError::InProgress | ProviderError::NoAnswer(_) => Report::NoAnswer,
    }
}

/// The provider's words for our own mistakes are not for buyers.
pub(super) fn not_accepted(code: String) -> Decline {
    Decline {
        code,
        message: "The payment could not be started. Check your card details and try again.".to_owned(),
    }
}
