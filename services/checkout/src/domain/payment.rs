//! One attempt to pay for an order, by one provider with one card.

pub mod intent;
pub mod poll_schedule;
pub mod provider_result;
pub mod renewal;

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

use super::ids::{OrderId, PaymentId, SubscriptionId};
use super::provider::Provider;

/// How long a buyer may take to confirm the card of a trial with their bank. Stripe gives an unpaid subscription the same time.
pub const SETUP_FOR: TimeDelta = TimeDelta::hours(23);

/// Why a card was not charged, in the provider's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decline {
    /// The most specific code, such as `insufficient_funds`; `card_declined` when the bank says no more.
    pub code: String,
    /// A sentence for the buyer.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentState {
    /// Committed here; it is unknown whether the provider received it.
    Intended,
    /// The provider gave no usable response: it may have charged.
    Unknown,
    /// The provider received it and has not finished.
    Processing,
    /// The buyer must authenticate the charge.
    RequiresAction {
        client_secret: String,
    },
    /// A trial runs, but the buyer must authenticate the card before it counts.
    RequiresSetup {
        client_secret: String,
        until: DateTime<Utc>,
    },
    /// The card is good and nothing is due until the trial ends.
    Deferred {
        until: DateTime<Utc>,
    },
    Succeeded {
        captured: Money,
        at: DateTime<Utc>,
    },
    Failed {
        decline: Decline,
    },
    /// Closed at the provider: this attempt can never be charged.
    Canceled,
}

/// What a payment's state means for another attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// The outcome is unknown: wait, never start another attempt.
    InFlight,
    /// The buyer must act. It may still be charged until it is closed at the provider.
    AwaitsBuyer,
    /// Paid, or good for the trial.
    Settled,
    /// It can no longer be charged.
    Closed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    /// `None`: a payment of a one-time order.
    pub subscription_id: Option<SubscriptionId>,
    pub provider: Provider,
    pub attempt: i32,
    pub payment_method_id: String,
    /// Which of its networks the buyer wants a co-branded card to be charged by.
    pub card_network: Option<String>,
    pub idempotency_key: String,
    pub state: PaymentState,
    /// The provider's subscription this attempt created, once known.
    pub provider_subscription_id: Option<String>,
    pub provider_intent_id: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl Payment {
    /// A new attempt to pay a one-time order with a card of the page, before the provider is called.
    pub fn intended(
        payment_id: PaymentId,
        order_id: OrderId,
        provider: Provider,
        attempt: i32,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            payment_id,
            order_id,
            subscription_id: None,
            provider,
            attempt,
            payment_method_id: String::new(),
            card_network: None,
            idempotency_key: payment_id.to_string(),
            state: PaymentState::Intended,
            provider_subscription_id: None,
            provider_intent_id: None,
            created_at: now,
        }
    }

    pub fn disposition(&self) -> Disposition {
        match &self.state {
            PaymentState::Intended | PaymentState::Unknown | PaymentState::Processing => {
                Disposition::InFlight
            }
            PaymentState::RequiresAction { .. } | PaymentState::RequiresSetup { .. } => {
                Disposition::AwaitsBuyer
            }
            // The page still holds the client secret of a declined charge and could pay it with another card.
            PaymentState::Failed { .. } if self.provider_subscription_id.is_some() => {
                Disposition::AwaitsBuyer
            }
            PaymentState::Failed { .. } | PaymentState::Canceled => Disposition::Closed,
            PaymentState::Deferred { .. } | PaymentState::Succeeded { .. } => Disposition::Settled,
        }
    }

    /// It may still be charged: the outcome is unknown, or the buyer's page can pay it.
    pub fn is_chargeable(&self) -> bool {
        matches!(
            self.disposition(),
            Disposition::InFlight | Disposition::AwaitsBuyer
        )
    }

    /// It may be charged without or by the buyer.
    pub fn is_in_flight(&self) -> bool {
        let is_refused = matches!(self.state, PaymentState::Failed { .. });
        !is_refused && self.is_chargeable()
    }

    /// The card of its trial was never confirmed. Left open, the provider would charge that card when the trial ends.
    pub fn is_setup_overdue(&self, now: DateTime<Utc>) -> bool {
        matches!(self.state, PaymentState::RequiresSetup { .. }) && now >= self.created_at + SETUP_FOR
    }

    /// The provider may have it and has not confirmed it.
    pub fn is_unconfirmed(&self) -> bool {
        self.disposition() == Disposition::InFlight && self.provider_object_id().is_none()
    }

    /// What the provider can be asked about. A captured one-time payment has no further state.
    pub fn fetchable_id(&self) -> Option<&str> {
        let is_final = self.subscription_id.is_none() && self.captured().is_some();
        self.provider_object_id().filter(|_| !is_final)
    }

    /// The subscription or the intent that this attempt created at the provider, once known.
    pub fn provider_object_id(&self) -> Option<&str> {
        let id = match self.subscription_id {
            Some(_) => &self.provider_subscription_id,
            None => &self.provider_intent_id,
        };
        id.as_deref()
    }

    pub fn captured(&self) -> Option<Money> {
        match &self.state {
            PaymentState::Succeeded { captured, .. } => Some(*captured),
            _ => None,
        }
    }
}
