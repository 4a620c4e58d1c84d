//! Charges a merchant-initiated subscription: one charge per period, its attempt stored before the call. After
//! a lost response the attempt is resolved at the provider first. After a change, an erasure or an end,
//! nothing more is charged.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::charge_period::{InFlightAttempt, resolve_attempt};
use crate::domain::ids::OrderId;
use crate::domain::order::hosted_checkout::end_of_period;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::subscription::billing_state::{BillingState, ProviderCommand, SubscriptionSnapshot};
use crate::domain::subscription::merchant_schedule::{
    self, Action, ChargeAttempt, ChargeAttemptState, MerchantSchedule,
};
use crate::domain::subscription::subscription_change::{Refusal, SubscriptionChange};
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::subscription::charge_context::{ChargeContext, lock, read};
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::pricing::prices;
use crate::store::subscription::{billing_states, merchant_schedules};
use crate::store::webhook_events;

/// One charge, its result, and the action that follows.
const ROUNDS_MAX: usize = 3;

/// Charges what is due, resolves attempts in flight, and returns the resulting snapshot.
pub async fn bill_subscription(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
) -> Result<SubscriptionSnapshot> {
    begin(checkout, purchase).await?;
    let order_id = purchase.order.order_id;
    for _ in 0..ROUNDS_MAX {
        let Some(in_flight) = advance(checkout, order_id).await? else {
            break;
        };
        if !resolve_attempt(checkout, order_id, &in_flight).await? {
            break;
        }
    }
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    read_snapshot(&mut connection, &purchase, checkout.clock.now()).await
}

/// The snapshot of the stored state.
pub async fn read_snapshot(
    conn: &mut PgConnection,
    purchase: &SubscriptionOrder,
    now: DateTime<Utc>,
) -> Result<SubscriptionSnapshot> {
    let context = read(conn, purchase.clone()).await?;
    Ok(merchant_schedule::to_snapshot(
        purchase,
        &context.schedule,
        &context.state,
        &context.charges,
        now,
    ))
}

/// Fetches the saved payment method once. Without one, the subscription ends with the paid time.
pub async fn begin(checkout: &Checkout, purchase: &SubscriptionOrder) -> Result<()> {
    let subscription_id = purchase.subscription.subscription_id;
    let provider = purchase.payment.provider;
    let mut connection = checkout.pool.acquire().await?;
    if merchant_schedules::find(&mut connection, subscription_id)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let price = prices::read(&mut connection, purchase.order.price_id).await?;
    let Some(payment_id) = &purchase.payment.provider_subscription_id else {
        return Err(Refusal::NotActive.into());
    };
    let payment_ref = webhook_events::bodies_about(&mut connection, provider, payment_id).await?;
    drop(connection);
    let port = checkout.providers.of(provider)?.recurring()?;
    let saved = port.saved_payment_method(payment_id).await?;
    let payment_method = saved.payment_method.or_else(|| {
        payment_ref
            .iter()
            .find_map(|body| port.payment_method_in_webhook(body))
    });

    let mut tx = kit::database::begin(&checkout.pool).await?;
    let purchase =
        subscription_orders::lock(&mut tx, purchase.order.order_id, AttemptSelector::Current).await?;
    let Some(mut billing) = billing_states::lock(&mut tx, subscription_id).await? else {
        return Err(Refusal::NotActive.into());
    };
    let period_months = u32::try_from(price.terms.period_months).unwrap_or(1).max(1);
    let state = &purchase.subscription.state;
    let paid_until = state.period_end();
    let paid_until = paid_until.unwrap_or_else(|| end_of_period(saved.paid_at, period_months));
    if payment_method.is_none() {
        billing.cancel_at = Some(paid_until);
        billing_states::save(&mut tx, &billing).await?;
    }
    let begun = MerchantSchedule {
        subscription_id,
        payment_method,
        anchor: saved.paid_at,
        period_months,
        paid_until,
        resumes_at: None,
        ended_at: state.has_ended().then(|| checkout.clock.now()),
    };
    merchant_schedules::begin(&mut tx, &begun, provider).await?;
    tx.commit().await?;
    Ok(())
}

/// Stores the next action. Returns the attempt to send or to resolve.
pub(in crate::flows) async fn advance(
    checkout: &Checkout,
    order_id: OrderId,
) -> Result<Option<InFlightAttempt>> {
    let now = checkout.clock.now();
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let ChargeContext {
        purchase,
        mut schedule,
        state: billing,
        charges: context,
    } = lock(&mut tx, order_id).await?;
    let unresolved = context
        .iter()
        .find_map(|charge| charge.unresolved().map(|attempt| (charge, attempt)));
    if let Some((charge, attempt)) = unresolved {
        return Ok(Some(InFlightAttempt {
            charge: charge.clone(),
            attempt: attempt.clone(),
            is_new: false,
        }));
    }
    if purchase.subscription.state.has_ended() {
        return Ok(None);
    }
    let (charge, attempt) =
        match merchant_schedule::next_action(&schedule, &billing, &context, purchase.order.amount, now) {
            None => return Ok(None),
            Some(Action::CloseCharge { charge_id }) => {
                merchant_schedules::close(&mut tx, &charge_id).await?;
                tx.commit().await?;
                return Ok(None);
            }
            Some(Action::End) => {
                schedule.ended_at = Some(now);
                merchant_schedules::save(&mut tx, &schedule).await?;
                tx.commit().await?;
                return Ok(None);
            }
            Some(Action::OpenCharge { charge, anchor }) => {
                schedule.anchor = anchor;
                merchant_schedules::save(&mut tx, &schedule).await?;
                merchant_schedules::open(&mut tx, schedule.subscription_id, &charge, now).await?;
                let attempt = charge.attempts.last().cloned();
                (charge, attempt)
            }
            Some(Action::StartAttempt { charge_id, key }) => {
                let open = context.into_iter().find(|charge| charge.charge_id == charge_id);
                let Some(open) = open else { return Ok(None) };
                (open, Some(ChargeAttempt::intend(key, now)))
            }
        };
    let Some(attempt) = attempt else { return Ok(None) };
    let is_new = merchant_schedules::insert_attempt(&mut tx, &charge.charge_id, &attempt).await?;
    tx.commit().await?;
    Ok(Some(InFlightAttempt {
        charge,
        attempt,
        is_new,
    }))
}

/// Applies a member's change in the transaction that settles it.
pub async fn apply_change(
    tx: &mut PgConnection,
    purchase: &SubscriptionOrder,
    billing: &mut BillingState,
    change: &SubscriptionChange,
    now: DateTime<Utc>,
) -> Result<()> {
    let id = purchase.subscription.subscription_id;
    let Some(mut schedule) = merchant_schedules::find(tx, id).await? else {
        return Err(Refusal::NotActive.into());
    };
    let context = merchant_schedules::of_subscription(tx, id).await?;
    merchant_schedule::apply_change(&mut schedule, billing, &context, change, now);
    Ok(merchant_schedules::save(tx, &schedule).await?)
}

/// Rejects `Reactivate` without a chargeable payment method.
pub async fn check_change(
    conn: &mut PgConnection,
    purchase: &SubscriptionOrder,
    change: &SubscriptionChange,
) -> Result<()> {
    let schedule = merchant_schedules::find(conn, purchase.subscription.subscription_id).await?;
    let is_over = schedule.is_some_and(|schedule| schedule.payment_method.is_none());
    if is_over && *change == SubscriptionChange::Reactivate {
        return Err(Refusal::Unsupported.into());
    }
    Ok(())
}

/// Executes a provider command for a merchant-initiated subscription.
pub async fn execute(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    command: &ProviderCommand,
) -> Result<ExecuteOutcome> {
    let order_id = purchase.order.order_id;
    match command {
        // Only checkout retries.
        ProviderCommand::DisableAutoAdvance { .. }
        | ProviderCommand::Resume
        | ProviderCommand::ReleaseSchedule { .. } => Ok(ExecuteOutcome::Done),
        ProviderCommand::PayInvoice {
            provider_invoice_id,
            key,
        } => retry_charge(checkout, order_id, provider_invoice_id, key).await,
        ProviderCommand::CloseInvoice { provider_invoice_id } => {
            let mut connection = checkout.pool.acquire().await?;
            merchant_schedules::close(&mut connection, provider_invoice_id).await?;
            Ok(ExecuteOutcome::Done)
        }
        ProviderCommand::CancelSubscription => {
            let now = checkout.clock.now();
            let mut tx = kit::database::begin(&checkout.pool).await?;
            let mut context = lock(&mut tx, order_id).await?;
            if context.charges.iter().any(|charge| charge.unresolved().is_some()) {
                return Ok(ExecuteOutcome::Later);
            }
            context.schedule.ended_at.get_or_insert(now);
            merchant_schedules::save(&mut tx, &context.schedule).await?;
            tx.commit().await?;
            Ok(ExecuteOutcome::Done)
        }
    }
}

/// Result of a provider command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExecuteOutcome {
    Done,
    /// A retry of the overdue charge was answered; a code means a decline.
    Attempted(Option<String>),
    /// An attempt in flight must be resolved first.
    Later,
}

async fn retry_charge(
    checkout: &Checkout,
    order_id: OrderId,
    charge_id: &str,
    key: &str,
) -> Result<ExecuteOutcome> {
    let now = checkout.clock.now();
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let context = lock(&mut tx, order_id).await?;
    let Some(charge) = context
        .charges
        .iter()
        .find(|charge| charge.charge_id == charge_id)
    else {
        return Ok(ExecuteOutcome::Attempted(None));
    };
    if let Some(before) = charge.attempts.iter().find(|attempt| attempt.key == key) {
        // The sync before this command resolved every attempt.
        return Ok(outcome_of(&before.state));
    }
    if charge.unresolved().is_some() {
        return Ok(ExecuteOutcome::Later);
    }
    if !merchant_schedule::may_charge(&context.schedule, &context.state, now) {
        return Ok(ExecuteOutcome::Attempted(None));
    }
    let in_flight = InFlightAttempt {
        charge: charge.clone(),
        attempt: ChargeAttempt::intend(key.to_owned(), now),
        is_new: true,
    };
    merchant_schedules::insert_attempt(&mut tx, charge_id, &in_flight.attempt).await?;
    tx.commit().await?;
    if !resolve_attempt(checkout, order_id, &in_flight).await? {
        return Ok(ExecuteOutcome::Later);
    }
    let mut connection = checkout.pool.acquire().await?;
    let subscription_id = context.purchase.subscription.subscription_id;
    let charges = merchant_schedules::of_subscription(&mut connection, subscription_id).await?;
    let mut attempts = charges.iter().flat_map(|charge| &charge.attempts);
    Ok(attempts
        .find(|attempt| attempt.key == key)
        .map_or(ExecuteOutcome::Later, |attempt| outcome_of(&attempt.state)))
}

fn outcome_of(state: &ChargeAttemptState) -> ExecuteOutcome {
    match state {
        ChargeAttemptState::Intended | ChargeAttemptState::Pending => ExecuteOutcome::Later,
        ChargeAttemptState::Declined(decline) => ExecuteOutcome::Attempted(Some(decline.code.clone())),
        ChargeAttemptState::Paid { .. } | ChargeAttemptState::Closed => ExecuteOutcome::Attempted(None),
    }
}
