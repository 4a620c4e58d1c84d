//! Submits a payment's refunds. It first lists the provider's refunds, then requests the missing ones:
//! repeating it, also after a crash, refunds only once.

use super::settle_refund::{import_refund, settle_refund};
use crate::domain::ids::PaymentId;
use crate::domain::payment::Payment;
use crate::domain::refund::{Refund, RefundReason, RefundResult, RefundSnapshot};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::ports::{NewRefund, ProviderError};
use crate::store::StoreError;
use crate::store::payment::payments;
use crate::store::refund::refunds;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundsProgress {
    /// The provider is not done with all of them.
    Open,
    Done,
}

pub async fn submit_refunds(checkout: &Checkout, payment_id: PaymentId) -> Result<RefundsProgress> {
    let (payment, known) = read(checkout, payment_id).await?;
    let shown = match &payment.provider_intent_id {
        Some(intent_id) => {
            let provider = checkout.providers.of(payment.provider)?;
            provider.list_refunds(intent_id, &known).await?
        }
        None => Vec::new(),
    };
    let mut is_adopted = true;
    for snapshot in &shown {
        is_adopted &= import_or_settle(checkout, &payment, &known, snapshot).await?;
    }
    let missing = known
        .iter()
        .filter(|refund| refund.is_unconfirmed() && !shown.iter().any(|snapshot| snapshot.shows(refund)));
    for refund in missing {
        ask(checkout, &payment, refund).await?;
    }

    let (_, known) = read(checkout, payment_id).await?;
    let is_open = known.iter().any(Refund::is_open) || !is_adopted;
    Ok(if is_open {
        RefundsProgress::Open
    } else {
        RefundsProgress::Done
    })
}

async fn read(checkout: &Checkout, payment_id: PaymentId) -> Result<(Payment, Vec<Refund>)> {
    let mut connection = checkout.pool.acquire().await?;
    let payment = payments::read(&mut connection, payment_id).await?;
    let mut known = refunds::of_order(&mut connection, payment.order_id).await?;
    known.retain(|refund| refund.payment_id == payment_id);
    Ok((payment, known))
}

/// `false`: the amount was refunded by hand at the provider. Our refund is failed first.
async fn import_or_settle(
    checkout: &Checkout,
    payment: &Payment,
    known: &[Refund],
    shown: &RefundSnapshot,
) -> Result<bool> {
    if let Some(ours) = known.iter().find(|refund| shown.shows(refund)) {
        settle_refund(checkout, ours, &RefundResult::Snapshot(shown.clone())).await?;
        return Ok(true);
    }
    match import_refund(checkout, payment, shown).await {
        Ok(()) => Ok(true),
        Err(Error::Store(StoreError::RefundExceedsCapture)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn ask(checkout: &Checkout, payment: &Payment, refund: &Refund) -> Result<()> {
    if refund.reason == RefundReason::Excess {
        end_subscription(checkout, payment).await?;
    }
    let result = match &payment.provider_intent_id {
        None => RefundResult::Refused {
            code: "nothing_to_refund".to_owned(),
        },
        Some(intent_id) => {
            let refund = renew_key(checkout, refund).await?;
            let new = NewRefund {
                refund_id: refund.refund_id,
                order_id: refund.order_id,
                provider_intent_id: intent_id.clone(),
                amount: refund.amount,
                reason: refund.reason,
                idempotency_key: refund.idempotency_key,
            };
            let provider = checkout.providers.of(payment.provider)?;
            result_of(provider.refund(&new).await)
        }
    };
    settle_refund(checkout, refund, &result).await?;
    Ok(())
}

/// Ends the subscription of an unmatched capture, so that it does not renew.
async fn end_subscription(checkout: &Checkout, payment: &Payment) -> Result<()> {
    let Some(provider_subscription_id) = &payment.provider_subscription_id else {
        return Ok(());
    };
    let subscriptions = checkout.providers.of(payment.provider)?;
    match subscriptions.cancel_subscription(provider_subscription_id).await {
        // It has ended already.
        Ok(_) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Commits the key that the next request carries.
async fn renew_key(checkout: &Checkout, refund: &Refund) -> Result<Refund> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let before = refunds::lock(&mut tx, refund.refund_id).await?;
    let keyed = before.clone().with_living_key(checkout.clock.now());
    if keyed != before {
        refunds::save(&mut tx, &keyed).await?;
    }
    tx.commit().await?;
    Ok(keyed)
}

fn result_of(answer: Result<RefundSnapshot, ProviderError>) -> RefundResult {
    match answer {
        Ok(snapshot) => RefundResult::Snapshot(snapshot),
        Err(ProviderError::Declined(decline)) => RefundResult::Refused { code: decline.code },
        Err(ProviderError::Rejected { code, .. }) => RefundResult::Refused { code },
        Err(ProviderError::NotFound) => RefundResult::Refused {
            code: "not_found".to_owned(),
        },
        Err(ProviderError::NotConfigured(_) | ProviderError::Unsupported(..) | ProviderError::NotSent(_)) => {
            RefundResult::NotSent
        }
        Err(ProviderError::InProgress | ProviderError::OutcomeUnknown(_)) => RefundResult::OutcomeUnknown,
    }
}
