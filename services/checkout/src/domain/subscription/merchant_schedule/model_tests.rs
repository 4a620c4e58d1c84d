//! Random lives of a subscription that we charge ourselves, run through all the rules that follow it: banks that refuse,
//! answers that are lost, members who change their minds. Every seed is one life: a failing one names itself.

use chrono::TimeDelta;

use super::tests::schedule;
use super::*;
use crate::domain::fixtures::{decline, intended, noon, paid, price, schedules, synced};
use crate::domain::ids::PaymentId;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::payment::provider_result::ProviderResult;
use crate::domain::payment::renewal::Renewal;
use crate::domain::provider::Provider;
use crate::domain::subscription::billing_state::{
    BillingState, ProviderCommand, SubscriptionFact, SyncInput, apply_snapshot,
};
use crate::domain::subscription::dunning::Grace;
use crate::domain::subscription::settlement;
use crate::domain::subscription::subscription_change::{ChangeDecision, SubscriptionChange, decide};

const GRACE: Grace = Grace(TimeDelta::days(14));
const HOURS: i64 = 24 * 30 * 10;

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

struct World {
    rng: Rng,
    now: DateTime<Utc>,
    purchase: SubscriptionOrder,
    schedule: MerchantSchedule,
    billing: BillingState,
    /// Newest first.
    charges: Vec<Charge>,
    renewals: Vec<Renewal>,
    facts: Vec<SubscriptionFact>,
    /// What the provider has taken, by the keys it was attempt under.
    taken: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut purchase = intended();
        purchase.payment.provider = Provider::Yookassa;
        let purchase = settlement::decide(purchase, &paid(), noon()).purchase;
        let schedule = MerchantSchedule {
            subscription_id: purchase.subscription.subscription_id,
            ..schedule()
        };
        Self {
            rng: Rng(seed),
            now: noon(),
            billing: synced(&purchase.subscription),
            purchase,
            schedule,
            charges: Vec::new(),
            renewals: Vec::new(),
            facts: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// As the flow does it.
    fn look(&mut self) {
        for _ in 0..3 {
            if self.unresolved().is_none() && !self.purchase.subscription.state.has_ended() {
                self.advance();
            }
            if self.unresolved().is_none() {
                break;
            }
            self.answer();
        }
        let snapshot = to_snapshot(
            &self.purchase,
            &self.schedule,
            &self.billing,
            &self.charges,
            self.now,
        );
        let result = ProviderResult::Snapshot(snapshot.payment.clone());
        self.purchase = settlement::decide(self.purchase.clone(), &result, self.now).purchase;
        let input = SyncInput {
            order: &self.purchase.order,
            subscription: &self.purchase.subscription,
            payments: std::slice::from_ref(&self.purchase.payment),
            renewals: &self.renewals,
            state: self.billing.clone(),
        };
        let now = self.now;
        let outcome = apply_snapshot(input, &snapshot, GRACE, now, || PaymentId::new(now));
        self.billing = outcome.state;
        self.renewals.extend(outcome.renewals);
        self.facts.extend(outcome.facts);
        for command in outcome.commands {
            self.run(command);
        }
    }

    fn unresolved(&self) -> Option<(usize, String)> {
        let mut charges = self.charges.iter().enumerate();
        charges.find_map(|(at, charge)| charge.unresolved().map(|attempt| (at, attempt.key.clone())))
    }

    fn advance(&mut self) {
        let action = next_action(&self.schedule, &self.billing, &self.charges, price(), self.now);
        if matches!(
            action,
            Some(Action::OpenCharge { .. } | Action::StartAttempt { .. })
        ) {
            self.check_chargeable();
        }
        match action {
            None => {}
            Some(Action::OpenCharge { charge, anchor }) => {
                self.schedule.anchor = anchor;
                self.charges.retain(|before| before.charge_id != charge.charge_id);
                self.charges.insert(0, charge);
            }
            Some(Action::StartAttempt { charge_id, key }) => self.ask(&charge_id, key),
            Some(Action::CloseCharge { charge_id }) => self.charge(&charge_id).state = ChargeState::Closed,
            Some(Action::End) => self.schedule.ended_at = Some(self.now),
        }
    }

    fn charge(&mut self, charge_id: &str) -> &mut Charge {
        let mut charges = self.charges.iter_mut();
        charges.find(|charge| charge.charge_id == charge_id).unwrap()
    }

    fn ask(&mut self, charge_id: &str, key: String) {
        let attempt = ChargeAttempt::intend(key, self.now);
        self.charge(charge_id).attempts.push(attempt);
    }

    fn check_chargeable(&self) {
        assert_eq!(self.billing.cancel_at, None, "charged after a cancel");
        assert_eq!(self.schedule.ended_at, None, "charged after the end");
        assert!(
            self.schedule.resumes_at.is_none_or(|at| at <= self.now),
            "charged in a pause"
        );
    }

    /// The provider captures, declines, delays, or never received it.
    fn answer(&mut self) {
        let Some((at, key)) = self.unresolved() else {
            return;
        };
        let state = match self.rng.roll(10) {
            0..=4 => ChargeAttemptState::Paid {
                captured: price(),
                at: self.now,
            },
            5 | 6 => ChargeAttemptState::Declined(decline()),
            7 => ChargeAttemptState::Closed,
            _ => return,
        };
        let charge = &mut self.charges[at];
        if matches!(state, ChargeAttemptState::Paid { .. }) {
            self.taken.push(key.clone());
            charge.state = ChargeState::Paid;
            self.schedule.paid_until = self.schedule.paid_until.max(charge.period_end);
        }
        let attempt = charge
            .attempts
            .iter_mut()
            .find(|attempt| attempt.key == key)
            .unwrap();
        attempt.state = state;
    }

    fn run(&mut self, command: ProviderCommand) {
        match command {
            ProviderCommand::DisableAutoAdvance { .. } => {
                self.billing.dunning.as_mut().unwrap().auto_advance_disabled = true;
            }
            ProviderCommand::PayInvoice {
                provider_invoice_id,
                key,
            } => self.retry(&provider_invoice_id, &key),
            ProviderCommand::CancelSubscription if self.unresolved().is_none() => {
                self.schedule.ended_at = Some(self.now);
            }
            ProviderCommand::CloseInvoice { provider_invoice_id } => {
                self.charge(&provider_invoice_id).state = ChargeState::Closed;
            }
            ProviderCommand::CancelSubscription
            | ProviderCommand::Resume
            | ProviderCommand::ReleaseSchedule { .. } => {}
        }
    }

    fn retry(&mut self, charge_id: &str, key: &str) {
        let is_new = !self
            .charge(charge_id)
            .attempts
            .iter()
            .any(|attempt| attempt.key == key);
        if is_new && self.unresolved().is_none() && may_charge(&self.schedule, &self.billing, self.now) {
            self.check_chargeable();
            self.ask(charge_id, key.to_owned());
            self.answer();
        }
        let code = match self
            .charge(charge_id)
            .attempts
            .iter()
            .find(|attempt| attempt.key == key)
        {
            Some(attempt) if attempt.is_unresolved() => return,
            Some(attempt) => match &attempt.state {
                ChargeAttemptState::Declined(decline) => Some(decline.code.clone()),
                _ => None,
            },
            None => None,
        };
        if let Some(dunning) = self.billing.dunning.take() {
            let last = dunning.decline_code.clone();
            self.billing.dunning = Some(dunning.declined(code.as_deref().unwrap_or(&last), self.now));
        }
    }

    fn request_change(&mut self) {
        let change = match self.rng.roll(5) {
            0 => SubscriptionChange::Cancel,
            1 | 2 => SubscriptionChange::Reactivate,
            3 => SubscriptionChange::Pause {
                until: self.now + TimeDelta::days(20),
            },
            _ => SubscriptionChange::Resume,
        };
        if decide(
            &change,
            &self.purchase.subscription.state,
            &self.billing,
            self.now,
        ) == Ok(ChangeDecision::Submit)
        {
            apply_change(
                &mut self.schedule,
                &mut self.billing,
                &self.charges,
                &change,
                self.now,
            );
        }
    }

    fn check(&self) {
        for charge in &self.charges {
            let live = charge.attempts.iter().filter(|attempt| {
                attempt.is_unresolved() || matches!(attempt.state, ChargeAttemptState::Paid { .. })
            });
            assert!(live.count() <= 1, "{charge:?}");
        }
        for (at, renewal) in self.renewals.iter().enumerate() {
            assert!(self.renewals[..at].iter().all(|other| !other.overlaps(renewal)));
        }
        assert!(
            self.renewals.len() <= self.taken.len(),
            "each renewal has a capture"
        );
        if self.billing.ended_emitted_at.is_some() {
            assert_eq!(self.billing.dunning, None);
        }
    }

    fn count(&self, is_meant: fn(&SubscriptionFact) -> bool) -> usize {
        self.facts.iter().filter(|fact| is_meant(fact)).count()
    }
}

fn live(seed: u64) -> World {
    let mut world = World::new(seed);
    while world.now < noon() + TimeDelta::hours(HOURS) {
        if world.rng.roll(60) == 0 {
            world.request_change();
        }
        world.look();
        world.check();
        let hours = world.rng.roll(24) + 1;
        world.now += TimeDelta::hours(i64::try_from(hours).unwrap());
    }
    // Attempts in flight are resolved and delivered.
    for _ in 0..200 {
        world.look();
    }
    world.check();
    world
}

#[test]
fn each_period_is_paid_once_and_every_capture_is_emitted() {
    let (mut ended, mut recovered, mut paused) = (0, 0, 0);
    for seed in 0..schedules() {
        let world = live(seed);
        assert_eq!(world.renewals.len(), world.taken.len(), "seed {seed}");
        let ends = world.count(|fact| matches!(fact, SubscriptionFact::Ended { .. }));
        assert_eq!(
            ends,
            usize::from(world.purchase.subscription.state.has_ended()),
            "seed {seed}"
        );
        let debts = world.count(|fact| matches!(fact, SubscriptionFact::PastDue(_)));
        let paid = world.count(|fact| matches!(fact, SubscriptionFact::Recovered));
        assert!(paid <= debts && debts <= paid + 1, "seed {seed}");
        ended += ends;
        recovered += paid;
        paused += world.count(|fact| matches!(fact, SubscriptionFact::Paused { .. }));
    }
    assert!(
        ended > 50 && recovered > 50 && paused > 10,
        "{ended} {recovered} {paused}"
    );
}
