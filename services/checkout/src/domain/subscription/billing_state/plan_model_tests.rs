//! Random changes of plans, at once and later, undone, lost on the way and shown late, against a provider of a few lines. Every
//! seed is one life: a failing one names itself.

mod provider;

use chrono::TimeDelta;
use std::collections::BTreeSet;

use self::provider::{Answer, BankResponse, MONTH, Provider};
use super::*;
use crate::domain::fixtures::{intended, later, paid, schedules};
use crate::domain::ids::PaymentId;
use crate::domain::model_tests::provider::Rng;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::payment::renewal::RenewalKind;
use crate::domain::subscription::dunning::Grace;
use crate::domain::subscription::settlement;
use crate::domain::subscription::subscription_change::{
    ChangeDecision, SubscriptionChange, apply_change, decide,
};

const STEPS: usize = 60;
const GRACE: Grace = Grace(TimeDelta::days(14));

struct World {
    rng: Rng,
    provider: Provider,
    pending: Vec<SubscriptionSnapshot>,
    /// What was decided, and is carried out a moment later.
    commands: Vec<ProviderCommand>,
    plans: [PriceId; 3],
    purchase: SubscriptionOrder,
    billing: BillingState,
    change: Option<(SubscriptionChange, String)>,
    changes: usize,
    renewals: Vec<Renewal>,
    facts: Vec<SubscriptionFact>,
    /// An operator changed the plan at the provider; checkout ignores that.
    is_by_hand: bool,
    begun: usize,
    hours: i64,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut intended = intended();
        intended.order.amount = provider::PRICES[1];
        let purchase = settlement::decide(intended, &paid(), later(0)).purchase;
        let other = || PriceId::new(later(0));
        Self {
            rng: Rng(seed),
            provider: Provider::new(),
            pending: Vec::new(),
            commands: Vec::new(),
            plans: [other(), purchase.order.price_id, other()],
            billing: BillingState::new(purchase.subscription.subscription_id),
            purchase,
            change: None,
            changes: 0,
            renewals: Vec::new(),
            facts: Vec::new(),
            is_by_hand: false,
            begun: 0,
            hours: 0,
        }
    }

    fn roll(&mut self, sides: i64) -> i64 {
        i64::try_from(self.rng.roll(usize::try_from(sides).unwrap())).unwrap()
    }

    fn pass(&mut self, hours: i64) {
        self.hours += hours;
        self.provider.pass(self.hours);
    }

    fn step(&mut self) {
        let hours = self.roll(6 * 24);
        self.pass(hours);
        match self.rng.roll(14) {
            0..=2 => self.request_plan(),
            3 => self.write_down(SubscriptionChange::CancelScheduledPlan),
            4 => self.request_other_change(),
            5 | 6 => self.carry_out(),
            7 => {
                for _ in 0..self.rng.roll(3) {
                    self.pending.push(self.provider.show());
                }
            }
            8 => self.deliver(),
            // Other webhooks concern the subscription, not its plan.
            9 => self.settle(&self.provider.show()),
            10 => self.run_one(),
            11 if self.rng.roll(4) == 0 => self.change_by_hand(),
            _ => {
                let fresh = self.provider.show();
                self.see(&fresh);
            }
        }
    }

    fn believed(&self) -> PriceId {
        self.billing.plan_price_id.unwrap_or(self.purchase.order.price_id)
    }

    /// At the quoted price: a cheaper plan is free now, a dearer one costs the difference.
    fn request_plan(&mut self) {
        let to = self.rng.roll(3);
        let current = self
            .plans
            .iter()
            .position(|plan| *plan == self.believed())
            .unwrap();
        let ends = self.purchase.subscription.state.period_end();
        if to == current || (to < current && ends.is_none_or(|end| end <= later(self.hours))) {
            return;
        }
        let difference = provider::PRICES[to].minor - provider::PRICES[current].minor;
        self.write_down(SubscriptionChange::Plan {
            price_id: self.plans[to],
            prorated_at: later(self.hours),
            shown: Money::new(difference.max(0), provider::PRICES[to].currency),
        });
    }

    fn request_other_change(&mut self) {
        let until = later(self.hours + MONTH);
        let change = match self.rng.roll(8) {
            0 => SubscriptionChange::Cancel,
            1..=3 => SubscriptionChange::Reactivate,
            4 => SubscriptionChange::Pause { until },
            _ => SubscriptionChange::Resume,
        };
        self.write_down(change);
    }

    fn write_down(&mut self, change: SubscriptionChange) {
        let state = &self.purchase.subscription.state;
        if self.change.is_none()
            && decide(&change, state, &self.billing, later(self.hours)) == Ok(ChangeDecision::Submit)
        {
            self.changes += 1;
            self.change = Some((change, format!("change-{}", self.changes)));
        }
    }

    /// Perhaps it never arrives, and perhaps only its answer is lost.
    fn carry_out(&mut self) {
        let luck = self.rng.roll(4);
        self.ask(luck);
    }

    fn ask(&mut self, luck: usize) {
        let Some((change, key)) = self.change.clone() else {
            return;
        };
        if luck == 0 {
            return;
        }
        let plan = match &change {
            SubscriptionChange::Plan { price_id, .. } => self.plans.iter().position(|plan| plan == price_id),
            _ => None,
        };
        let bank = match self.rng.roll(6) {
            0 => BankResponse::Declined,
            _ => BankResponse::Approved,
        };
        let answer = self.provider.answer(&key, &change, plan, bank);
        if luck == 1 {
            return;
        }
        self.change = None;
        let next_plan = match (answer, plan) {
            (Answer::Refused, _) => return,
            (Answer::Scheduled(starts_at), Some(plan)) => Some(NextPlan {
                price_id: self.plans[plan],
                provider_price_id: provider::price_id(plan),
                starts_at: later(starts_at),
            }),
            _ => None,
        };
        self.is_by_hand &= plan.is_none() || next_plan.is_some();
        self.billing = apply_change(self.billing.clone(), &change, next_plan, later(self.hours));
    }

    fn deliver(&mut self) {
        if !self.pending.is_empty() {
            let shown = self.pending.swap_remove(self.rng.roll(self.pending.len()));
            self.see(&shown);
        }
    }

    fn settle(&mut self, snapshot: &SubscriptionSnapshot) {
        let result = ProviderResult::Snapshot(snapshot.payment.clone());
        let now = later(self.hours);
        self.purchase = settlement::decide(self.purchase.clone(), &result, now).purchase;
    }

    fn see(&mut self, snapshot: &SubscriptionSnapshot) {
        self.settle(snapshot);
        let now = later(self.hours);
        let input = SyncInput {
            order: &self.purchase.order,
            subscription: &self.purchase.subscription,
            payments: std::slice::from_ref(&self.purchase.payment),
            renewals: &self.renewals,
            state: self.billing.clone(),
        };
        let before = self.believed();
        let outcome = apply_snapshot(input, snapshot, GRACE, now, || PaymentId::new(now));
        self.billing = outcome.state;
        self.begun += usize::from(self.believed() != before);
        self.renewals.extend(outcome.renewals);
        self.facts.extend(outcome.facts);
        let has_ended = self.purchase.subscription.state.has_ended();
        for command in outcome.commands {
            let closes = matches!(command, ProviderCommand::CloseInvoice { .. });
            assert!(closes || !has_ended, "asked for after the end: {command:?}");
            if !self.commands.contains(&command) {
                self.commands.push(command);
            }
        }
    }

    fn run_one(&mut self) {
        if self.commands.is_empty() {
            return;
        }
        let ProviderCommand::ReleaseSchedule { starts_at } = self.commands.remove(0) else {
            return;
        };
        if !self.billing.releases_schedule(starts_at) {
            return;
        }
        let luck = self.rng.roll(4);
        if luck > 0 {
            self.provider.schedule = None;
        }
        if luck > 1 {
            self.billing.next_plan = self.billing.scheduled().cloned();
        }
    }

    /// While nothing of ours is under way.
    fn change_by_hand(&mut self) {
        if self.change.is_none() && !self.provider.is_ended {
            self.provider.price = self.rng.roll(3);
            if self.rng.roll(2) == 0 {
                self.provider.schedule = None;
            }
            self.is_by_hand = true;
        }
    }

    fn check(&self, at: &str) {
        let mut known = BTreeSet::new();
        for renewal in &self.renewals {
            let id = &renewal.provider_invoice_id;
            assert!(known.insert(id), "{at}: {id} is renewed by twice");
            let of_invoice = self
                .provider
                .invoices
                .iter()
                .find(|it| it.provider_invoice_id == *id);
            let of_invoice = of_invoice.unwrap();
            let kind = match of_invoice.reason {
                InvoiceReason::Change => RenewalKind::Change,
                InvoiceReason::First | InvoiceReason::Period => RenewalKind::Period,
            };
            assert_eq!(
                (renewal.kind, renewal.captured),
                (kind, of_invoice.amount),
                "{at}: {id}"
            );
        }
        let is_known = self.change.is_none() && !self.is_by_hand;
        let to_come = self.billing.scheduled();
        if to_come.is_some_and(|next| is_known && next.starts_at > later(self.hours)) {
            assert!(
                self.provider.schedule.is_some(),
                "{at}: the requested plan is not scheduled any more"
            );
        }
        let is_end = |fact: &&SubscriptionFact| matches!(fact, SubscriptionFact::Ended { .. });
        assert!(self.facts.iter().filter(is_end).count() <= 1, "{at}");
        for (key, charges) in &self.provider.charged {
            assert_eq!(*charges, 1, "{at}: charged twice for {key}");
        }
    }

    /// Syncs until two more periods have passed.
    fn drain(&mut self) {
        while !self.pending.is_empty() {
            self.deliver();
        }
        for _ in 0..65 {
            self.pass(24);
            self.ask(2);
            let fresh = self.provider.show();
            self.see(&fresh);
            while !self.commands.is_empty() {
                self.run_one();
            }
        }
    }

    /// What we believe is what the provider charges, and nothing is on its way.
    fn check_end(&self, at: &str) {
        assert_eq!(self.change, None, "{at}");
        let paid = self
            .provider
            .invoices
            .iter()
            .filter(|it| matches!(it.state, InvoiceState::Paid { .. }));
        assert_eq!(self.renewals.len() + 1, paid.count(), "{at}: not all is booked");
        let has_ended = self.purchase.subscription.state.has_ended();
        assert_eq!(has_ended, self.provider.is_ended, "{at}");
        if has_ended {
            return;
        }
        assert_eq!(
            self.billing.next_plan, None,
            "{at}: it neither began nor was dropped"
        );
        assert_eq!(self.provider.schedule, None, "{at}: it was not released");
        if !self.is_by_hand {
            assert_eq!(self.believed(), self.plans[self.provider.price], "{at}");
        }
    }
}

#[test]
fn every_random_change_of_plans_ends_in_the_plan_that_is_charged() {
    let seeds = schedules();
    let (mut begun, mut changed, mut ended) = (0, 0, 0);
    for seed in 0..seeds {
        let mut world = World::new(seed);
        for step in 0..STEPS {
            world.step();
            world.check(&format!("seed {seed}, step {step}"));
        }
        world.drain();
        world.check(&format!("seed {seed}"));
        world.check_end(&format!("seed {seed}"));
        begun += u64::from(world.begun > 0);
        changed += u64::from(!world.provider.charged.is_empty());
        ended += u64::from(world.provider.is_ended);
    }
    for (what, count) in [
        ("later plans", begun),
        ("changes at once", changed),
        ("ends", ended),
    ] {
        assert!(count > seeds / 20, "too tame: {count} {what}");
        assert!(count < seeds, "too tame: nothing but {what}");
    }
}
