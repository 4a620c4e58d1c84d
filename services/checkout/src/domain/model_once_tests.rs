//! Random schedules of what a provider does with something that is paid once, for each kind of order: told twice, late, in
//! another order or never, against a model of a few lines. Every seed is one schedule: a failing one names itself.

use super::bookkeeping::capture;
use super::fixtures::{decline, later, noon, schedules};
use super::ids::{PaymentId, PriceId, RefundId};
use super::intent::{IntentCharge, IntentReport};
use super::invariants::{Account, violations};
use super::model_tests::provider::Dice;
use super::order::{OrderKind, OrderState};
use super::payment::{Payment, PaymentState, Standing};
use super::purchase::Attempt;
use super::refund::RefundReason;
use super::sale::{Sale, Watch, next_check};
use super::schedule::Patience;
use super::settlement_once::tests::{awaits, captured, sale_of, seen};
use super::settlement_once::{Room, decide};

const STEPS: usize = 40;
const ATTEMPTS_MAX: usize = 3;

/// One intent as it truly is, which a page may pay again and again until it has.
#[derive(Default)]
struct Intent {
    is_captured: bool,
    is_closed: bool,
}

struct World {
    dice: Dice,
    intents: Vec<Intent>,
    told: Vec<(usize, IntentReport)>,
    ours: Account,
    watch: Watch,
    room: Room,
    /// Captures we have heard of, in that order, and whether there was room for what each paid.
    heard: Vec<(PaymentId, Room)>,
    hours: i64,
}

impl World {
    fn new(seed: u64, kind: OrderKind) -> Self {
        let Sale { order, payment, .. } = sale_of(kind);
        Self {
            dice: Dice(seed),
            intents: vec![Intent::default()],
            told: Vec::new(),
            ours: Account {
                order,
                subscription: None,
                next_check_at: Some(noon()),
                payments: vec![payment],
                renewals: Vec::new(),
                life: None,
                refunds: Vec::new(),
                bookings: Vec::new(),
                watched: Vec::new(),
            },
            watch: Watch {
                next_check_at: Some(noon()),
                checks: 0,
            },
            room: Room::Free,
            heard: Vec::new(),
            hours: 0,
        }
    }

    fn step(&mut self) {
        self.hours += 1;
        let at = self.dice.roll(self.intents.len());
        match self.dice.roll(10) {
            0 => self.capture(at),
            1 => self.close(at),
            2 => self.tell_or(at, &awaits()),
            3 => self.tell_or(at, &seen(IntentCharge::Processing)),
            4..=6 => self.deliver(),
            7 => self.lose(at),
            8 => self.try_again(),
            _ => self.subscribe_elsewhere(),
        }
    }

    fn capture(&mut self, at: usize) {
        let intent = &mut self.intents[at];
        intent.is_captured |= !intent.is_closed;
        if intent.is_captured {
            self.tell(at, &captured());
        }
    }

    fn close(&mut self, at: usize) {
        let intent = &mut self.intents[at];
        intent.is_closed |= !intent.is_captured;
        if intent.is_closed {
            self.tell(at, &seen(IntentCharge::Closed));
        }
    }

    fn tell_or(&mut self, at: usize, not_paid: &IntentReport) {
        let paid = self.intents[at].is_captured.then(captured);
        self.tell(at, paid.as_ref().unwrap_or(not_paid));
    }

    /// Never, once, or twice.
    fn tell(&mut self, at: usize, report: &IntentReport) {
        for _ in 0..self.dice.roll(3) {
            self.told.push((at, report.clone()));
        }
    }

    /// Any of what is under way.
    fn deliver(&mut self) {
        if !self.told.is_empty() {
            let (at, report) = self.told.swap_remove(self.dice.roll(self.told.len()));
            self.settle(at, &report);
        }
    }

    /// Our own request goes astray, is refused, or is given up; perhaps the provider got it all the same.
    fn lose(&mut self, at: usize) {
        let lost = [
            IntentReport::NoAnswer,
            IntentReport::NeverArrived,
            IntentReport::Unreached,
            IntentReport::Refused(decline()),
        ];
        let report = &lost[self.dice.roll(lost.len())];
        self.settle(at, report);
    }

    fn try_again(&mut self) {
        let last = self.ours.payments.last().unwrap().clone();
        let is_open = self.ours.order.state == OrderState::Open;
        if is_open && last.standing() == Standing::Over && self.intents.len() < ATTEMPTS_MAX {
            self.intents.push(Intent::default());
            self.ours.payments.push(Payment {
                payment_id: PaymentId::new(later(self.hours)),
                attempt: last.attempt + 1,
                state: PaymentState::Intended,
                provider_intent_id: None,
                ..last
            });
            self.watch.next_check_at = Some(later(self.hours));
            self.ours.next_check_at = self.watch.next_check_at;
        }
    }

    /// Or end what was begun there.
    fn subscribe_elsewhere(&mut self) {
        self.room = if self.room == Room::Free {
            Room::Taken
        } else {
            Room::Free
        };
    }

    fn settle(&mut self, at: usize, report: &IntentReport) {
        let now = later(self.hours);
        let is_last = at + 1 == self.ours.payments.len();
        let before = Sale {
            order: self.ours.order.clone(),
            payment: self.ours.payments[at].clone(),
            attempt: if is_last {
                Attempt::Latest
            } else {
                Attempt::Replaced
            },
            watch: self.watch,
        };
        let settled = decide(before, report, self.room, now);
        let mut sale = settled.sale;
        if sale.is_watched() {
            sale.watch.next_check_at = next_check(&sale, Patience(chrono::TimeDelta::seconds(15)), now);
        }
        // As the flow does it: what may still be charged beside is closed by the reconciler.
        let mut others = self
            .ours
            .payments
            .iter()
            .filter(|it| it.payment_id != sale.payment.payment_id);
        let is_open = |it: &Payment| matches!(it.standing(), Standing::InFlight | Standing::AwaitsBuyer);
        if sale.is_watched() && sale.order.is_paid() && others.any(is_open) {
            sale.watch.next_check_at = Some(now);
        }
        let capture = capture(
            (&sale.order, &sale.payment),
            &settled.facts,
            RefundId::new(now),
            now,
        )
        .unwrap();
        if let Some(capture) = capture {
            self.ours.bookings.push(capture.booking);
            self.ours
                .watched
                .extend(capture.surplus.iter().map(|refund| refund.payment_id));
            self.ours.refunds.extend(capture.surplus);
            self.heard.push((sale.payment.payment_id, self.room));
        }
        self.watch = sale.watch;
        self.ours.next_check_at = sale.watch.next_check_at;
        self.ours.order = sale.order;
        self.ours.payments[at] = sale.payment;
    }

    /// The whole model: the first capture heard of for which there was room pays, and every other goes back.
    fn check(&self, at: &str) {
        let needs_room = matches!(self.ours.order.kind, OrderKind::Trial { .. });
        let paying = self
            .heard
            .iter()
            .find(|(_, room)| !needs_room || *room == Room::Free)
            .map(|(payment_id, _)| *payment_id);
        let paid_by = match &self.ours.order.state {
            OrderState::Paid { by, .. } => Some(*by),
            _ => None,
        };
        assert_eq!(paid_by, paying, "{at}");
        let going_back: Vec<PaymentId> = self.ours.refunds.iter().map(|refund| refund.payment_id).collect();
        let others: Vec<PaymentId> = self
            .heard
            .iter()
            .map(|(payment_id, _)| *payment_id)
            .filter(|payment_id| Some(*payment_id) != paying)
            .collect();
        assert_eq!(going_back, others, "{at}");
        let is_surplus = |refund: &super::refund::Refund| refund.reason == RefundReason::Surplus;
        assert!(self.ours.refunds.iter().all(is_surplus), "{at}");
        assert_eq!(violations(std::slice::from_ref(&self.ours)), [], "{at}");
    }

    /// Nobody stops asking: in the end we know what the provider knows.
    fn drain(&mut self) {
        for at in 0..self.intents.len() {
            if self.intents[at].is_captured {
                self.settle(at, &captured());
            }
        }
    }
}

fn kinds() -> [OrderKind; 5] {
    let starts = PriceId::new(noon());
    [
        OrderKind::OneTime,
        OrderKind::Gift,
        OrderKind::Addition,
        OrderKind::Lifetime,
        OrderKind::Trial { starts },
    ]
}

#[test]
fn no_schedule_of_a_provider_parts_what_is_paid_once_from_its_books() {
    let seeds = schedules();
    for kind in kinds() {
        let (mut sold, mut captured_twice) = (0, 0);
        for seed in 0..seeds {
            let mut world = World::new(seed, kind);
            for step in 0..STEPS {
                world.step();
                world.check(&format!("{}, seed {seed}, step {step}", kind.name()));
            }
            world.drain();
            world.check(&format!("{}, seed {seed}, at the end", kind.name()));
            let truth = world.intents.iter().filter(|intent| intent.is_captured).count();
            assert_eq!(
                world.heard.len(),
                truth,
                "{}, seed {seed}: nothing is missed",
                kind.name()
            );
            sold += u64::from(world.ours.order.is_paid());
            captured_twice += u64::from(truth > 1);
        }
        assert!(sold > seeds / 4, "too tame: {sold} sold of {}", kind.name());
        assert!(
            captured_twice > seeds / 100,
            "too tame: {captured_twice} second captures"
        );
    }
}
