//! Random schedules of provider results that arrive twice, late, in another order or never, against a model of a few
//! lines. Every seed is one schedule: a failing one names itself.

pub(super) mod provider;

use self::provider::{Charge, Rng};
use super::fixtures::{action_required, closed, declined, intended, later, paid, price, schedules, synced};
use super::ids::{PaymentId, RefundId};
use super::invariants::{OrderAggregate, violations};
use super::ledger::{self, LedgerAccount, Posting, Purpose};
use super::order::OrderState;
use super::payment::{Disposition, Payment, PaymentState};
use super::provider::Provider;
use super::refund::{self, Refund, RefundOutcome, RefundReason, RefundResult, RefundSnapshot, RefundTarget};
use crate::domain::ledger::postings;
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::subscription::settlement;

const STEPS: usize = 60;
const ATTEMPTS_MAX: usize = 4;

/// The provider, its messages, the stored state, and the observed charges in order.
struct World {
    rng: Rng,
    charges: Vec<Charge>,
    pending: Vec<(usize, ProviderResult)>,
    ours: OrderAggregate,
    captures: Vec<PaymentId>,
    hours: i64,
}

impl World {
    fn new(seed: u64) -> Self {
        let SubscriptionOrder {
            order,
            subscription,
            payment,
            poll,
            ..
        } = intended();
        let billing = Some(synced(&subscription));
        Self {
            rng: Rng(seed),
            charges: vec![Charge::default()],
            pending: Vec::new(),
            ours: OrderAggregate {
                order,
                subscription: Some(subscription),
                next_check_at: poll.next_check_at,
                payments: vec![payment],
                renewals: Vec::new(),
                billing_state: billing,
                refunds: Vec::new(),
                postings: Vec::new(),
                reconciled_refunds: Vec::new(),
            },
            captures: Vec::new(),
            hours: 0,
        }
    }

    fn step(&mut self) {
        self.hours += 1;
        let at = self.rng.roll(self.charges.len());
        match self.rng.roll(11) {
            0 => self.charge(at),
            1 => self.close(at),
            2 => self.send_or(at, &declined()),
            3 => self.send_or(at, &action_required()),
            4 | 5 => self.deliver(),
            6 => self.lose(at),
            7 => self.try_another_card(),
            8 => self.submit_refunds(at),
            9 => self.ask_for_refund(),
            _ => self.refund_by_hand(at),
        }
    }

    fn charge(&mut self, at: usize) {
        let charge = &mut self.charges[at];
        charge.is_captured |= !charge.is_closed;
        if charge.is_captured {
            self.send(at, &paid());
        }
    }

    fn close(&mut self, at: usize) {
        let charge = &mut self.charges[at];
        charge.is_closed |= !charge.is_captured;
        if charge.is_closed {
            self.send(at, &closed());
        }
    }

    fn send_or(&mut self, at: usize, not_paid: &ProviderResult) {
        let captured = self.charges[at].is_captured.then(paid);
        self.send(at, captured.as_ref().unwrap_or(not_paid));
    }

    /// Never, once, or twice.
    fn send(&mut self, at: usize, result: &ProviderResult) {
        for _ in 0..self.rng.roll(3) {
            self.pending.push((at, result.clone()));
        }
    }

    /// Any of what is under way.
    fn deliver(&mut self) {
        if !self.pending.is_empty() {
            let (at, result) = self.pending.swap_remove(self.rng.roll(self.pending.len()));
            self.settle(at, &result);
        }
    }

    /// Our own request goes astray: perhaps the provider got it, and we give it up.
    fn lose(&mut self, at: usize) {
        let lost = self.rng.roll(2);
        self.settle(
            at,
            &[ProviderResult::OutcomeUnknown, ProviderResult::NotFoundAtProvider][lost],
        );
    }

    fn try_another_card(&mut self) {
        let last = self.ours.payments.last().unwrap().clone();
        let is_open = self.ours.order.state == OrderState::Open;
        if is_open && last.disposition() == Disposition::Closed && self.charges.len() < ATTEMPTS_MAX {
            self.charges.push(Charge::default());
            self.ours.payments.push(Payment {
                payment_id: PaymentId::new(later(self.hours)),
                attempt: last.attempt + 1,
                state: PaymentState::Intended,
                provider_subscription_id: None,
                provider_intent_id: None,
                ..last
            });
        }
    }

    fn settle(&mut self, at: usize, result: &ProviderResult) {
        let is_last = at + 1 == self.ours.payments.len();
        let purchase = SubscriptionOrder {
            order: self.ours.order.clone(),
            subscription: self.ours.subscription.clone().unwrap(),
            payment: self.ours.payments[at].clone(),
            attempt: if is_last {
                AttemptStatus::Current
            } else {
                AttemptStatus::Superseded
            },
            poll: PollState::default(),
        };
        let settled = settlement::decide(purchase, result, later(self.hours));
        let now = later(self.hours);
        let capture = postings::plan_capture(
            &settled.purchase.order,
            &settled.purchase.payment,
            &settled.facts,
            RefundId::new(now),
            now,
        )
        .unwrap();
        if let Some(capture) = capture {
            self.ours.postings.push(capture.posting);
            self.ours
                .reconciled_refunds
                .extend(capture.excess_refund.iter().map(|refund| refund.payment_id));
            self.ours.refunds.extend(capture.excess_refund);
            self.captures.push(self.ours.payments[at].payment_id);
        }
        self.ours.order = settled.purchase.order;
        self.ours.subscription = Some(settled.purchase.subscription);
        self.ours.payments[at] = settled.purchase.payment;
    }

    fn ask_for_refund(&mut self) {
        let OrderState::Paid { by, .. } = self.ours.order.state else {
            return;
        };
        let of_payment: Vec<Refund> = self.refunds_of(by);
        let left = refund::refundable(price(), &of_payment).unwrap().minor;
        if left > 0 {
            let claim = RefundTarget {
                order_id: self.ours.order.order_id,
                payment_id: by,
                reason: RefundReason::Requested,
            };
            let now = later(self.hours);
            let amount = self.rng.amount(left);
            self.ours
                .refunds
                .push(refund::intend(RefundId::new(now), claim, amount, now));
            self.ours.reconciled_refunds.push(by);
        }
    }

    /// At the provider, of a sale, without our knowledge.
    fn refund_by_hand(&mut self, at: usize) {
        let payment_id = self.ours.payments[at].payment_id;
        let is_sale = Purpose::of(payment_id, &self.ours.order.state) == Purpose::Sale;
        let left = self.charges[at].left();
        if is_sale && left > 0 {
            let amount = self.rng.amount(left);
            self.charges[at].refund(amount, None, RefundOutcome::Succeeded);
        }
    }

    fn refunds_of(&self, payment_id: PaymentId) -> Vec<Refund> {
        let refunds = self.ours.refunds.iter().cloned();
        refunds.filter(|refund| refund.payment_id == payment_id).collect()
    }

    /// As the flow does it: look what the provider has, then ask for what it does not have.
    fn submit_refunds(&mut self, at: usize) {
        let payment_id = self.ours.payments[at].payment_id;
        if self.ours.payments[at].captured().is_none() {
            return;
        }
        self.finish_pending(at);
        self.look(at);
        for ours in self.refunds_of(payment_id) {
            let is_shown = self.charges[at].refunds.iter().any(|shown| shown.shows(&ours));
            if ours.is_unconfirmed() && !is_shown {
                let result = self.ask(at, &ours);
                self.settle_refund(&ours, &result);
            }
        }
    }

    fn finish_pending(&mut self, at: usize) {
        let outcome = match self.rng.roll(6) {
            0 => RefundOutcome::Pending,
            1 if Purpose::of(self.ours.payments[at].payment_id, &self.ours.order.state) == Purpose::Sale => {
                RefundOutcome::Failed {
                    code: "expired_card".into(),
                }
            }
            _ => RefundOutcome::Succeeded,
        };
        for shown in &mut self.charges[at].refunds {
            if shown.outcome == RefundOutcome::Pending {
                shown.outcome = outcome.clone();
            }
        }
    }

    fn look(&mut self, at: usize) {
        for shown in self.charges[at].refunds.clone() {
            let known = self.ours.refunds.iter().find(|ours| shown.shows(ours)).cloned();
            let ours = known.or_else(|| self.import(at, &shown));
            if let Some(ours) = ours {
                self.settle_refund(&ours, &RefundResult::Snapshot(shown));
            }
        }
    }

    /// What would exceed the capture is refused by the database, until ours is refused by the provider.
    fn import(&mut self, at: usize, shown: &RefundSnapshot) -> Option<Refund> {
        let payment_id = self.ours.payments[at].payment_id;
        let left = refund::refundable(price(), &self.refunds_of(payment_id)).unwrap();
        if shown.amount.minor > left.minor {
            return None;
        }
        let claim = RefundTarget {
            order_id: self.ours.order.order_id,
            payment_id,
            reason: RefundReason::AtProvider,
        };
        let now = later(self.hours);
        let imported = Refund {
            provider_refund_id: Some(shown.provider_refund_id.clone()),
            ..refund::intend(RefundId::new(now), claim, shown.amount, now)
        };
        self.ours.refunds.push(imported.clone());
        Some(imported)
    }

    fn ask(&mut self, at: usize, ours: &Refund) -> RefundResult {
        let luck = self.rng.roll(6);
        if luck == 0 {
            return RefundResult::NotSent;
        }
        if ours.amount.minor > self.charges[at].left() {
            return RefundResult::Refused {
                code: "charge_already_refunded".into(),
            };
        }
        let outcome = if luck == 1 {
            RefundOutcome::Pending
        } else {
            RefundOutcome::Succeeded
        };
        self.charges[at].refund(ours.amount, Some(ours.refund_id), outcome);
        match luck {
            2 => RefundResult::OutcomeUnknown,
            _ => RefundResult::Snapshot(self.charges[at].refunds.last().unwrap().clone()),
        }
    }

    fn settle_refund(&mut self, ours: &Refund, result: &RefundResult) {
        let index = self
            .ours
            .refunds
            .iter()
            .position(|known| known.refund_id == ours.refund_id)
            .unwrap();
        let (settled, fact) = refund::decide(self.ours.refunds[index].clone(), result, later(self.hours));
        if fact.is_some() {
            let purpose = Purpose::of(settled.payment_id, &self.ours.order.state);
            let posting = ledger::refund(Provider::Stripe, &settled, purpose).unwrap();
            self.ours.postings.extend(posting);
        }
        self.ours.refunds[index] = settled;
    }

    /// The whole model: the first observed capture pays, every other is refunded, and the ledger has all.
    fn check(&self, at: &str) {
        let paid_by = match &self.ours.order.state {
            OrderState::Paid { by, .. } => Some(*by),
            _ => None,
        };
        assert_eq!(paid_by.as_ref(), self.captures.first(), "{at}");
        let excess: Vec<PaymentId> = self
            .ours
            .refunds
            .iter()
            .filter(|refund| refund.reason == RefundReason::Excess)
            .map(|refund| refund.payment_id)
            .collect();
        assert_eq!(
            excess,
            self.captures.iter().skip(1).copied().collect::<Vec<_>>(),
            "{at}"
        );
        assert_eq!(violations(std::slice::from_ref(&self.ours)), [], "{at}");
    }

    /// Every message arrives, and polling continues.
    fn drain(&mut self) {
        for at in 0..self.charges.len() {
            if self.charges[at].is_captured {
                self.settle(at, &paid());
            }
        }
        while self.ours.refunds.iter().any(Refund::is_open) {
            (0..self.charges.len()).for_each(|at| self.submit_refunds(at));
        }
        (0..self.charges.len()).for_each(|at| self.look(at));
    }

    fn check_end(&self, at: &str) {
        let captured = self.charges.iter().filter(|charge| charge.is_captured);
        let truth: i64 = captured.map(|charge| price().minor - charge.given()).sum();
        assert_eq!(
            balance(&self.ours.postings),
            truth,
            "{at}: the provider owes what it has"
        );
        for (charge, payment) in self.charges.iter().zip(&self.ours.payments) {
            let is_excess = self
                .captures
                .iter()
                .skip(1)
                .any(|captured| *captured == payment.payment_id);
            if is_excess {
                assert_eq!(charge.given(), price().minor, "{at}: it went back, once");
            }
        }
    }
}

fn balance(postings: &[Posting]) -> i64 {
    let entries = postings.iter().flat_map(|posting| &posting.entries);
    let receivable = entries.filter(|entry| entry.account == LedgerAccount::Receivable(Provider::Stripe));
    receivable.map(|entry| entry.amount.minor).sum()
}

#[test]
fn no_schedule_of_a_provider_separates_our_ledger_from_its_own() {
    let seeds = schedules();
    let mut duplicates = 0;
    for seed in 0..seeds {
        let mut world = World::new(seed);
        for step in 0..STEPS {
            world.step();
            world.check(&format!("seed {seed}, step {step}"));
        }
        let end = format!("seed {seed}, at the end");
        world.drain();
        world.check(&end);
        world.check_end(&end);
        duplicates += u64::from(world.captures.len() > 1);
    }
    assert!(duplicates > seeds / 50, "too tame: {duplicates} second captures");
}
