//! Random schedules of refunds by us and by hand and of what buyers' banks take, give back in part, and lose, shown late, twice,
//! in another order or never, against what the provider really holds. Every seed is one schedule: a failing one names itself.

mod provider;

use kit::money::Money;

use self::provider::{Disputed, retained};
use crate::domain::fixtures::{intended, later, paid, price, schedules, synced};
use crate::domain::ids::{PaymentId, RefundId};
use crate::domain::invariants::{OrderAggregate, violations};
use crate::domain::ledger::postings;
use crate::domain::ledger::{self, LedgerAccount, PostingKind, Purpose};
use crate::domain::model_tests::provider::Rng;
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::payment::Payment;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::provider::Provider;
use crate::domain::refund::{
    self, Refund, RefundOutcome, RefundReason, RefundResult, RefundSnapshot, RefundTarget,
};
use crate::domain::subscription::settlement;

const STEPS: usize = 32;

struct World {
    rng: Rng,
    /// The first pays the order, the second is one too many.
    charges: Vec<Disputed>,
    pending: Vec<(usize, Vec<RefundSnapshot>)>,
    ours: OrderAggregate,
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
        let second = Payment {
            payment_id: PaymentId::new(later(0)),
            attempt: 2,
            ..payment.clone()
        };
        let mut world = Self {
            rng: Rng(seed),
            charges: Vec::new(),
            pending: Vec::new(),
            ours: OrderAggregate {
                order,
                billing_state: Some(synced(&subscription)),
                subscription: Some(subscription),
                next_check_at: poll.next_check_at,
                payments: vec![payment],
                renewals: Vec::new(),
                refunds: Vec::new(),
                postings: Vec::new(),
                reconciled_refunds: Vec::new(),
            },
            hours: 0,
        };
        world.capture(0);
        if world.rng.roll(3) == 0 {
            world.ours.payments.push(second);
            world.capture(1);
        }
        world
    }

    fn capture(&mut self, at: usize) {
        let now = later(self.hours);
        let purchase = SubscriptionOrder {
            order: self.ours.order.clone(),
            subscription: self.ours.subscription.clone().unwrap(),
            payment: self.ours.payments[at].clone(),
            attempt: AttemptStatus::Current,
            poll: PollState::default(),
        };
        let settled = settlement::decide(purchase, &paid(), now);
        let booked = postings::plan_capture(
            &settled.purchase.order,
            &settled.purchase.payment,
            &settled.facts,
            RefundId::new(now),
            now,
        );
        let booked = booked.unwrap().unwrap();
        self.ours.postings.push(booked.posting);
        self.ours
            .reconciled_refunds
            .push(settled.purchase.payment.payment_id);
        self.ours.refunds.extend(booked.excess_refund);
        self.ours.order = settled.purchase.order;
        self.ours.subscription = Some(settled.purchase.subscription);
        self.ours.payments[at] = settled.purchase.payment;
        self.charges.push(Disputed::default());
    }

    /// Whether anything was observed.
    fn step(&mut self) -> bool {
        self.hours += 1;
        let at = self.rng.roll(self.charges.len());
        let roll = self.rng.roll(12);
        match roll {
            0 => self.ask_for_refund(),
            1 => self.refund_by_hand(at),
            2 => self.charges[at].dispute(at, &mut self.rng),
            3..=5 => self.charges[at].go_on(&mut self.rng),
            6 => self.pending.push((at, self.charges[at].show())),
            7 | 8 => self.deliver(),
            9 => self.finish_pending(at),
            _ => self.submit_refunds(at),
        }
        matches!(roll, 0 | 7 | 8 | 10 | 11)
    }

    fn refunds_of(&self, at: usize) -> Vec<Refund> {
        let payment_id = self.ours.payments[at].payment_id;
        let refunds = self.ours.refunds.iter().cloned();
        refunds.filter(|refund| refund.payment_id == payment_id).collect()
    }

    fn ask_for_refund(&mut self) {
        let part = self.rng.amount(price().minor);
        let wanted = (self.rng.roll(3) > 0).then_some(part);
        let known = self.refunds_of(0);
        let left = refund::refundable(price(), &known).unwrap().minor;
        let Ok(amount) = refund::claimable(price(), &known, wanted) else {
            assert!(left <= 0 || wanted.is_some_and(|wanted| wanted.minor > left));
            return;
        };
        assert!(amount.minor <= left, "more than is left was promised");
        self.intend(0, RefundReason::Requested, amount);
    }

    fn intend(&mut self, at: usize, reason: RefundReason, amount: Money) -> Refund {
        let claim = RefundTarget {
            order_id: self.ours.order.order_id,
            payment_id: self.ours.payments[at].payment_id,
            reason,
        };
        let now = later(self.hours);
        let intended = refund::intend(RefundId::new(now), claim, amount, now);
        self.ours.refunds.push(intended.clone());
        intended
    }

    /// At the provider, which gives nothing back of what a bank has taken.
    fn refund_by_hand(&mut self, at: usize) {
        let left = self.left_at_provider(at);
        if at == 0 && left > 0 {
            let amount = self.rng.amount(left);
            let outcome = [RefundOutcome::Pending, RefundOutcome::Succeeded];
            let outcome = outcome[self.rng.roll(2)].clone();
            self.charges[at].charge.refund(amount, None, outcome);
        }
    }

    fn left_at_provider(&self, at: usize) -> i64 {
        self.charges[at].charge.left() - self.charges[at].taken()
    }

    fn finish_pending(&mut self, at: usize) {
        let luck = self.rng.roll(4);
        for shown in &mut self.charges[at].charge.refunds {
            if shown.outcome == RefundOutcome::Pending {
                shown.outcome = match luck {
                    0 if at == 0 => RefundOutcome::Failed {
                        code: "expired_card".into(),
                    },
                    _ => RefundOutcome::Succeeded,
                };
            }
        }
    }

    fn deliver(&mut self) {
        if !self.pending.is_empty() {
            let (at, shown) = self.pending.swap_remove(self.rng.roll(self.pending.len()));
            self.take_in(at, &shown);
        }
    }

    /// As the flow does it: look what the provider has, then ask for what it does not have.
    fn submit_refunds(&mut self, at: usize) {
        let shown = self.charges[at].show();
        let known = self.refunds_of(at);
        self.take_in(at, &shown);
        for ours in known {
            if ours.is_unconfirmed() && !shown.iter().any(|shown| shown.shows(&ours)) {
                let result = self.ask(at, &ours);
                self.settle(&ours, &result);
            }
        }
    }

    fn take_in(&mut self, at: usize, shown: &[RefundSnapshot]) {
        for snapshot in shown {
            let known = self.refunds_of(at);
            let ours = known.iter().find(|ours| snapshot.shows(ours)).cloned();
            if let Some(ours) = ours.or_else(|| self.import(at, snapshot)) {
                self.settle(&ours, &RefundResult::Snapshot(snapshot.clone()));
            }
        }
    }

    /// The database limits our refunds to the capture. What a bank takes is a fact.
    fn import(&mut self, at: usize, shown: &RefundSnapshot) -> Option<Refund> {
        let counting = self.refunds_of(at).into_iter().filter(Refund::counts);
        let given = counting.filter(|refund| refund.reason != RefundReason::Disputed);
        let given: i64 = given.map(|refund| refund.amount.minor).sum();
        let is_refused = !shown.is_disputed && given + shown.amount.minor > price().minor;
        if is_refused || matches!(shown.outcome, RefundOutcome::Failed { .. }) {
            return None;
        }
        let imported = self.intend(at, shown.foreign_reason(), shown.amount);
        let last = self.ours.refunds.last_mut().unwrap();
        last.provider_refund_id = Some(shown.provider_refund_id.clone());
        Some(imported)
    }

    fn ask(&mut self, at: usize, ours: &Refund) -> RefundResult {
        let luck = self.rng.roll(5);
        if luck == 0 {
            return RefundResult::NotSent;
        }
        if ours.amount.minor > self.left_at_provider(at) {
            return RefundResult::Refused {
                code: "charge_disputed".into(),
            };
        }
        let charge = &mut self.charges[at].charge;
        charge.refund(ours.amount, Some(ours.refund_id), RefundOutcome::Succeeded);
        match luck {
            1 => RefundResult::OutcomeUnknown,
            _ => RefundResult::Snapshot(charge.refunds.last().unwrap().clone()),
        }
    }

    fn settle(&mut self, ours: &Refund, result: &RefundResult) {
        let mut refunds = self.ours.refunds.iter_mut();
        let known = refunds.find(|known| known.refund_id == ours.refund_id).unwrap();
        let (settled, fact) = refund::decide(known.clone(), result, later(self.hours));
        *known = settled.clone();
        if fact.is_some() {
            let purpose = Purpose::of(settled.payment_id, &self.ours.order.state);
            let posting = ledger::refund(Provider::Stripe, &settled, purpose).unwrap();
            self.ours.postings.extend(posting);
        }
    }

    fn check(&self, at: &str) {
        let mut broken = violations(std::slice::from_ref(&self.ours));
        // An excess amount that a bank took cannot be refunded as well. If it returns, an operator decides.
        let is_excess_disputed = self.charges.get(1).is_some_and(|it| !it.disputes.is_empty());
        broken.retain(|found| !is_excess_disputed || found.rule != "captured_charge_has_cause");
        assert_eq!(broken, [], "{at}");
        for disputed in &self.charges {
            assert!(
                disputed.charge.given() <= price().minor,
                "{at}: more was given back than was taken"
            );
        }
    }

    /// Polling continues.
    fn drain(&mut self) {
        while let Some((at, shown)) = self.pending.pop() {
            self.take_in(at, &shown);
        }
        for at in 0..self.charges.len() {
            loop {
                self.finish_pending(at);
                self.submit_refunds(at);
                if !self.refunds_of(at).iter().any(Refund::is_open) {
                    break;
                }
            }
            let shown = self.charges[at].show();
            self.take_in(at, &shown);
        }
    }

    /// The provider owes us what it has, and each dispute is counted once.
    fn check_end(&self, at: &str) {
        let truth: i64 = self
            .charges
            .iter()
            .map(|it| price().minor - it.charge.given() - it.taken())
            .sum();
        let entries = self.ours.postings.iter().flat_map(|posting| &posting.entries);
        let receivable = entries.filter(|entry| entry.account == LedgerAccount::Receivable(Provider::Stripe));
        let receivable: i64 = receivable.map(|entry| entry.amount.minor).sum();
        assert_eq!(receivable, truth, "{at}");
        for dispute in self.charges.iter().flat_map(|it| &it.disputes) {
            let id = &dispute.provider_dispute_id;
            let of_it = self.ours.refunds.iter().filter(|refund| {
                let shown = refund.provider_refund_id.as_deref().unwrap_or_default();
                shown == id || shown.strip_prefix(id.as_str()) == Some("/rest")
            });
            let kept_by_bank = of_it
                .filter(|refund| refund.counts())
                .map(|refund| refund.amount.minor);
            assert_eq!(kept_by_bank.sum::<i64>(), retained(dispute), "{at}: {dispute:?}");
        }
    }
}

#[test]
fn no_schedule_of_disputes_separates_our_ledger_from_the_provider() {
    let seeds = schedules();
    let (mut won, mut in_part, mut beyond) = (0, 0, 0);
    for seed in 0..seeds {
        let mut world = World::new(seed);
        for step in 0..STEPS {
            if world.step() {
                world.check(&format!("seed {seed}, step {step}"));
            }
        }
        let end = format!("seed {seed}, at the end");
        world.drain();
        world.check(&end);
        world.check_end(&end);
        let returns = world
            .ours
            .postings
            .iter()
            .filter(|it| it.kind == PostingKind::RefundReturn);
        won += u64::from(returns.count() > 0);
        let mut disputes = world.charges.iter().flat_map(|it| &it.disputes);
        in_part += u64::from(disputes.any(|it| retained(it) > 0 && retained(it) < it.amount.minor));
        let most = world
            .charges
            .iter()
            .map(|it| it.charge.given() + it.taken())
            .max();
        beyond += u64::from(most > Some(price().minor));
    }
    for (what, count) in [
        ("won", won),
        ("lost in part", in_part),
        ("beyond the capture", beyond),
    ] {
        assert!(count > seeds / 50, "too tame: {count} {what}");
    }
}
