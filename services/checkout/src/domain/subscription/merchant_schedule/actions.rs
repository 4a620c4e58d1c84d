//! Decides the next action on a subscription's charges. Call under the order's lock.

use chrono::{DateTime, Months, SubsecRound, Utc};
use kit::money::Money;

use super::{Charge, ChargeAttempt, ChargeState, MerchantSchedule};
use crate::domain::subscription::billing_state::BillingState;
use crate::domain::subscription::subscription_change::SubscriptionChange;

/// 200 years: an upper bound for the loop.
const PERIODS_MAX: u32 = 12 * 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A period has begun: store its charge with the first attempt.
    OpenCharge { charge: Charge, anchor: DateTime<Utc> },
    /// The provider never received the previous attempt.
    StartAttempt { charge_id: String, key: String },
    /// The charge is no longer needed.
    CloseCharge { charge_id: String },
    /// The overdue charge is dropped and the subscription ends now.
    End,
}

/// Whether the provider may be charged at all.
pub fn may_charge(schedule: &MerchantSchedule, billing: &BillingState, now: DateTime<Utc>) -> bool {
    let is_paused = schedule.resumes_at.is_some_and(|at| at > now);
    schedule.payment_method.is_some()
        && schedule.ended_at.is_none()
        && billing.cancel_at.is_none()
        && !is_paused
}

/// `None`: nothing until an update arrives or time passes.
pub fn next_action(
    schedule: &MerchantSchedule,
    billing: &BillingState,
    charges: &[Charge],
    amount: Money,
    now: DateTime<Utc>,
) -> Option<Action> {
    if schedule.ended_at.is_some() {
        return None;
    }
    match charges.iter().find(|charge| charge.state == ChargeState::Open) {
        Some(open) => action_for_open(schedule, billing, open, now),
        None => begin_period(schedule, billing, charges, amount, now),
    }
}

fn action_for_open(
    schedule: &MerchantSchedule,
    billing: &BillingState,
    open: &Charge,
    now: DateTime<Utc>,
) -> Option<Action> {
    if open.unresolved().is_some() {
        return None;
    }
    let charge_id = open.charge_id.clone();
    if !may_charge(schedule, billing, now) {
        return match &billing.dunning {
            None => Some(Action::CloseCharge { charge_id }),
            Some(_) => billing.cancel_at.map(|_| Action::End),
        };
    }
    // What the bank refused is tried again by the plan for its refusal.
    open.decline().is_none().then(|| Action::StartAttempt {
        key: next_key(&charge_id, &open.attempts),
        charge_id,
    })
}

fn begin_period(
    schedule: &MerchantSchedule,
    billing: &BillingState,
    charges: &[Charge],
    amount: Money,
    now: DateTime<Utc>,
) -> Option<Action> {
    let (from, anchor) = next_period(schedule, now);
    if !may_charge(schedule, billing, now) || now < from {
        return None;
    }
    let charge_id = format!(
        "{}.{:x}",
        schedule.subscription_id.as_uuid().simple(),
        from.timestamp()
    );
    // Closed when it was not wanted, and now it is.
    let before = charges.iter().find(|charge| charge.charge_id == charge_id);
    let mut attempts = before.map(|charge| charge.attempts.clone()).unwrap_or_default();
    attempts.push(ChargeAttempt::intend(next_key(&charge_id, &attempts), now));
    Some(Action::OpenCharge {
        charge: Charge {
            charge_id,
            amount,
            period_start: from,
            period_end: period_after(anchor, schedule.period_months, from),
            state: ChargeState::Open,
            attempts,
        },
        anchor,
    })
}

/// Directly after the paid time, or from now where a pause or a downtime skipped a whole period.
fn next_period(schedule: &MerchantSchedule, now: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>) {
    let from = schedule
        .resumes_at
        .map_or(schedule.paid_until, |at| at.max(schedule.paid_until));
    let anchor = if from > schedule.paid_until {
        from
    } else {
        schedule.anchor
    };
    if period_after(anchor, schedule.period_months, from) > now {
        (from, anchor)
    } else {
        let anew = now.trunc_subsecs(0);
        (anew, anew)
    }
}

/// The first end of a period after `from`, counted from the anchor.
pub(super) fn period_after(anchor: DateTime<Utc>, months: u32, from: DateTime<Utc>) -> DateTime<Utc> {
    let mut ends = (1..=PERIODS_MAX)
        .filter_map(|count| anchor.checked_add_months(Months::new(count.saturating_mul(months))));
    ends.find(|end| *end > from).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// Deterministic: the same attempts give the same key.
fn next_key(charge_id: &str, attempts: &[ChargeAttempt]) -> String {
    if attempts.is_empty() {
        charge_id.to_owned()
    } else {
        format!("{charge_id}-{}", attempts.len())
    }
}

/// Applies a member's change to a merchant-initiated subscription.
pub fn apply_change(
    schedule: &mut MerchantSchedule,
    billing: &mut BillingState,
    charges: &[Charge],
    change: &SubscriptionChange,
    now: DateTime<Utc>,
) {
    let is_asking = charges.iter().any(|charge| charge.unresolved().is_some());
    match change {
        // The renewal is overdue: it ends now. An attempt in flight is awaited.
        SubscriptionChange::Cancel if billing.dunning.is_some() && !is_asking => {
            schedule.ended_at = Some(now);
        }
        SubscriptionChange::TerminateNow => schedule.ended_at = Some(now),
        SubscriptionChange::Cancel => billing.cancel_at = Some(schedule.paid_until),
        SubscriptionChange::Reactivate => billing.cancel_at = None,
        SubscriptionChange::Pause { until } => {
            schedule.resumes_at = Some(*until);
            billing.paused_until = Some(*until);
        }
        SubscriptionChange::Resume => {
            schedule.resumes_at = Some(now.trunc_subsecs(0));
            billing.paused_until = None;
        }
        SubscriptionChange::Card { .. }
        | SubscriptionChange::Plan { .. }
        | SubscriptionChange::CancelScheduledPlan => {}
    }
}
