//! Changes that a member can request of a subscription, and when each is allowed.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

use super::billing_state::{BillingState, NextPlan};
use super::dunning::Dunning;
use crate::domain::ids::{ChangeId, PriceId, SubscriptionId};
use crate::domain::pricing::campaign::Terms;
use crate::domain::provider::{ChangeKind, Provider};
use crate::domain::subscription_state::SubscriptionState;

/// Three months, whichever they are.
pub const PAUSE_MAX: TimeDelta = TimeDelta::days(92);
/// How long a plan preview is valid.
pub const PREVIEW_LIVES: TimeDelta = TimeDelta::minutes(30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubscriptionChange {
    /// At the end of the paid time; with an overdue renewal, now.
    Cancel,
    /// Undoes a cancellation.
    Reactivate,
    /// Replaces the card; pays an overdue invoice at once.
    Card {
        payment_method_id: String,
    },
    /// The periods that begin before then are skipped.
    Pause {
        until: DateTime<Utc>,
    },
    Resume,
    /// A dearer plan begins at once, for the previewed difference. A cheaper one begins when the paid time ends.
    Plan {
        price_id: PriceId,
        prorated_at: DateTime<Utc>,
        shown: Money,
    },
    /// Cancels the scheduled plan.
    CancelScheduledPlan,
    /// Ends at once, because the contract was withdrawn from.
    TerminateNow,
}

impl SubscriptionChange {
    pub fn kind(&self) -> ChangeKind {
        match self {
            Self::Cancel => ChangeKind::Cancel,
            Self::Reactivate => ChangeKind::Reactivate,
            Self::Card { .. } => ChangeKind::Card,
            Self::Pause { .. } => ChangeKind::Pause,
            Self::Resume => ChangeKind::Resume,
            Self::Plan { .. } => ChangeKind::Plan,
            Self::CancelScheduledPlan => ChangeKind::CancelScheduledPlan,
            Self::TerminateNow => ChangeKind::TerminateNow,
        }
    }

    pub fn name(&self) -> &'static str {
        self.kind().name()
    }
}

/// `TerminateNow` is supported with every provider.
pub fn check_supported(provider: Provider, kind: ChangeKind) -> Result<(), Refusal> {
    if kind == ChangeKind::TerminateNow || provider.capabilities().changes.contains(&kind) {
        Ok(())
    } else {
        Err(Refusal::Unsupported)
    }
}

/// The changes that are possible now and have an effect.
pub fn available_actions(
    provider: Provider,
    state: &SubscriptionState,
    billing: &BillingState,
    now: DateTime<Utc>,
) -> Vec<ChangeKind> {
    let is_asked =
        |change: &SubscriptionChange| decide(change, state, billing, now) == Ok(ChangeDecision::Submit);
    let goes_on = check_settled(state, billing).is_ok() && billing.paused_until.is_none();
    let makes_sense = |kind: &ChangeKind| match kind {
        ChangeKind::Cancel => is_asked(&SubscriptionChange::Cancel),
        ChangeKind::Reactivate => is_asked(&SubscriptionChange::Reactivate),
        ChangeKind::Resume => is_asked(&SubscriptionChange::Resume),
        ChangeKind::Card => true,
        ChangeKind::CancelScheduledPlan => is_asked(&SubscriptionChange::CancelScheduledPlan),
        ChangeKind::Pause => goes_on && billing.scheduled().is_none() && can_skip_a_period(state, now),
        ChangeKind::Plan => goes_on,
        ChangeKind::TerminateNow => false,
    };
    if state.has_ended() || *state == SubscriptionState::Incomplete {
        return Vec::new();
    }
    let changes = provider.capabilities().changes.iter().copied();
    changes.filter(makes_sense).collect()
}

/// A pause within the paid time has no effect. Pages offer whole months, and three months may be 89 days.
fn can_skip_a_period(state: &SubscriptionState, now: DateTime<Utc>) -> bool {
    let latest = now + PAUSE_MAX - TimeDelta::days(4);
    state.period_end().is_some_and(|end| end < latest)
}

/// Another period is charged when this one ends. A paused subscription renews afterwards.
pub fn renews(state: &SubscriptionState, billing: &BillingState) -> bool {
    let has_begun = !state.has_ended() && *state != SubscriptionState::Incomplete;
    has_begun && billing.cancel_at.is_none()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeState {
    /// The provider may or may not have received it.
    Open,
    Done {
        at: DateTime<Utc>,
    },
    Refused {
        code: String,
        at: DateTime<Utc>,
    },
}

/// A stored change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChange {
    pub change_id: ChangeId,
    pub subscription_id: SubscriptionId,
    pub change: SubscriptionChange,
    pub idempotency_key: String,
    pub state: ChangeState,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeDecision {
    Submit,
    /// The state is already as requested.
    AlreadyApplied,
}

/// Why a change is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    NotActive,
    /// The provider does not support it.
    Unsupported,
    Ended,
    /// The overdue invoice must be paid first.
    PastDue,
    /// It is cancelled: reactivate it first.
    Ending,
    Paused,
    /// A plan is scheduled: cancel that first.
    PlanScheduled,
    /// Only a paid subscription can be paused or changed.
    OnTrial,
    PauseTooLong,
    PreviewExpired,
}

pub fn decide(
    change: &SubscriptionChange,
    state: &SubscriptionState,
    billing: &BillingState,
    now: DateTime<Utc>,
) -> Result<ChangeDecision, Refusal> {
    match state {
        SubscriptionState::Incomplete => return Err(Refusal::NotActive),
        SubscriptionState::Canceled { .. } | SubscriptionState::Expired { .. } => return Err(Refusal::Ended),
        _ => {}
    }
    let ask_unless = |is_so: bool| {
        if is_so {
            ChangeDecision::AlreadyApplied
        } else {
            ChangeDecision::Submit
        }
    };
    match change {
        SubscriptionChange::Cancel => Ok(ask_unless(
            billing.cancel_at.is_some() && billing.dunning.is_none(),
        )),
        SubscriptionChange::Reactivate => Ok(ask_unless(billing.cancel_at.is_none())),
        SubscriptionChange::Card { .. } | SubscriptionChange::TerminateNow => Ok(ChangeDecision::Submit),
        SubscriptionChange::Resume => Ok(ask_unless(billing.paused_until.is_none())),
        SubscriptionChange::Pause { until } => {
            check_settled(state, billing)?;
            if billing.scheduled().is_some() {
                return Err(Refusal::PlanScheduled);
            }
            if *until <= now || *until > now + PAUSE_MAX {
                return Err(Refusal::PauseTooLong);
            }
            Ok(ask_unless(billing.paused_until == Some(*until)))
        }
        SubscriptionChange::CancelScheduledPlan => Ok(ask_unless(billing.scheduled().is_none())),
        SubscriptionChange::Plan {
            price_id,
            prorated_at,
            shown,
        } => {
            check_settled(state, billing)?;
            if billing.paused_until.is_some() {
                return Err(Refusal::Paused);
            }
            let scheduled = billing.scheduled();
            let is_so = scheduled.map(|next| next.price_id).or(billing.plan_price_id);
            if is_so == Some(*price_id) {
                return Ok(ChangeDecision::AlreadyApplied);
            }
            if scheduled.is_some() && shown.minor > 0 {
                return Err(Refusal::PlanScheduled);
            }
            if *prorated_at > now || *prorated_at < now - PREVIEW_LIVES {
                return Err(Refusal::PreviewExpired);
            }
            Ok(ChangeDecision::Submit)
        }
    }
}

/// The billing state after the provider applied the change. `next_plan` is the plan it scheduled; `now` is after its response.
#[must_use]
pub fn apply_change(
    billing: BillingState,
    change: &SubscriptionChange,
    next_plan: Option<NextPlan>,
    now: DateTime<Utc>,
) -> BillingState {
    match (change, next_plan) {
        // The new card pays at once what the old one did not.
        (SubscriptionChange::Card { .. }, _) => BillingState {
            dunning: billing.dunning.map(with_immediate_attempt),
            ..billing
        },
        // The one before it has begun when this one follows it.
        (SubscriptionChange::Plan { .. }, Some(next)) => BillingState {
            plan_price_id: billing
                .next_plan
                .filter(|before| before.starts_at < next.starts_at)
                .map(|before| before.price_id)
                .or(billing.plan_price_id),
            next_plan: Some(next),
            ..billing
        },
        (SubscriptionChange::Plan { price_id, .. }, None) => BillingState {
            plan_price_id: Some(*price_id),
            next_plan: None,
            ..billing
        },
        // What may have begun before it was undone stays, until the provider shows which.
        (SubscriptionChange::Cancel | SubscriptionChange::CancelScheduledPlan, _) => BillingState {
            next_plan: billing.next_plan.filter(|next| next.starts_at <= now),
            ..billing
        },
        (
            SubscriptionChange::Reactivate
            | SubscriptionChange::Pause { .. }
            | SubscriptionChange::Resume
            | SubscriptionChange::TerminateNow,
            _,
        ) => billing,
    }
}

fn with_immediate_attempt(dunning: Dunning) -> Dunning {
    if dunning.attempt_key.is_none() {
        dunning.with_new_attempt()
    } else {
        dunning
    }
}

/// A cheaper plan begins when the paid time ends; any other at once.
pub fn is_later(plan: &Terms, current: &Terms) -> bool {
    plan.amount.minor < current.amount.minor
}

/// Checks that the subscription is paid and continues.
pub fn check_settled(state: &SubscriptionState, billing: &BillingState) -> Result<(), Refusal> {
    if matches!(state, SubscriptionState::Trialing { .. }) {
        return Err(Refusal::OnTrial);
    }
    if billing.dunning.is_some() || matches!(state, SubscriptionState::PastDue { .. }) {
        return Err(Refusal::PastDue);
    }
    if billing.cancel_at.is_some() {
        return Err(Refusal::Ending);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
