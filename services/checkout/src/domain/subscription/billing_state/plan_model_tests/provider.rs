//! The truth: what a subscription runs on at the provider, and what was charged for it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kit::money::Money;

use crate::domain::fixtures::{later, price};
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderStatus};
use crate::domain::subscription::billing_state::{
    Invoice, InvoiceReason, InvoiceState, SubscriptionSnapshot,
};
use crate::domain::subscription::subscription_change::SubscriptionChange;

pub const MONTH: i64 = 30 * 24;
/// How long it remembers what it has answered.
const KEYS_LIVE: i64 = 24;

pub static PRICES: LazyLock<[Money; 3]> =
    LazyLock::new(|| [2999, 5999, 8999].map(|minor| Money::new(minor, price().currency)));

pub fn price_id(plan: usize) -> String {
    format!("price_{plan}")
}

/// Another plan from when what is paid for ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    pub to: usize,
    pub has_begun: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Done,
    /// It begins then.
    Scheduled(i64),
    Refused,
}

/// To a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BankResponse {
    Approved,
    Declined,
}

pub struct Provider {
    pub price: usize,
    pub schedule: Option<Schedule>,
    pub invoices: Vec<Invoice>,
    pub is_ended: bool,
    /// How often each key had something charged.
    pub charged: BTreeMap<String, usize>,
    answers: BTreeMap<String, (Answer, i64)>,
    cancels: bool,
    paused_until: Option<i64>,
    period: (i64, i64),
    hours: i64,
}

impl Provider {
    pub fn new() -> Self {
        let mut provider = Self {
            price: 1,
            schedule: None,
            invoices: Vec::new(),
            is_ended: false,
            charged: BTreeMap::new(),
            answers: BTreeMap::new(),
            cancels: false,
            paused_until: None,
            period: (0, MONTH),
            hours: 0,
        };
        provider.bill(InvoiceReason::First, PRICES[1]);
        provider
    }

    fn bill(&mut self, reason: InvoiceReason, amount: Money) {
        let number = self.invoices.len();
        let is_paused =
            reason == InvoiceReason::Period && self.paused_until.is_some_and(|until| self.period.0 < until);
        let state = if is_paused {
            InvoiceState::Closed
        } else {
            InvoiceState::Paid {
                captured: amount,
                at: later(self.hours),
            }
        };
        let invoice = Invoice {
            provider_invoice_id: format!("in_{number}"),
            provider_intent_id: Some(format!("pi_{}", number + 1)),
            reason,
            amount,
            period_start: later(self.period.0.max(if reason == InvoiceReason::Change {
                self.hours
            } else {
                0
            })),
            period_end: later(self.period.1),
            state,
        };
        self.invoices.insert(0, invoice);
    }

    /// Periods end, and others begin.
    pub fn pass(&mut self, hours: i64) {
        self.hours = hours;
        while self.period.1 <= hours && !self.is_ended {
            if self.cancels {
                self.is_ended = true;
                return;
            }
            self.period = (self.period.1, self.period.1 + MONTH);
            // After one period the schedule releases itself.
            self.schedule = self.schedule.filter(|schedule| !schedule.has_begun);
            if let Some(schedule) = &mut self.schedule {
                schedule.has_begun = true;
                self.price = schedule.to;
            }
            if self.paused_until.is_some_and(|until| until <= self.period.0) {
                self.paused_until = None;
            }
            self.bill(InvoiceReason::Period, PRICES[self.price]);
        }
    }

    /// The same answer for the same key, while it lives.
    pub fn answer(
        &mut self,
        key: &str,
        change: &SubscriptionChange,
        plan: Option<usize>,
        bank: BankResponse,
    ) -> Answer {
        if let Some((answer, at)) = self.answers.get(key)
            && self.hours < at + KEYS_LIVE
        {
            return *answer;
        }
        let answer = if self.is_ended {
            Answer::Refused
        } else {
            match (change, plan) {
                (SubscriptionChange::Plan { shown, .. }, Some(plan)) if shown.minor == 0 => {
                    self.schedule(plan)
                }
                (SubscriptionChange::Plan { .. }, Some(plan)) => self.change(key, plan, bank),
                _ => self.adjust(change),
            }
        };
        self.answers.insert(key.to_owned(), (answer, self.hours));
        answer
    }

    fn schedule(&mut self, to: usize) -> Answer {
        if self.price == to {
            return Answer::Scheduled(self.period.0);
        }
        self.schedule = Some(Schedule { to, has_begun: false });
        Answer::Scheduled(self.period.1)
    }

    fn change(&mut self, key: &str, to: usize, bank: BankResponse) -> Answer {
        self.schedule = None;
        if self.price == to {
            return Answer::Done;
        }
        if bank == BankResponse::Declined {
            return Answer::Refused;
        }
        let difference = PRICES[to].minor - PRICES[self.price].minor;
        self.price = to;
        if difference > 0 {
            *self.charged.entry(key.to_owned()).or_default() += 1;
            self.bill(InvoiceReason::Change, Money::new(difference, price().currency));
        }
        Answer::Done
    }

    fn adjust(&mut self, change: &SubscriptionChange) -> Answer {
        match change {
            SubscriptionChange::Cancel => {
                self.schedule = None;
                self.cancels = true;
            }
            SubscriptionChange::Reactivate => self.cancels = false,
            SubscriptionChange::CancelScheduledPlan => self.schedule = None,
            SubscriptionChange::Pause { until } => self.paused_until = Some((*until - later(0)).num_hours()),
            SubscriptionChange::Resume => self.paused_until = None,
            _ => {}
        }
        Answer::Done
    }

    pub fn show(&self) -> SubscriptionSnapshot {
        let status = if self.is_ended {
            ProviderStatus::Canceled
        } else {
            ProviderStatus::Active
        };
        SubscriptionSnapshot {
            payment: PaymentSnapshot {
                provider_subscription_id: "sub_1".into(),
                payment_id: None,
                provider_intent_id: self.invoices[0].provider_intent_id.clone(),
                status,
                period_end: later(self.period.1),
                charge: Charge::Processing,
            },
            cancel_at: (self.cancels && !self.is_ended).then(|| later(self.period.1)),
            paused_until: self.paused_until.map(later),
            resume_at: None,
            card: None,
            provider_price_id: Some(price_id(self.price)),
            invoices: self.invoices.clone(),
        }
    }
}
