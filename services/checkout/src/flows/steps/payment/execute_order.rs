//! Executes the payment of an order that a request has prepared. Repeated and concurrent requests join the first.

use std::sync::Arc;
use std::time::Duration;

use kit::idempotency::Key;
use tracing::Instrument;

use super::close_payment::close_payment;
use super::execute_payment::{PaymentExecution, execute};
use crate::domain::ids::PaymentId;
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::{Disposition, PaymentState};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::order::order_attempts;

/// Closing an attempt can be overtaken by another tab that opens the next one.
const CLOSINGS_MAX: usize = 3;
const JOIN_POLL_FIRST: Duration = Duration::from_millis(20);
const JOIN_POLL_MAX: Duration = Duration::from_millis(250);

/// The step decided in one transaction over the stored state.
pub enum NextStep {
    Execute(PaymentExecution),
    Join(PaymentId),
    /// An earlier attempt must be closed first, also of another order.
    Close(PaymentId),
}

impl NextStep {
    pub fn payment_id(&self) -> PaymentId {
        match self {
            Self::Execute(execution) => execution.payment_id(),
            Self::Join(payment_id) | Self::Close(payment_id) => *payment_id,
        }
    }
}

/// Returns as soon as the outcome is known, or with a payment still in flight after the response budget. `prepare` commits an
/// intended payment before the provider is called; it runs again after an attempt was closed.
pub async fn execute_order<Preparation>(
    checkout: &Arc<Checkout>,
    key: Option<&Key>,
    prepare: impl Fn() -> Preparation,
) -> Result<OrderAttempt>
where
    Preparation: Future<Output = Result<NextStep>>,
{
    for _ in 0..CLOSINGS_MAX {
        let payment_id = match prepare().await? {
            NextStep::Close(payment_id) => {
                close_payment(checkout, payment_id).await?;
                continue;
            }
            NextStep::Execute(execution) => return execute_detached(checkout, execution).await,
            NextStep::Join(payment_id) => payment_id,
        };
        let joined = join(checkout, payment_id).await?;
        // It expired concurrently: prepare another attempt.
        if key.is_none() && joined.payment.state == PaymentState::Canceled {
            continue;
        }
        return Ok(joined);
    }
    Err(Error::PaymentInProgress)
}

/// In a task of its own: a buyer who closes the page must not cut the work off half-way. What goes wrong inside leaves the
/// payment in flight for the reconciler. Then the stored state is read, which another process may have settled.
async fn execute_detached(checkout: &Arc<Checkout>, execution: PaymentExecution) -> Result<OrderAttempt> {
    let payment_id = execution.payment_id();
    let owned = Arc::clone(checkout);
    let executing = async move { execute(&owned, execution).await }.in_current_span();
    match tokio::time::timeout(checkout.remaining_response_budget(), tokio::spawn(executing)).await {
        Ok(Ok(Ok(attempt))) => return Ok(attempt),
        Ok(Ok(Err(error))) => {
            tracing::error!(payment.id = %payment_id, %error, "payment not executed; reconciler completes it");
        }
        Ok(Err(error)) => {
            tracing::error!(payment.id = %payment_id, %error, "payment task ended early; reconciler completes it");
        }
        Err(_) => tracing::warn!(
            payment.id = %payment_id,
            "payment in flight after the response budget; reconciler completes it"
        ),
    }
    read(checkout, payment_id).await
}

/// Waits for the process that executes the payment.
async fn join(checkout: &Checkout, payment_id: PaymentId) -> Result<OrderAttempt> {
    let waiting = async {
        let mut pause = JOIN_POLL_FIRST;
        loop {
            let attempt = read(checkout, payment_id).await?;
            if attempt.payment.disposition() != Disposition::InFlight {
                return Ok(attempt);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(JOIN_POLL_MAX);
        }
    };
    match tokio::time::timeout(checkout.remaining_response_budget(), waiting).await {
        Ok(joined) => joined,
        // Too long is no error: the response says that the payment is being processed.
        Err(_) => read(checkout, payment_id).await,
    }
}

async fn read(checkout: &Checkout, payment_id: PaymentId) -> Result<OrderAttempt> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(order_attempts::read_payment(&mut connection, payment_id).await?)
}
