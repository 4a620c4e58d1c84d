//! Refunds: states, and transitions by a provider's result.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::{Money, MoneyError};

use super::ids::{OrderId, PaymentId, RefundId};

/// Providers keep idempotency keys for at least 24 hours.
const KEY_LIVES: TimeDelta = TimeDelta::hours(23);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundReason {
    /// Requested by an operator.
    Requested,
    /// The order had been paid by another payment.
    Excess,
    /// Made by hand at the provider.
    AtProvider,
    /// Taken back by the buyer's bank.
    Disputed,
}

impl RefundReason {
    pub const ALL: [Self; 4] = [Self::Requested, Self::Excess, Self::AtProvider, Self::Disputed];

    pub fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Excess => "excess",
            Self::AtProvider => "at_provider",
            Self::Disputed => "disputed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundState {
    /// Committed here; it is unknown whether the provider received it.
    Intended,
    /// The provider was asked and gave no usable answer: it may have paid.
    Unknown,
    /// The provider received it and has not finished.
    Processing,
    Succeeded {
        at: DateTime<Utc>,
    },
    /// Nothing was refunded.
    Failed {
        code: String,
    },
    /// Refunded and returned to us: the buyer's bank rejected it, or lost a dispute.
    Returned {
        given_at: DateTime<Utc>,
        at: DateTime<Utc>,
    },
}

impl RefundState {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Intended => "intended",
            Self::Unknown => "unknown",
            Self::Processing => "processing",
            Self::Succeeded { .. } => "succeeded",
            Self::Failed { .. } => "failed",
            Self::Returned { .. } => "returned",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub refund_id: RefundId,
    pub order_id: OrderId,
    pub payment_id: PaymentId,
    pub amount: Money,
    pub reason: RefundReason,
    pub idempotency_key: String,
    /// First use of the key.
    pub keyed_at: DateTime<Utc>,
    pub state: RefundState,
    pub provider_refund_id: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl Refund {
    /// Its outcome is unknown.
    pub fn is_open(&self) -> bool {
        matches!(
            self.state,
            RefundState::Intended | RefundState::Unknown | RefundState::Processing
        )
    }

    /// The provider has not confirmed having it.
    pub fn is_unconfirmed(&self) -> bool {
        matches!(self.state, RefundState::Intended | RefundState::Unknown)
    }

    /// It succeeded, or may still succeed.
    pub fn counts(&self) -> bool {
        self.is_open() || matches!(self.state, RefundState::Succeeded { .. })
    }

    /// With a key of this day, when the provider may have forgotten the one it has. Only for a refund that the provider was
    /// just found not to have.
    #[must_use]
    pub fn with_living_key(self, now: DateTime<Utc>) -> Self {
        if now < self.keyed_at + KEY_LIVES {
            return self;
        }
        Self {
            idempotency_key: format!("{}-{}", self.refund_id, now.timestamp()),
            keyed_at: now,
            ..self
        }
    }
}

/// Order and payment that a new refund belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundTarget {
    pub order_id: OrderId,
    pub payment_id: PaymentId,
    pub reason: RefundReason,
}

pub fn intend(refund_id: RefundId, claim: RefundTarget, amount: Money, now: DateTime<Utc>) -> Refund {
    Refund {
        refund_id,
        order_id: claim.order_id,
        payment_id: claim.payment_id,
        amount,
        reason: claim.reason,
        idempotency_key: refund_id.to_string(),
        keyed_at: now,
        state: RefundState::Intended,
        provider_refund_id: None,
        created_at: now,
    }
}

/// The part of a capture that is neither refunded nor in flight; negative where a bank took more.
pub fn refundable(captured: Money, refunds: &[Refund]) -> Result<Money, MoneyError> {
    let counting = refunds
        .iter()
        .filter(|refund| refund.counts() && refund.amount.currency == captured.currency);
    counting
        .map(|refund| refund.amount)
        .try_fold(captured, Money::checked_sub)
}

/// Why a refund is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the order is not paid")]
    NotPaid,
    #[error("all of it is given back, or on its way")]
    NothingLeft,
    #[error("only {0} can still be given back")]
    TooMuch(Money),
    #[error("an amount must be more than nothing")]
    NotAnAmount,
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// What is given back when `wanted` is asked for: all that is left, unless it says how much.
pub fn claimable(captured: Money, refunds: &[Refund], wanted: Option<Money>) -> Result<Money, Refusal> {
    let left = refundable(captured, refunds)?;
    match wanted {
        _ if left.minor <= 0 => Err(Refusal::NothingLeft),
        None => Ok(left),
        Some(wanted) if wanted.minor <= 0 => Err(Refusal::NotAnAmount),
        Some(wanted) if left.checked_sub(wanted)?.minor < 0 => Err(Refusal::TooMuch(left)),
        Some(wanted) => Ok(wanted),
    }
}

/// A refund as the provider returns it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundSnapshot {
    pub provider_refund_id: String,
    /// Which of ours it is, from the metadata we sent along.
    pub refund_id: Option<RefundId>,
    pub amount: Money,
    pub outcome: RefundOutcome,
    /// Taken by the buyer's bank, not refunded by us.
    pub is_disputed: bool,
    pub created_at: DateTime<Utc>,
}

impl RefundSnapshot {
    /// Reason of a refund that checkout did not request.
    pub fn foreign_reason(&self) -> RefundReason {
        if self.is_disputed {
            RefundReason::Disputed
        } else {
            RefundReason::AtProvider
        }
    }

    pub fn shows(&self, refund: &Refund) -> bool {
        refund.provider_refund_id.as_ref() == Some(&self.provider_refund_id)
            || self.refund_id == Some(refund.refund_id)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundOutcome {
    Pending,
    Succeeded,
    Failed { code: String },
}

/// The result of a provider call about one refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundResult {
    Snapshot(RefundSnapshot),
    /// Refused as it is: nothing was given back.
    Refused {
        code: String,
    },
    /// This call had no effect.
    NotSent,
    /// The call may or may not have had its effect.
    OutcomeUnknown,
}

/// A change of a refund that is emitted as an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundFact {
    Refunded,
    RefundFailed { code: String },
    RefundReturned,
}

/// Results arrive late, repeatedly and in any order. An outcome is final unless the refund is returned.
pub fn decide(refund: Refund, result: &RefundResult, now: DateTime<Utc>) -> (Refund, Option<RefundFact>) {
    let before = refund.state.clone();
    let provider_refund_id = match result {
        RefundResult::Snapshot(snapshot) => Some(snapshot.provider_refund_id.clone()),
        _ => None,
    };
    let state = state_after(refund.state, result, now);
    let fact = match &state {
        _ if state == before => None,
        RefundState::Succeeded { .. } => Some(RefundFact::Refunded),
        RefundState::Failed { code } => Some(RefundFact::RefundFailed { code: code.clone() }),
        RefundState::Returned { .. } => Some(RefundFact::RefundReturned),
        _ => None,
    };
    let refund = Refund {
        state,
        provider_refund_id: provider_refund_id.or(refund.provider_refund_id),
        ..refund
    };
    (refund, fact)
}

fn state_after(state: RefundState, result: &RefundResult, now: DateTime<Utc>) -> RefundState {
    use RefundOutcome as Outcome;
    use RefundState as State;

    let outcome = match result {
        RefundResult::Snapshot(snapshot) => &snapshot.outcome,
        RefundResult::Refused { code } => {
            return match state {
                State::Intended | State::Unknown => State::Failed { code: code.clone() },
                latest => latest,
            };
        }
        RefundResult::OutcomeUnknown if state == State::Intended => return State::Unknown,
        RefundResult::OutcomeUnknown | RefundResult::NotSent => return state,
    };
    match (state, outcome) {
        (State::Succeeded { at: given_at }, Outcome::Failed { .. }) => State::Returned { given_at, at: now },
        // Refused to us, and yet done: what the provider shows counts.
        (State::Intended | State::Unknown | State::Processing | State::Failed { .. }, Outcome::Succeeded) => {
            State::Succeeded { at: now }
        }
        (State::Intended | State::Unknown | State::Processing, Outcome::Failed { code }) => {
            State::Failed { code: code.clone() }
        }
        (State::Intended | State::Unknown, Outcome::Pending) => State::Processing,
        (settled, _) => settled,
    }
}

pub mod dispute;
pub mod full_refund;
#[cfg(test)]
mod tests;

#[cfg(test)]
mod dispute_model_tests;
