//! Random lives of a subscription that we charge ourselves, run through all the rules that follow it: banks that refuse,
//! answers that are lost, members who change their minds. Every seed is one life: a failing one names itself.

use chrono::TimeDelta;

use super::tests::billing;
use super::*;
use crate::domain::arrears::Grace;
use crate::domain::fixtures::{decline, followed, intended, noon, paid, price, schedules};
use crate::domain::ids::PaymentId;
use crate::domain::life::{Errand, Life, LifeFact, Standing, follow};
use crate::domain::provider::Provider;
use crate::domain::purchase::Purchase;
use crate::domain::renewal::Renewal;
use crate::domain::report::Report;
use crate::domain::settlement;
use crate::domain::wish::{Next, Wish, decide};

const GRACE: Grace = Grace(TimeDelta::days(14));
const HOURS: i64 = 24 * 30 * 10;

/// A generator of numbers that only have to differ.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

struct World {
    dice: Dice,
    now: DateTime<Utc>,
    purchase: Purchase,
    billing: Billing,
    life: Life,
    /// Newest first.
    charges: Vec<Charge>,
    renewals: Vec<Renewal>,
    facts: Vec<LifeFact>,
    /// What the provider has taken, by the keys it was asked under.
    taken: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut purchase = intended();
        purchase.payment.provider = Provider::Yookassa;
        let purchase = settlement::decide(purchase, &paid(), noon()).purchase;
        let billing = Billing {
            subscription_id: purchase.subscription.subscription_id,
            ..billing()
        };
        Self {
            dice: Dice(seed),
            now: noon(),
            life: followed(&purchase.subscription),
            purchase,
            billing,
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
        let showing = show(&self.purchase, &self.billing, &self.life, &self.charges, self.now);
        let report = Report::Snapshot(showing.snapshot.clone());
        self.purchase = settlement::decide(self.purchase.clone(), &report, self.now).purchase;
        let standing = Standing {
            order: &self.purchase.order,
            subscription: &self.purchase.subscription,
            payments: std::slice::from_ref(&self.purchase.payment),
            renewals: &self.renewals,
            life: self.life.clone(),
        };
        let now = self.now;
        let followed = follow(standing, &showing, GRACE, now, || PaymentId::new(now));
        self.life = followed.life;
        self.renewals.extend(followed.renewals);
        self.facts.extend(followed.facts);
        for errand in followed.errands {
            self.run(errand);
        }
    }

    fn unresolved(&self) -> Option<(usize, String)> {
        let mut charges = self.charges.iter().enumerate();
        charges.find_map(|(at, charge)| charge.unresolved().map(|asked| (at, asked.key.clone())))
    }

    fn advance(&mut self) {
        let step = next(&self.billing, &self.life, &self.charges, price(), self.now);
        if matches!(step, Some(Step::Open { .. } | Step::Try { .. })) {
            self.check_wanted();
        }
        match step {
            None => {}
            Some(Step::Open { charge, anchor }) => {
                self.billing.anchor = anchor;
                self.charges.retain(|before| before.charge_id != charge.charge_id);
                self.charges.insert(0, charge);
            }
            Some(Step::Try { charge_id, key }) => self.ask(&charge_id, key),
            Some(Step::Close { charge_id }) => self.charge(&charge_id).state = ChargeState::Closed,
            Some(Step::End) => self.billing.ended_at = Some(self.now),
        }
    }

    fn charge(&mut self, charge_id: &str) -> &mut Charge {
        let mut charges = self.charges.iter_mut();
        charges.find(|charge| charge.charge_id == charge_id).unwrap()
    }

    fn ask(&mut self, charge_id: &str, key: String) {
        let asked = Try::asked(key, self.now);
        self.charge(charge_id).tries.push(asked);
    }

    fn check_wanted(&self) {
        assert_eq!(self.life.cancel_at, None, "charged after a cancel");
        assert_eq!(self.billing.ended_at, None, "charged after the end");
        assert!(
            self.billing.resumes_at.is_none_or(|at| at <= self.now),
            "charged in a pause"
        );
    }

    /// The provider takes the money, refuses, takes its time, or never heard of it.
    fn answer(&mut self) {
        let Some((at, key)) = self.unresolved() else {
            return;
        };
        let state = match self.dice.roll(10) {
            0..=4 => TryState::Paid {
                captured: price(),
                at: self.now,
            },
            5 | 6 => TryState::Declined(decline()),
            7 => TryState::Closed,
            _ => return,
        };
        let charge = &mut self.charges[at];
        if matches!(state, TryState::Paid { .. }) {
            self.taken.push(key.clone());
            charge.state = ChargeState::Paid;
            self.billing.paid_until = self.billing.paid_until.max(charge.covers_until);
        }
        let asked = charge.tries.iter_mut().find(|asked| asked.key == key).unwrap();
        asked.state = state;
    }

    fn run(&mut self, errand: Errand) {
        match errand {
            Errand::Hold { .. } => self.life.arrears.as_mut().unwrap().is_held = true,
            Errand::Pay {
                provider_invoice_id,
                key,
            } => self.try_again(&provider_invoice_id, &key),
            Errand::End if self.unresolved().is_none() => self.billing.ended_at = Some(self.now),
            Errand::Close { provider_invoice_id } => {
                self.charge(&provider_invoice_id).state = ChargeState::Closed;
            }
            Errand::End | Errand::Resume | Errand::LetGo { .. } => {}
        }
    }

    fn try_again(&mut self, charge_id: &str, key: &str) {
        let is_new = !self.charge(charge_id).tries.iter().any(|asked| asked.key == key);
        if is_new && self.unresolved().is_none() && may_charge(&self.billing, &self.life, self.now) {
            self.check_wanted();
            self.ask(charge_id, key.to_owned());
            self.answer();
        }
        let code = match self.charge(charge_id).tries.iter().find(|asked| asked.key == key) {
            Some(asked) if asked.is_unresolved() => return,
            Some(asked) => match &asked.state {
                TryState::Declined(decline) => Some(decline.code.clone()),
                _ => None,
            },
            None => None,
        };
        if let Some(arrears) = self.life.arrears.take() {
            let last = arrears.code.clone();
            self.life.arrears = Some(arrears.refused(code.as_deref().unwrap_or(&last), self.now));
        }
    }

    fn wish(&mut self) {
        let wish = match self.dice.roll(5) {
            0 => Wish::Cancel,
            1 | 2 => Wish::Keep,
            3 => Wish::Pause {
                until: self.now + TimeDelta::days(20),
            },
            _ => Wish::Resume,
        };
        if decide(&wish, &self.purchase.subscription.state, &self.life, self.now) == Ok(Next::Ask) {
            take_wish(&mut self.billing, &mut self.life, &self.charges, &wish, self.now);
        }
    }

    fn check(&self) {
        for charge in &self.charges {
            let live = charge
                .tries
                .iter()
                .filter(|asked| asked.is_unresolved() || matches!(asked.state, TryState::Paid { .. }));
            assert!(live.count() <= 1, "{charge:?}");
        }
        for (at, renewal) in self.renewals.iter().enumerate() {
            assert!(self.renewals[..at].iter().all(|other| !other.overlaps(renewal)));
        }
        assert!(
            self.renewals.len() <= self.taken.len(),
            "nothing is told that was not taken"
        );
        if self.life.ended_told_at.is_some() {
            assert_eq!(self.life.arrears, None);
        }
    }

    fn count(&self, is_meant: fn(&LifeFact) -> bool) -> usize {
        self.facts.iter().filter(|fact| is_meant(fact)).count()
    }
}

fn live(seed: u64) -> World {
    let mut world = World::new(seed);
    while world.now < noon() + TimeDelta::hours(HOURS) {
        if world.dice.roll(60) == 0 {
            world.wish();
        }
        world.look();
        world.check();
        let hours = world.dice.roll(24) + 1;
        world.now += TimeDelta::hours(i64::try_from(hours).unwrap());
    }
    // What is in the air comes down, and is told.
    for _ in 0..200 {
        world.look();
    }
    world.check();
    world
}

#[test]
fn however_it_goes_each_period_is_paid_once_and_all_that_was_taken_is_told() {
    let (mut ended, mut recovered, mut paused) = (0, 0, 0);
    for seed in 0..schedules() {
        let world = live(seed);
        assert_eq!(world.renewals.len(), world.taken.len(), "seed {seed}");
        let ends = world.count(|fact| matches!(fact, LifeFact::Ended { .. }));
        assert_eq!(
            ends,
            usize::from(world.purchase.subscription.state.has_ended()),
            "seed {seed}"
        );
        let debts = world.count(|fact| matches!(fact, LifeFact::PastDue(_)));
        let paid = world.count(|fact| matches!(fact, LifeFact::Recovered));
        assert!(paid <= debts && debts <= paid + 1, "seed {seed}");
        ended += ends;
        recovered += paid;
        paused += world.count(|fact| matches!(fact, LifeFact::Paused { .. }));
    }
    assert!(
        ended > 50 && recovered > 50 && paused > 10,
        "{ended} {recovered} {paused}"
    );
}
