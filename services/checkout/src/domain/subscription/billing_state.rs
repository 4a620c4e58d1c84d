//! A subscription after its initial payment: the provider's snapshot, and the facts, postings and commands
//! that follow from it. Applying a snapshot is idempotent; stale snapshots are ignored.

mod apply_snapshot;

use chrono::{DateTime, Utc};
use kit::money::Money;

pub use apply_snapshot::apply_snapshot;

use super::dunning::Dunning;
use crate::domain::ids::{PriceId, SubscriptionId};
use crate::domain::order::Order;
use crate::domain::payment::provider_result::PaymentSnapshot;
use crate::domain::payment::renewal::Renewal;
use crate::domain::payment::{Decline, Payment};
use crate::domain::subscription_state::Subscription;

/// The card as the provider displays it; no other card data is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub brand: String,
    pub last4: String,
}

/// Billing data of a subscription beside its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingState {
    pub subscription_id: SubscriptionId,
    pub due_at: Option<DateTime<Utc>>,
    pub sync_attempts: i32,
    pub cancel_at: Option<DateTime<Utc>>,
    pub paused_until: Option<DateTime<Utc>>,
    pub card: Option<Card>,
    /// `None`: the order's.
    pub plan_price_id: Option<PriceId>,
    pub next_plan: Option<NextPlan>,
    pub dunning: Option<Dunning>,
    pub pause_emitted_at: Option<DateTime<Utc>>,
    pub trial_end_emitted_at: Option<DateTime<Utc>>,
    pub ended_emitted_at: Option<DateTime<Utc>>,
}

/// The plan that applies from the next period on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPlan {
    pub price_id: PriceId,
    /// The provider's price id: its snapshot shows this id once the plan has begun.
    pub provider_price_id: String,
    pub starts_at: DateTime<Utc>,
}

/// The provider's view of a subscription, with its invoices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionSnapshot {
    pub payment: PaymentSnapshot,
    pub cancel_at: Option<DateTime<Utc>>,
    pub paused_until: Option<DateTime<Utc>>,
    /// Paused at the provider until checkout resumes it at this moment. `None`: the provider resumes by itself.
    pub resume_at: Option<DateTime<Utc>>,
    pub card: Option<Card>,
    pub provider_price_id: Option<String>,
    /// Newest first.
    pub invoices: Vec<Invoice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    pub provider_invoice_id: String,
    pub provider_intent_id: Option<String>,
    pub reason: InvoiceReason,
    pub amount: Money,
    pub period_start: DateTime<Utc>,
    pub period_end: DateTime<Utc>,
    pub state: InvoiceState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvoiceReason {
    /// It began the subscription.
    First,
    Period,
    Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceState {
    /// Not charged yet, or in flight.
    Awaited,
    Overdue(Decline),
    Paid {
        captured: Money,
        at: DateTime<Utc>,
    },
    /// It can no longer be paid.
    Closed,
}

/// The stored state that a snapshot is applied to.
pub struct SyncInput<'a> {
    pub order: &'a Order,
    pub subscription: &'a Subscription,
    pub payments: &'a [Payment],
    pub renewals: &'a [Renewal],
    pub state: BillingState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncOutcome {
    pub state: BillingState,
    /// New renewals.
    pub renewals: Vec<Renewal>,
    pub facts: Vec<SubscriptionFact>,
    pub commands: Vec<ProviderCommand>,
}

/// A change that is emitted as an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubscriptionFact {
    Renewed(Renewal),
    PastDue(Dunning),
    Recovered,
    TrialEnding {
        until: DateTime<Utc>,
    },
    /// The paid time is over and nothing is charged until then.
    Paused {
        until: DateTime<Utc>,
    },
    Ended {
        at: DateTime<Utc>,
        cause: EndCause,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCause {
    /// By the member, or by an operator at the provider.
    Requested,
    Unpaid,
}

impl EndCause {
    pub fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Unpaid => "unpaid",
        }
    }
}

/// A command to the provider, sent after the commit. Each is idempotent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderCommand {
    /// Stop the provider's own retries.
    DisableAutoAdvance { provider_invoice_id: String },
    PayInvoice {
        provider_invoice_id: String,
        key: String,
    },
    /// End the unpaid subscription.
    CancelSubscription,
    /// Void the invoice.
    CloseInvoice { provider_invoice_id: String },
    /// The scheduled plan has begun: release the subscription schedule.
    ReleaseSchedule { starts_at: DateTime<Utc> },
    /// The pause is over, or the overdue invoice is paid.
    Resume,
}

impl BillingState {
    /// Due immediately, independent of the clock: an update arrived.
    pub fn is_due_now(&self) -> bool {
        self.due_at == Some(DateTime::UNIX_EPOCH)
    }

    /// The scheduled plan that has not begun.
    pub fn scheduled(&self) -> Option<&NextPlan> {
        let begun = self.plan_price_id;
        self.next_plan
            .as_ref()
            .filter(|next| begun != Some(next.price_id))
    }

    /// Whether the schedule of the plan that began then is still to be released.
    pub fn releases_schedule(&self, starts_at: DateTime<Utc>) -> bool {
        let begun = self.next_plan.as_ref().filter(|_| self.scheduled().is_none());
        begun.is_some_and(|next| next.starts_at == starts_at)
    }

    pub fn new(subscription_id: SubscriptionId) -> Self {
        Self {
            subscription_id,
            due_at: None,
            sync_attempts: 0,
            cancel_at: None,
            paused_until: None,
            card: None,
            plan_price_id: None,
            next_plan: None,
            dunning: None,
            pause_emitted_at: None,
            trial_end_emitted_at: None,
            ended_emitted_at: None,
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod model_tests;

#[cfg(test)]
mod plan_model_tests;
