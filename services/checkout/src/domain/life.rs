//! A subscription after its first payment: what a provider shows of it, and what that means for members, books and
//! what we do next. The same showing applied twice changes nothing, and an older one undoes nothing.

mod following;

use chrono::{DateTime, Utc};
use kit::money::Money;

pub use following::follow;

use super::arrears::Arrears;
use super::ids::{PriceId, SubscriptionId};
use super::order::Order;
use super::payment::{Decline, Payment};
use super::renewal::Renewal;
use super::report::Snapshot;
use super::subscription::Subscription;

/// As the provider shows it: never more of a card than this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub brand: String,
    pub last4: String,
}

/// What we keep of it beside its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Life {
    pub subscription_id: SubscriptionId,
    pub due_at: Option<DateTime<Utc>>,
    pub looks: i32,
    pub cancel_at: Option<DateTime<Utc>>,
    pub paused_until: Option<DateTime<Utc>>,
    pub card: Option<Card>,
    /// `None`: the order's.
    pub plan_price_id: Option<PriceId>,
    pub next_plan: Option<NextPlan>,
    pub arrears: Option<Arrears>,
    pub pause_told_at: Option<DateTime<Utc>>,
    pub trial_told_at: Option<DateTime<Utc>>,
    pub ended_told_at: Option<DateTime<Utc>>,
}

/// What a subscription runs on from its next period on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPlan {
    pub price_id: PriceId,
    /// By this the provider shows that it has begun.
    pub provider_price_id: String,
    pub starts_at: DateTime<Utc>,
}

/// What the provider shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing {
    pub snapshot: Snapshot,
    pub cancel_at: Option<DateTime<Utc>>,
    pub paused_until: Option<DateTime<Utc>>,
    /// It stands still until we have it go on, then. `None`: it goes on by itself.
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
    pub covers_from: DateTime<Utc>,
    pub covers_until: DateTime<Utc>,
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
    /// Not asked for yet, or on its way.
    Awaited,
    Overdue(Decline),
    Paid {
        captured: Money,
        at: DateTime<Utc>,
    },
    /// It can no longer be paid.
    Closed,
}

/// All that is known here before the provider's showing is taken in.
pub struct Standing<'a> {
    pub order: &'a Order,
    pub subscription: &'a Subscription,
    pub payments: &'a [Payment],
    pub renewals: &'a [Renewal],
    pub life: Life,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    pub life: Life,
    /// Heard of for the first time.
    pub renewals: Vec<Renewal>,
    pub facts: Vec<LifeFact>,
    pub errands: Vec<Errand>,
}

/// What has become true, and others want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LifeFact {
    Renewed(Renewal),
    PastDue(Arrears),
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
    /// By the member, or by somebody of ours at the provider.
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

/// What is to be asked of the provider after this is committed. Each may be repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// Stop trying the card by yourself.
    Hold { provider_invoice_id: String },
    Pay {
        provider_invoice_id: String,
        key: String,
    },
    /// End the subscription: nobody has paid for it.
    End,
    /// Never ask for this again.
    Close { provider_invoice_id: String },
    /// What was scheduled has begun: let go of the schedule.
    LetGo { starts_at: DateTime<Utc> },
    /// Go on: the pause is over, or what was owed is paid.
    Resume,
}

impl Life {
    /// By whichever clock: somebody has told of something.
    pub fn is_due_at_once(&self) -> bool {
        self.due_at == Some(DateTime::UNIX_EPOCH)
    }

    /// What is still to begin.
    pub fn scheduled(&self) -> Option<&NextPlan> {
        let begun = self.plan_price_id;
        self.next_plan
            .as_ref()
            .filter(|next| begun != Some(next.price_id))
    }

    /// What began then still has its schedule, and no other does.
    pub fn lets_go(&self, starts_at: DateTime<Utc>) -> bool {
        let begun = self.next_plan.as_ref().filter(|_| self.scheduled().is_none());
        begun.is_some_and(|next| next.starts_at == starts_at)
    }

    pub fn new(subscription_id: SubscriptionId) -> Self {
        Self {
            subscription_id,
            due_at: None,
            looks: 0,
            cancel_at: None,
            paused_until: None,
            card: None,
            plan_price_id: None,
            next_plan: None,
            arrears: None,
            pause_told_at: None,
            trial_told_at: None,
            ended_told_at: None,
        }
    }
}

#[cfg(test)]
#[path = "life_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "life_model_tests.rs"]
mod model_tests;

#[cfg(test)]
#[path = "plan_model_tests.rs"]
mod plan_model_tests;
