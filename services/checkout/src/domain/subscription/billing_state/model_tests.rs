//! Random lives of a subscription, shown late, twice, in another order or never, against a provider of a few lines. Every
//! seed is one life: a failing one names itself.

use std::collections::BTreeSet;

use chrono::TimeDelta;

use super::*;
use crate::domain::fixtures::{decline, intended, later, noon, paid, price, schedules};
use crate::domain::ids::PaymentId;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::provider_result::{Charge, ProviderResult, ProviderStatus};
use crate::domain::subscription::dunning::Grace;
use crate::domain::subscription::settlement;

const STEPS: usize = 80;
const GRACE: Grace = Grace(TimeDelta::days(14));
const MONTH: i64 = 30 * 24;

/// A generator of numbers that only have to differ.
struct Rng(u64);

impl Rng {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// What is true: the provider's books.
struct Provider {
    invoices: Vec<Invoice>,
    is_ended: bool,
    /// It stands still, and we are to have it go on then.
    halted_until: Option<i64>,
    card_pays: bool,
    /// Keys it has answered to.
    keys: BTreeSet<String>,
    charges: usize,
}

impl Provider {
    fn new() -> Self {
        let mut first = invoice(0, InvoiceReason::First);
        first.state = InvoiceState::Paid {
            captured: price(),
            at: noon(),
        };
        Self {
            invoices: vec![first],
            is_ended: false,
            halted_until: None,
            card_pays: true,
            keys: BTreeSet::new(),
            charges: 1,
        }
    }

    fn bill(&mut self, hours: i64) {
        if self.is_ended || self.halted_until.is_some() {
            return;
        }
        let number = i64::try_from(self.invoices.len()).unwrap();
        self.invoices.insert(0, invoice(number, InvoiceReason::Period));
        self.charge(0, hours);
    }

    fn charge(&mut self, at: usize, hours: i64) {
        self.invoices[at].state = if self.card_pays {
            self.charges += 1;
            InvoiceState::Paid {
                captured: price(),
                at: later(hours),
            }
        } else {
            InvoiceState::Overdue(decline())
        };
    }

    fn find(&self, id: &str) -> usize {
        let mut invoices = self.invoices.iter();
        invoices.position(|it| it.provider_invoice_id == id).unwrap()
    }

    fn show(&self) -> SubscriptionSnapshot {
        let overdue = self
            .invoices
            .iter()
            .any(|it| matches!(it.state, InvoiceState::Overdue(_)));
        let status = match (self.is_ended, overdue) {
            (true, _) => ProviderStatus::Canceled,
            (false, true) => ProviderStatus::PastDue,
            (false, false) => ProviderStatus::Active,
        };
        SubscriptionSnapshot {
            payment: PaymentSnapshot {
                provider_subscription_id: "sub_1".into(),
                payment_id: None,
                provider_intent_id: self.invoices[0].provider_intent_id.clone(),
                status,
                period_end: self.invoices[0].period_end,
                charge: Charge::Processing,
            },
            cancel_at: None,
            paused_until: None,
            resume_at: self.halted_until.filter(|_| !self.is_ended).map(later),
            card: None,
            provider_price_id: None,
            invoices: self.invoices.clone(),
        }
    }
}

fn invoice(number: i64, reason: InvoiceReason) -> Invoice {
    Invoice {
        provider_invoice_id: format!("in_{number}"),
        provider_intent_id: Some(format!("pi_{}", number + 1)),
        reason,
        amount: price(),
        period_start: later(number * MONTH),
        period_end: later((number + 1) * MONTH),
        state: InvoiceState::Awaited,
    }
}

struct World {
    rng: Rng,
    provider: Provider,
    pending: Vec<SubscriptionSnapshot>,
    purchase: SubscriptionOrder,
    billing: BillingState,
    renewals: Vec<Renewal>,
    facts: Vec<SubscriptionFact>,
    hours: i64,
}

impl World {
    fn new(seed: u64) -> Self {
        let purchase = settlement::decide(intended(), &paid(), noon()).purchase;
        Self {
            rng: Rng(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            provider: Provider::new(),
            pending: Vec::new(),
            billing: BillingState::new(purchase.subscription.subscription_id),
            purchase,
            renewals: Vec::new(),
            facts: Vec::new(),
            hours: 0,
        }
    }

    fn step(&mut self) {
        self.hours += i64::try_from(self.rng.roll(72)).unwrap();
        match self.rng.roll(13) {
            12 => {
                self.provider.halted_until =
                    Some(self.hours + i64::try_from(self.rng.roll(60 * 24)).unwrap());
            }
            0 => self.provider.card_pays = !self.provider.card_pays,
            1 | 2 => self.provider.bill(self.hours),
            3 if self.rng.roll(6) == 0 => self.provider.is_ended = true,
            // Delivered never, once or twice, now or later.
            4..=6 => {
                for _ in 0..self.rng.roll(3) {
                    self.pending.push(self.provider.show());
                }
            }
            7 | 8 => self.deliver(),
            _ => {
                let fresh = self.provider.show();
                self.see(&fresh);
            }
        }
    }

    fn deliver(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let at = self.rng.roll(u64::try_from(self.pending.len()).unwrap());
        let shown = self.pending.swap_remove(usize::try_from(at).unwrap());
        self.see(&shown);
    }

    fn see(&mut self, snapshot: &SubscriptionSnapshot) {
        let now = later(self.hours);
        let result = ProviderResult::Snapshot(snapshot.payment.clone());
        self.purchase = settlement::decide(self.purchase.clone(), &result, now).purchase;
        let input = SyncInput {
            order: &self.purchase.order,
            subscription: &self.purchase.subscription,
            payments: std::slice::from_ref(&self.purchase.payment),
            renewals: &self.renewals,
            state: self.billing.clone(),
        };
        let outcome = apply_snapshot(input, snapshot, GRACE, now, || PaymentId::new(now));
        self.billing = outcome.state;
        self.renewals.extend(outcome.renewals);
        self.facts.extend(outcome.facts);
        for command in outcome.commands {
            self.run(command);
        }
    }

    /// Perhaps it never arrives, and perhaps only its answer is lost.
    fn run(&mut self, command: ProviderCommand) {
        let has_ended = self.purchase.subscription.state.has_ended();
        let luck = self.rng.roll(4);
        if luck == 0 {
            return;
        }
        match command {
            ProviderCommand::DisableAutoAdvance { .. } => {
                if let Some(dunning) = &mut self.billing.dunning {
                    dunning.auto_advance_disabled = true;
                }
            }
            ProviderCommand::CancelSubscription => self.provider.is_ended = true,
            // Plans are not a part of this model.
            ProviderCommand::ReleaseSchedule { .. } => {}
            ProviderCommand::Resume => {
                assert!(!has_ended && self.billing.dunning.is_none());
                self.provider.halted_until = None;
            }
            ProviderCommand::CloseInvoice { provider_invoice_id } => {
                assert!(has_ended);
                let at = self.provider.find(&provider_invoice_id);
                if matches!(self.provider.invoices[at].state, InvoiceState::Overdue(_)) {
                    self.provider.invoices[at].state = InvoiceState::Closed;
                }
            }
            ProviderCommand::PayInvoice {
                provider_invoice_id,
                key,
            } => {
                assert!(!has_ended, "tried after the end");
                self.pay(&provider_invoice_id, &key);
                if luck != 1 {
                    self.apply_decline(&key);
                }
            }
        }
    }

    fn pay(&mut self, id: &str, key: &str) {
        let at = self.provider.find(id);
        let is_open = matches!(self.provider.invoices[at].state, InvoiceState::Overdue(_));
        if self.provider.keys.insert(key.to_owned()) && is_open {
            self.provider.charge(at, self.hours);
        }
    }

    fn apply_decline(&mut self, key: &str) {
        if let Some(dunning) = self.billing.dunning.take() {
            self.billing.dunning = Some(match &dunning.attempt_key {
                Some(open) if open == key => dunning.declined("insufficient_funds", later(self.hours)),
                _ => dunning,
            });
        }
    }

    fn check(&self, at: &str) {
        let invoices: Vec<&str> = self
            .renewals
            .iter()
            .map(|renewal| renewal.provider_invoice_id.as_str())
            .collect();
        let once: BTreeSet<&str> = invoices.iter().copied().collect();
        assert_eq!(once.len(), invoices.len(), "{at}: {invoices:?}");
        for id in invoices {
            let of_invoice = &self.provider.invoices[self.provider.find(id)];
            assert!(
                matches!(of_invoice.state, InvoiceState::Paid { .. }),
                "{at}: {id}"
            );
        }
        let ended = self
            .facts
            .iter()
            .filter(|fact| matches!(fact, SubscriptionFact::Ended { .. }))
            .count();
        assert!(ended <= 1, "{at}");
    }

    /// Syncs until nothing is due.
    fn drain(&mut self) {
        for _ in 0..200 {
            self.hours += 12;
            let fresh = self.provider.show();
            self.see(&fresh);
        }
    }

    /// Every capture is recorded, every expired dunning has ended, and no state is intermediate.
    fn check_end(&self, at: &str) {
        assert_eq!(self.renewals.len() + 1, self.provider.charges, "{at}");
        let has_ended = self.purchase.subscription.state.has_ended();
        assert_eq!(has_ended, self.provider.is_ended, "{at}");
        assert_eq!(self.billing.dunning, None, "{at}");
        let halted = self.provider.halted_until.filter(|_| !has_ended);
        assert_eq!(halted, None, "{at}: the subscription did not resume");
        let count =
            |wanted: fn(&SubscriptionFact) -> bool| self.facts.iter().filter(|fact| wanted(fact)).count();
        assert_eq!(
            count(|fact| matches!(fact, SubscriptionFact::Ended { .. })),
            usize::from(has_ended),
            "{at}"
        );
        let unpaid = count(|fact| {
            matches!(
                fact,
                SubscriptionFact::Ended {
                    cause: EndCause::Unpaid,
                    ..
                }
            )
        });
        let begun = count(|fact| matches!(fact, SubscriptionFact::PastDue(_)));
        let recovered = count(|fact| matches!(fact, SubscriptionFact::Recovered));
        assert_eq!(begun, recovered + unpaid, "{at}");
        if has_ended {
            assert_eq!(self.billing.due_at, None, "{at}");
        }
    }
}

#[test]
fn every_random_subscription_is_charged_emitted_and_ended_once() {
    let seeds = schedules();
    for seed in 0..seeds {
        let mut world = World::new(seed);
        for step in 0..STEPS {
            world.step();
            world.check(&format!("seed {seed}, step {step}"));
        }
        world.drain();
        world.check(&format!("seed {seed}"));
        world.check_end(&format!("seed {seed}"));
    }
}
