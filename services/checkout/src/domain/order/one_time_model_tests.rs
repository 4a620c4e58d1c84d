//! Random schedules of one-time payments, for each kind of order: results arrive twice, late, in
//! another order or never, against a model of a few lines. Every seed is one schedule: a failing one names itself.

use super::one_time_order::next_check;
use super::one_time_settlement::decide;
use super::one_time_settlement::tests::{awaits, captured, sale_of, seen};
use super::order_attempt::{AttemptStatus, OrderAttempt};
use crate::domain::fixtures::{decline, later, noon, schedules};
use crate::domain::ids::{PaymentId, PriceId, RefundId};
use crate::domain::invariants::{OrderAggregate, violations};
use crate::domain::ledger::postings::plan_capture;
use crate::domain::model_tests::provider::Rng;
use crate::domain::order::{Availability, OrderKind, OrderState};
use crate::domain::payment::intent::IntentCharge;
use crate::domain::payment::poll_schedule::{InFlightTimeout, PollState};
use crate::domain::payment::provider_result::IntentResult;
use crate::domain::payment::{Disposition, Payment, PaymentState};
use crate::domain::refund::RefundReason;

const STEPS: usize = 40;
const ATTEMPTS_MAX: usize = 3;

/// One intent as it truly is, which a page may pay again and again until it has.
#[derive(Default)]
struct Intent {
    is_captured: bool,
    is_closed: bool,
}

struct World {
    rng: Rng,
    intents: Vec<Intent>,
    pending: Vec<(usize, IntentResult)>,
    ours: OrderAggregate,
    poll: PollState,
    availability: Availability,
    /// Observed captures in order, and whether the product was available for each.
    captures: Vec<(PaymentId, Availability)>,
    hours: i64,
}

impl World {
    fn new(seed: u64, kind: OrderKind) -> Self {
        let OrderAttempt { order, payment, .. } = sale_of(kind);
        Self {
            rng: Rng(seed),
            intents: vec![Intent::default()],
            pending: Vec::new(),
            ours: OrderAggregate {
                order,
                subscription: None,
                next_check_at: Some(noon()),
                payments: vec![payment],
                renewals: Vec::new(),
                billing_state: None,
                refunds: Vec::new(),
                postings: Vec::new(),
                reconciled_refunds: Vec::new(),
            },
            poll: PollState {
                next_check_at: Some(noon()),
                poll_count: 0,
            },
            availability: Availability::Available,
            captures: Vec::new(),
            hours: 0,
        }
    }

    fn step(&mut self) {
        self.hours += 1;
        let at = self.rng.roll(self.intents.len());
        match self.rng.roll(10) {
            0 => self.capture(at),
            1 => self.close(at),
            2 => self.send_or(at, &awaits()),
            3 => self.send_or(at, &seen(IntentCharge::Processing)),
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
            self.send(at, &captured());
        }
    }

    fn close(&mut self, at: usize) {
        let intent = &mut self.intents[at];
        intent.is_closed |= !intent.is_captured;
        if intent.is_closed {
            self.send(at, &seen(IntentCharge::Closed));
        }
    }

    fn send_or(&mut self, at: usize, not_paid: &IntentResult) {
        let paid = self.intents[at].is_captured.then(captured);
        self.send(at, paid.as_ref().unwrap_or(not_paid));
    }

    /// Never, once, or twice.
    fn send(&mut self, at: usize, result: &IntentResult) {
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

    /// Our own request goes astray, is refused, or is given up; perhaps the provider got it all the same.
    fn lose(&mut self, at: usize) {
        let lost = [
            IntentResult::OutcomeUnknown,
            IntentResult::NotFoundAtProvider,
            IntentResult::NotSent,
            IntentResult::Refused(decline()),
        ];
        let result = &lost[self.rng.roll(lost.len())];
        self.settle(at, result);
    }

    fn try_again(&mut self) {
        let last = self.ours.payments.last().unwrap().clone();
        let is_open = self.ours.order.state == OrderState::Open;
        if is_open && last.disposition() == Disposition::Closed && self.intents.len() < ATTEMPTS_MAX {
            self.intents.push(Intent::default());
            self.ours.payments.push(Payment {
                payment_id: PaymentId::new(later(self.hours)),
                attempt: last.attempt + 1,
                state: PaymentState::Intended,
                provider_intent_id: None,
                ..last
            });
            self.poll.next_check_at = Some(later(self.hours));
            self.ours.next_check_at = self.poll.next_check_at;
        }
    }

    /// Or end what was begun there.
    fn subscribe_elsewhere(&mut self) {
        self.availability = if self.availability == Availability::Available {
            Availability::Owned
        } else {
            Availability::Available
        };
    }

    fn settle(&mut self, at: usize, result: &IntentResult) {
        let now = later(self.hours);
        let is_last = at + 1 == self.ours.payments.len();
        let before = OrderAttempt {
            order: self.ours.order.clone(),
            subscription: None,
            payment: self.ours.payments[at].clone(),
            attempt: if is_last {
                AttemptStatus::Current
            } else {
                AttemptStatus::Superseded
            },
            poll: self.poll,
        };
        let settled = decide(before, result, self.availability, now);
        let mut one_time = settled.one_time;
        if one_time.is_authoritative() {
            one_time.poll.next_check_at =
                next_check(&one_time, InFlightTimeout(chrono::TimeDelta::seconds(15)), now);
        }
        // As the flow does it: what may still be charged beside is closed by the reconciler.
        let mut others = self
            .ours
            .payments
            .iter()
            .filter(|it| it.payment_id != one_time.payment.payment_id);
        let is_open =
            |it: &Payment| matches!(it.disposition(), Disposition::InFlight | Disposition::AwaitsBuyer);
        if one_time.is_authoritative() && one_time.order.is_paid() && others.any(is_open) {
            one_time.poll.next_check_at = Some(now);
        }
        let capture = plan_capture(
            &one_time.order,
            &one_time.payment,
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
            self.captures
                .push((one_time.payment.payment_id, self.availability));
        }
        self.poll = one_time.poll;
        self.ours.next_check_at = one_time.poll.next_check_at;
        self.ours.order = one_time.order;
        self.ours.payments[at] = one_time.payment;
    }

    /// The whole model: the first observed capture with an available product pays, and every other is refunded.
    fn check(&self, at: &str) {
        let needs_room = matches!(self.ours.order.kind, OrderKind::Trial { .. });
        let paying = self
            .captures
            .iter()
            .find(|(_, availability)| !needs_room || *availability == Availability::Available)
            .map(|(payment_id, _)| *payment_id);
        let paid_by = match &self.ours.order.state {
            OrderState::Paid { by, .. } => Some(*by),
            _ => None,
        };
        assert_eq!(paid_by, paying, "{at}");
        let going_back: Vec<PaymentId> = self.ours.refunds.iter().map(|refund| refund.payment_id).collect();
        let others: Vec<PaymentId> = self
            .captures
            .iter()
            .map(|(payment_id, _)| *payment_id)
            .filter(|payment_id| Some(*payment_id) != paying)
            .collect();
        assert_eq!(going_back, others, "{at}");
        let is_excess = |refund: &crate::domain::refund::Refund| refund.reason == RefundReason::Excess;
        assert!(self.ours.refunds.iter().all(is_excess), "{at}");
        assert_eq!(violations(std::slice::from_ref(&self.ours)), [], "{at}");
    }

    /// Polling continues until the stored state equals the provider's.
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
        OrderKind::Trial {
            subscription_price: starts,
        },
    ]
}

#[test]
fn no_schedule_of_a_provider_parts_what_is_paid_once_from_its_books() {
    let seeds = schedules();
    for kind in kinds() {
        let (mut sold, mut duplicates) = (0, 0);
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
                world.captures.len(),
                truth,
                "{}, seed {seed}: nothing is missed",
                kind.name()
            );
            sold += u64::from(world.ours.order.is_paid());
            duplicates += u64::from(truth > 1);
        }
        assert!(sold > seeds / 4, "too tame: {sold} sold of {}", kind.name());
        assert!(duplicates > seeds / 100, "too tame: {duplicates} second captures");
    }
}
