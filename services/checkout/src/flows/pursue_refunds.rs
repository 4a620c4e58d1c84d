//! Brings a payment's refunds to their end. The provider is first asked what it has, then for what it does not have yet:
//! doing all of it again, here or after a crash, gives nothing back a second time.

use super::Checkout;
use super::settle_refund::{adopt_refund, settle_refund};
use crate::domain::ids::PaymentId;
use crate::domain::payment::Payment;
use crate::domain::refund::{Refund, RefundReason, RefundReport, RefundSnapshot};
use crate::error::{Error, Result};
use crate::ports::{NewRefund, ProviderError, RefundProvider};
use crate::store::{StoreError, payments, refunds};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pursuit {
    /// The provider is not done with all of them.
    Open,
    Over,
}

pub async fn pursue_refunds(checkout: &Checkout, payment_id: PaymentId) -> Result<Pursuit> {
    let (payment, known) = read(checkout, payment_id).await?;
    let shown = match &payment.provider_intent_id {
        Some(intent_id) => {
            refunding(checkout, &payment)?
                .list_refunds(intent_id, &known)
                .await?
        }
        None => Vec::new(),
    };
    let mut is_adopted = true;
    for snapshot in &shown {
        is_adopted &= take_in(checkout, &payment, &known, snapshot).await?;
    }
    let unheard = known
        .iter()
        .filter(|refund| refund.is_unconfirmed() && !shown.iter().any(|snapshot| snapshot.shows(refund)));
    for refund in unheard {
        ask(checkout, &payment, refund).await?;
    }

    let (_, known) = read(checkout, payment_id).await?;
    let is_open = known.iter().any(Refund::is_open) || !is_adopted;
    Ok(if is_open { Pursuit::Open } else { Pursuit::Over })
}

fn refunding<'a>(checkout: &'a Checkout, payment: &Payment) -> Result<&'a dyn RefundProvider> {
    Ok(&*checkout.providers.of(payment.provider)?.refunds)
}

async fn read(checkout: &Checkout, payment_id: PaymentId) -> Result<(Payment, Vec<Refund>)> {
    let mut connection = checkout.pool.acquire().await?;
    let payment = payments::read(&mut connection, payment_id).await?;
    let mut known = refunds::of_order(&mut connection, payment.order_id).await?;
    known.retain(|refund| refund.payment_id == payment_id);
    Ok((payment, known))
}

/// `false`: somebody gave back at the provider what we are about to give back ourselves. Ours is refused first.
async fn take_in(
    checkout: &Checkout,
    payment: &Payment,
    known: &[Refund],
    shown: &RefundSnapshot,
) -> Result<bool> {
    if let Some(ours) = known.iter().find(|refund| shown.shows(refund)) {
        settle_refund(checkout, ours, &RefundReport::Seen(shown.clone())).await?;
        return Ok(true);
    }
    match adopt_refund(checkout, payment, shown).await {
        Ok(()) => Ok(true),
        Err(Error::Store(StoreError::RefundExceedsCapture)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn ask(checkout: &Checkout, payment: &Payment, refund: &Refund) -> Result<()> {
    if refund.reason == RefundReason::Surplus {
        end_subscription(checkout, payment).await?;
    }
    let report = match &payment.provider_intent_id {
        None => RefundReport::Refused {
            code: "nothing_to_refund".to_owned(),
        },
        Some(intent_id) => {
            let refund = keep_key_alive(checkout, refund).await?;
            let new = NewRefund {
                refund_id: refund.refund_id,
                order_id: refund.order_id,
                provider_intent_id: intent_id.clone(),
                amount: refund.amount,
                reason: refund.reason,
                idempotency_key: refund.idempotency_key,
            };
            report_of(refunding(checkout, payment)?.refund(&new).await)
        }
    };
    settle_refund(checkout, refund, &report).await?;
    Ok(())
}

/// What nobody bought must not be charged for another period either.
async fn end_subscription(checkout: &Checkout, payment: &Payment) -> Result<()> {
    let Some(provider_subscription_id) = &payment.provider_subscription_id else {
        return Ok(());
    };
    let subscriptions = &checkout.providers.of(payment.provider)?.subscriptions;
    match subscriptions.cancel_subscription(provider_subscription_id).await {
        // It has ended already.
        Ok(_) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Commits the key that the next request carries.
async fn keep_key_alive(checkout: &Checkout, refund: &Refund) -> Result<Refund> {
    let mut tx = checkout.pool.begin().await?;
    let before = refunds::lock(&mut tx, refund.refund_id).await?;
    let keyed = before.clone().with_living_key(checkout.clock.now());
    if keyed != before {
        refunds::save(&mut tx, &keyed).await?;
    }
    tx.commit().await?;
    Ok(keyed)
}

fn report_of(answer: Result<RefundSnapshot, ProviderError>) -> RefundReport {
    match answer {
        Ok(snapshot) => RefundReport::Seen(snapshot),
        Err(ProviderError::Declined(decline)) => RefundReport::Refused { code: decline.code },
        Err(ProviderError::Rejected { code, .. }) => RefundReport::Refused { code },
        Err(ProviderError::NotFound) => RefundReport::Refused {
            code: "not_found".to_owned(),
        },
        Err(ProviderError::NotConfigured(_) | ProviderError::Unreached(_)) => RefundReport::Unreached,
        Err(ProviderError::InProgress | ProviderError::NoAnswer(_)) => RefundReport::NoAnswer,
    }
}
