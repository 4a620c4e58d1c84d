//! The reference state: what buyers did on providers' pages and with their cards.

use kit::money::Money;

use crate::domain::fixtures::{decline, later, price};
use crate::domain::ids::{PaymentId, RefundId};
use crate::domain::order::hosted_checkout::HostedCheckoutState;
use crate::domain::order::payment_import::Offer;
use crate::domain::payment::provider_result::{self, PaymentSnapshot, ProviderStatus};
use crate::domain::provider::Provider;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// The buyer, or us as long as it was not paid.
    BuyerOrUs,
    /// As an unmatched capture.
    Us,
}

/// One agreement, page or card's subscription as it truly is.
pub struct Charge {
    pub id: String,
    pub provider: Provider,
    pub offer: Offer,
    pub takes: Money,
    pub trial_days: i32,
    /// Ours, of a card.
    pub payment_id: Option<PaymentId>,
    pub page: HostedCheckoutState,
    pub is_captured: bool,
    pub is_declined: bool,
    pub over: Option<EndedBy>,
    /// Each gives all of it back.
    pub refunds: Vec<RefundId>,
}

impl Charge {
    pub fn new(number: usize, offer: Offer) -> Self {
        Self {
            id: format!("sub_{number}"),
            provider: offer.provider,
            offer,
            takes: offer.amount,
            trial_days: 0,
            payment_id: None,
            page: HostedCheckoutState::Open,
            is_captured: false,
            is_declined: false,
            over: None,
            refunds: Vec::new(),
        }
    }

    pub fn is_page(&self) -> bool {
        self.provider.is_merchant_initiated()
    }

    pub fn is_card(&self) -> bool {
        self.provider == Provider::Stripe
    }

    /// PayPal says beforehand what it takes, a page only by what it took.
    pub fn is_of_another_amount(&self) -> bool {
        self.takes != price()
    }

    /// A bank may send what it was asked for before the agreement ended; a card is charged by what is open.
    pub fn capture(&mut self) {
        let may_pay = !self.is_over() || self.provider == Provider::Paypal;
        self.is_captured |= may_pay;
    }

    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }

    pub fn end(&mut self) {
        self.over.get_or_insert(EndedBy::BuyerOrUs);
    }

    pub fn end_by_us(&mut self) {
        self.over.get_or_insert(EndedBy::Us);
    }

    pub fn show(&self) -> PaymentSnapshot {
        let is_on_trial = self.trial_days > 0 && !self.is_over() && !self.is_declined;
        let charge = match (self.is_captured, self.is_over(), self.is_declined) {
            (true, ..) => provider_result::Charge::Captured(self.takes),
            (_, true, _) => provider_result::Charge::Closed,
            (_, _, true) => provider_result::Charge::Declined(decline()),
            _ if is_on_trial => provider_result::Charge::NotDue,
            _ if self.is_card() => provider_result::Charge::ActionRequired {
                client_secret: format!("{}_secret", self.id),
            },
            _ => provider_result::Charge::Processing,
        };
        let status = match (self.is_captured, self.is_over()) {
            (true, _) if self.is_page() => ProviderStatus::Paid,
            // What was paid for is theirs until the period ends; a card's subscription ends at once.
            (true, true) if self.is_card() => ProviderStatus::Canceled,
            (true, _) => ProviderStatus::Active,
            (false, true) => ProviderStatus::Canceled,
            (false, false) if is_on_trial => ProviderStatus::Trialing,
            (false, false) => ProviderStatus::Incomplete,
        };
        PaymentSnapshot {
            provider_subscription_id: self.id.clone(),
            payment_id: self.payment_id,
            provider_intent_id: self.is_captured.then(|| format!("intent_of_{}", self.id)),
            status,
            period_end: later(24 * 30),
            charge,
        }
    }
}
