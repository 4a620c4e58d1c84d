//! Reconciles payments without a webhook: unknown outcomes, trials and periods that ended, and overdue payments.

use std::sync::Arc;

use async_trait::async_trait;
use kit::reconciler::Reconciler;
use kit::telemetry::gauge_value;

use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::order::OrderState;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::provider_result::ProviderResult;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::flows::steps::payment::not_configured::postpone_not_configured;
use crate::flows::steps::payment::refresh_payment::refresh_payment;
use crate::flows::steps::payment::resolve_payment::resolve_payment;
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::store::order::order_attempts::{self, AttemptSelector};
use crate::store::order::orders::QUEUE;
use crate::store::payment::payments;

pub struct PaymentReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for PaymentReconciler {
    type Item = OrderId;
    type Error = Error;
    const NAME: &'static str = "reconcile-payments";

    /// Leases orders and marks their intended payments as sent in one transaction.
    async fn lease(&self, limit: i64) -> Result<Vec<OrderId>> {
        let Self(checkout) = self;
        let (now, lease) = (checkout.clock.now(), checkout.in_flight_timeout.0);
        let mut tx = kit::database::begin(&checkout.pool).await?;
        let leased: Vec<(OrderId,)> = QUEUE.lease(&mut *tx, now, lease, limit).await?;
        let due: Vec<OrderId> = leased.into_iter().map(|(order_id,)| order_id).collect();
        if !due.is_empty() {
            payments::presume_sent(&mut tx, &due).await?;
        }
        tx.commit().await?;
        let mut connection = checkout.pool.acquire().await?;
        let in_flight = payments::count_in_flight(&mut connection).await?;
        metrics::gauge!("checkout_payments_in_flight").set(gauge_value(in_flight));
        Ok(due)
    }

    fn id(order_id: &OrderId) -> String {
        order_id.to_string()
    }

    async fn process(&self, order_id: OrderId) -> Result<()> {
        let outcome = reconcile(&self.0, order_id).await;
        let name = if outcome.is_ok() { "done" } else { "failed" };
        metrics::counter!("checkout_reconciliations_total", "outcome" => name).increment(1);
        outcome
    }
}

async fn reconcile(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let attempt = order_attempts::read(&mut connection, order_id, AttemptSelector::Current).await?;
    let others = payments::other_open(&mut connection, &attempt.payment).await?;
    drop(connection);

    for payment_id in others {
        let outcome = if attempt.order.state == OrderState::Open {
            refresh_other(checkout, payment_id).await
        } else {
            close_other(checkout, payment_id).await
        };
        if let Err(error) = outcome {
            tracing::warn!(order.id = %order_id, payment.id = %payment_id, %error, "open payment not closed; reconciler retries it");
        }
    }
    let payment_id = attempt.payment.payment_id;
    let outcome = reconcile_current(checkout, attempt).await;
    match postpone_not_configured(checkout, &QUEUE, order_id, outcome).await {
        // Nothing new, but the next look is planned further ahead each time.
        Err(Error::Provider(error)) => {
            tracing::info!(order.id = %order_id, %error, "provider returned no state of the order; polled again later");
            settle_payment(checkout, payment_id, &ProviderResult::OutcomeUnknown).await?;
            Ok(())
        }
        outcome => outcome,
    }
}

async fn reconcile_current(checkout: &Checkout, attempt: OrderAttempt) -> Result<()> {
    let payment_id = attempt.payment.payment_id;
    if attempt.payment.is_unconfirmed() {
        return resolve_payment(checkout, &attempt).await;
    }
    if attempt.is_overdue(checkout.clock.now()) {
        close_payment(checkout, payment_id).await?;
    } else if attempt.payment.fetchable_id().is_some() {
        refresh_payment(checkout, attempt).await?;
    } else {
        // The provider has nothing to fetch: only the next check is decided.
        settle_payment(checkout, payment_id, &ProviderResult::OutcomeUnknown).await?;
    }
    Ok(())
}

/// Refreshes an attempt at another provider that may still pay the order.
async fn refresh_other(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let attempt = read(checkout, payment_id).await?;
    if attempt.payment.is_unconfirmed() {
        return resolve_payment(checkout, &attempt).await;
    }
    refresh_payment(checkout, attempt).await.map(drop)
}

/// The order is paid or abandoned: closes another attempt, so that it is not charged as well.
async fn close_other(checkout: &Checkout, payment_id: PaymentId) -> Result<()> {
    let attempt = read(checkout, payment_id).await?;
    if attempt.payment.is_unconfirmed() {
        resolve_payment(checkout, &attempt).await?;
    }
    close_payment(checkout, payment_id).await.map(drop)
}

async fn read(checkout: &Checkout, payment_id: PaymentId) -> Result<OrderAttempt> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(order_attempts::read_payment(&mut connection, payment_id).await?)
}
