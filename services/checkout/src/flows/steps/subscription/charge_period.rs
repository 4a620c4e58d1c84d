//! Sends one stored charge attempt to the provider, or resolves it, and applies the result.

use chrono::TimeDelta;

use crate::domain::ids::OrderId;
use crate::domain::payment::Decline;
use crate::domain::subscription::merchant_schedule::{self, Charge, ChargeAttempt, ChargeAttemptState};
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::subscription::charge_context::{ChargeContext, lock, read};
use crate::ports::{NewCharge, ObservedCharge, ProviderError, RecurringProvider};
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::subscription::merchant_schedules;

/// A call without a response has arrived by then, or never arrives.
const ARRIVES_WITHIN: TimeDelta = TimeDelta::minutes(10);
/// How long after it was stored it may first be sent.
const SENT_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// An attempt whose outcome is unknown.
pub(in crate::flows) struct InFlightAttempt {
    pub charge: Charge,
    pub attempt: ChargeAttempt,
    /// Just stored by this caller: not sent yet.
    pub is_new: bool,
}

/// `false`: the outcome is still unknown.
pub(in crate::flows) async fn resolve_attempt(
    checkout: &Checkout,
    order_id: OrderId,
    in_flight: &InFlightAttempt,
) -> Result<bool> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    let context = read(&mut connection, purchase).await?;
    drop(connection);
    let provider = context.purchase.payment.provider;
    let port = checkout.providers.of(provider)?.recurring()?;
    let attempt = &in_flight.attempt;
    let is_wanted = merchant_schedule::may_charge(&context.schedule, &context.state, checkout.clock.now());
    if in_flight.is_new && !is_wanted {
        // It was never sent and never will be.
        apply_result(checkout, order_id, in_flight, None, &ChargeAttemptState::Closed).await?;
        return Ok(true);
    }
    let seen = match &attempt.provider_payment_id {
        Some(id) => Some(port.fetch_charge(id).await?),
        None => request_or_fetch(checkout, port, &context, in_flight).await?,
    };
    let now = checkout.clock.now();
    let (provider_payment_id, state) = match seen {
        Some(seen) => (Some(seen.provider_payment_id), seen.state),
        None if now < attempt.intended_at + ARRIVES_WITHIN => return Ok(false),
        None => (None, ChargeAttemptState::Closed),
    };
    let is_known = state != ChargeAttemptState::Pending;
    apply_result(
        checkout,
        order_id,
        in_flight,
        provider_payment_id.as_deref(),
        &state,
    )
    .await?;
    Ok(is_known)
}

/// Sends a new attempt, and repeats one in flight while its key is valid. Otherwise only fetches the
/// result. `None`: the provider does not have it.
async fn request_or_fetch(
    checkout: &Checkout,
    port: &dyn RecurringProvider,
    context: &ChargeContext,
    in_flight: &InFlightAttempt,
) -> Result<Option<ObservedCharge>> {
    let now = checkout.clock.now();
    let InFlightAttempt {
        charge,
        attempt,
        is_new,
    } = in_flight;
    let is_wanted = merchant_schedule::may_charge(&context.schedule, &context.state, now);
    let is_same = now < attempt.intended_at + port.keys_valid_for();
    // A late process may find its stored attempt closed.
    let is_first = *is_new && now < attempt.intended_at + SENT_WITHIN;
    let may_ask = is_wanted && (is_first || is_same);
    let means = context.schedule.payment_method.as_ref().filter(|_| may_ask);
    let Some(means) = means else {
        return Ok(port.find_charge(&attempt.key, attempt.intended_at).await?);
    };
    let new = NewCharge {
        key: attempt.key.clone(),
        payment_method_id: means.payment_method_id.clone(),
        amount: charge.amount,
        description: format!("Stillpoint {}", context.purchase.order.product),
    };
    let answer = port.charge(&new).await;
    count(&answer);
    let refusal = match answer {
        // Fetches the result at once where the response only confirms the start.
        Ok(seen) if seen.state == ChargeAttemptState::Pending => {
            return Ok(Some(
                port.fetch_charge(&seen.provider_payment_id).await.unwrap_or(seen),
            ));
        }
        Ok(seen) => return Ok(Some(seen)),
        Err(ProviderError::Declined(decline)) => decline,
        Err(ProviderError::Rejected { code, detail }) => Decline {
            code,
            message: detail,
        },
        Err(ProviderError::NotFound) => Decline {
            code: "not_found".to_owned(),
            message: String::new(),
        },
        Err(error) => return Err(error.into()),
    };
    tracing::warn!(order.id = %context.purchase.order.order_id, code = refusal.code, "renewal refused by the provider");
    // Asked for before, the first call may have done what this one was refused.
    if !is_new && let Some(seen) = port.find_charge(&attempt.key, attempt.intended_at).await? {
        return Ok(Some(seen));
    }
    Ok(Some(ObservedCharge {
        provider_payment_id: String::new(),
        state: ChargeAttemptState::Declined(refusal),
    }))
}

fn count(answer: &Result<ObservedCharge, ProviderError>) {
    let outcome = match answer {
        Ok(ObservedCharge {
            state: ChargeAttemptState::Paid { .. },
            ..
        }) => "paid",
        Ok(ObservedCharge {
            state: ChargeAttemptState::Declined(_),
            ..
        })
        | Err(ProviderError::Declined(_)) => "declined",
        Ok(_) => "pending",
        Err(ProviderError::Rejected { .. } | ProviderError::NotFound) => "refused",
        Err(_) => "no_answer",
    };
    metrics::counter!("checkout_charges_total", "outcome" => outcome).increment(1);
}

async fn apply_result(
    checkout: &Checkout,
    order_id: OrderId,
    in_flight: &InFlightAttempt,
    provider_payment_id: Option<&str>,
    state: &ChargeAttemptState,
) -> Result<()> {
    let InFlightAttempt { charge, attempt, .. } = in_flight;
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let ChargeContext { mut schedule, .. } = lock(&mut tx, order_id).await?;
    let named = provider_payment_id.filter(|id| !id.is_empty());
    let (charge_id, key) = (&charge.charge_id, &attempt.key);
    let is_news = merchant_schedules::save_attempt(&mut tx, charge_id, key, named, state).await?;
    if is_news && matches!(state, ChargeAttemptState::Paid { .. }) {
        schedule.paid_until = schedule.paid_until.max(charge.period_end);
        merchant_schedules::save(&mut tx, &schedule).await?;
    }
    tx.commit().await?;
    Ok(())
}
