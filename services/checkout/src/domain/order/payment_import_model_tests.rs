//! Random schedules of a member who pays on providers' pages, at PayPal and by card at once; messages arrive twice, late, in another order
//! or never, against a model of a few lines. Every seed is one schedule: a failing one names itself.

mod adopting;
mod provider;
mod returning;

use std::collections::BTreeSet;

use self::provider::{Charge, EndedBy};
use crate::domain::fixtures::{noon, price, schedules};
use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::invariants::{OrderAggregate, violations};
use crate::domain::model_tests::provider::Rng;
use crate::domain::order::OrderState;
use crate::domain::order::checkout_request::{self, CheckoutRequest};
use crate::domain::order::hosted_checkout::HostedCheckoutState;
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder, blocking_attempt};
use crate::domain::order::payment_import::Offer;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::PaymentSnapshot;
use crate::domain::payment::{Disposition, Payment};
use crate::domain::provider::Provider;
use crate::domain::refund::{Refund, RefundReason};
use kit::money::Money;

const STEPS: usize = 36;
const CHARGES_MAX: usize = 4;
/// After so many a notification is given up.
const TRIES_MAX: usize = 4;

/// What is under way to us, or half done.
#[derive(Clone)]
enum PendingEvent {
    Seen(PaymentSnapshot),
    /// Found unmatched, about to be refunded.
    Unmatched(PaymentSnapshot),
}

struct World {
    rng: Rng,
    charges: Vec<Charge>,
    /// Of which charge, what, and how often it was tried before.
    pending: Vec<(usize, PendingEvent, usize)>,
    /// Messages that are not delivered yet.
    late: BTreeSet<usize>,
    accounts: Vec<OrderAggregate>,
    prices: [PriceId; 2],
    trial_days: i32,
    is_coupon_exhausted: bool,
    /// The reference: observed captures, and whether the product was available for each.
    captures: Vec<(usize, bool)>,
    hours: i64,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut rng = Rng(seed);
        let trial_days = if rng.roll(3) == 0 { 7 } else { 0 };
        Self {
            rng,
            charges: Vec::new(),
            pending: Vec::new(),
            late: BTreeSet::new(),
            accounts: Vec::new(),
            prices: [PriceId::new(noon()), PriceId::new(noon())],
            trial_days,
            is_coupon_exhausted: false,
            captures: Vec::new(),
            hours: 0,
        }
    }

    fn step(&mut self) {
        self.hours += 1;
        let charges = self.charges.len();
        let roll = self.rng.roll(16);
        if charges == 0 || roll == 0 {
            return self.agree();
        }
        let at = self.rng.roll(charges);
        match roll {
            1 => self.pay_by_card(),
            2 | 3 => self.change(at, Charge::capture),
            4 => self.change(at, Charge::end),
            5 => self.change(at, |charge| charge.is_declined = true),
            6 => self.send(at),
            7..=9 => self.deliver(),
            10 | 11 => self.look(at),
            12 => self.close_others(),
            13 => self.give_up_overdue(),
            14 => self.submit_refunds(),
            _ => self.is_coupon_exhausted = !self.is_coupon_exhausted,
        }
    }

    fn offer(&mut self, provider: Provider) -> Offer {
        Offer {
            provider,
            price_id: self.prices[self.rng.roll(2)],
            amount: price(),
        }
    }

    /// A buyer comes to an agreement, or opens a page.
    fn agree(&mut self) {
        if self.charges.len() == CHARGES_MAX {
            return;
        }
        let provider = [
            Provider::Paypal,
            Provider::Paypal,
            Provider::Yookassa,
            Provider::Platron,
        ];
        let provider = provider[self.rng.roll(4)];
        let offer = self.offer(provider);
        let mut charge = Charge::new(self.charges.len(), offer);
        if provider == Provider::Paypal {
            charge.trial_days = self.trial_days;
        }
        if self.rng.roll(6) == 0 {
            charge.takes = Money::new(1, price().currency);
        }
        self.charges.push(charge);
        self.send(self.charges.len() - 1);
    }

    /// Something becomes true at the provider.
    fn change(&mut self, at: usize, edit: impl FnOnce(&mut Charge)) {
        edit(&mut self.charges[at]);
        self.send(at);
    }

    /// Never, once, or twice: by a notification, or by the buyer who comes back.
    fn send(&mut self, at: usize) {
        let copies = self.rng.roll(3);
        if copies == 0 {
            self.late.insert(at);
        }
        for _ in 0..copies {
            self.pending
                .push((at, PendingEvent::Seen(self.charges[at].show()), 0));
        }
    }

    /// Any of what is under way.
    fn deliver(&mut self) {
        if !self.pending.is_empty() {
            let next = self.rng.roll(self.pending.len());
            self.deliver_one(next);
        }
    }

    fn deliver_one(&mut self, next: usize) {
        let (at, event, attempts) = self.pending.swap_remove(next);
        let done = match &event {
            PendingEvent::Seen(snapshot) => self.receive(at, snapshot),
            PendingEvent::Unmatched(snapshot) => self.refund_unmatched(at, snapshot),
        };
        match done {
            Err(Undone::Waits) if attempts + 1 < TRIES_MAX => self.pending.push((at, event, attempts + 1)),
            Err(Undone::Unreached) => self.pending.push((at, event, attempts)),
            Ok(()) | Err(Undone::Waits | Undone::IsUnderWay) => {}
        }
    }

    /// The reconciler polls the payments of our orders, and a buyer returns to a page.
    fn look(&mut self, at: usize) {
        let charge = &self.charges[at];
        if charge.is_page() || charge.is_card() || self.find_known(at).is_some() {
            let fresh = charge.show();
            self.pending.push((at, PendingEvent::Seen(fresh), 0));
            self.deliver_one(self.pending.len() - 1);
        }
    }

    fn pay_by_card(&mut self) {
        if self.charges.len() == CHARGES_MAX {
            return;
        }
        let offer = self.offer(Provider::Stripe);
        let number = self.charges.len();
        let submission = CheckoutRequest {
            price_id: offer.price_id,
            trial_days: 0,
            payment_method_id: format!("pm_{number}"),
        };
        let held = self.held().map(|at| self.purchase(at, None));
        let begun = match checkout_request::decide(&submission, held.as_ref()) {
            checkout_request::CheckoutDecision::Open => self.open(offer, Provider::Stripe),
            checkout_request::CheckoutDecision::Retry => {
                Some(self.attach(self.held().unwrap(), Provider::Stripe))
            }
            checkout_request::CheckoutDecision::Replace => {
                self.abandon(self.held().unwrap());
                self.open(offer, Provider::Stripe)
            }
            checkout_request::CheckoutDecision::Close(payment_id) => {
                let _ = self.close_payment(payment_id);
                return;
            }
            checkout_request::CheckoutDecision::Join(_) | checkout_request::CheckoutDecision::Refuse(_) => {
                return;
            }
        };
        let Some(payment_id) = begun else { return };
        let mut charge = Charge::new(number, offer);
        charge.payment_id = Some(payment_id);
        charge.trial_days = self.trial_days;
        self.charges.push(charge);
        self.send(number);
    }

    /// The member's purchase that has not ended.
    fn held(&self) -> Option<usize> {
        self.accounts.iter().position(|account| {
            let held = account.subscription.as_ref();
            held.is_some_and(|held| !held.state.has_ended())
        })
    }

    /// `None`: the payment that is in the way of another.
    fn purchase(&self, at: usize, payment_id: Option<PaymentId>) -> SubscriptionOrder {
        let account = &self.accounts[at];
        let latest = account.payments.last().unwrap().payment_id;
        let wanted = payment_id.or_else(|| blocking_attempt(&account.order, &account.payments));
        let wanted = wanted.unwrap();
        let mut payments = account.payments.iter();
        SubscriptionOrder {
            order: account.order.clone(),
            subscription: account.subscription.clone().unwrap(),
            payment: payments.find(|it| it.payment_id == wanted).unwrap().clone(),
            attempt: if wanted == latest {
                AttemptStatus::Current
            } else {
                AttemptStatus::Superseded
            },
            poll: PollState {
                next_check_at: account.next_check_at,
                poll_count: 0,
            },
        }
    }

    fn find_payment(&self, payment_id: PaymentId) -> (usize, usize) {
        let mut accounts = self.accounts.iter().enumerate();
        accounts
            .find_map(|(at, account)| {
                let mut payments = account.payments.iter();
                let index = payments.position(|it| it.payment_id == payment_id)?;
                Some((at, index))
            })
            .unwrap()
    }

    /// By the provider's own name for it.
    fn find_known(&self, at: usize) -> Option<PaymentId> {
        let id = &self.charges[at].id;
        let mut payments = self.accounts.iter().flat_map(|account| &account.payments);
        let known = payments.find(|payment| payment.provider_subscription_id.as_ref() == Some(id));
        known
            .map(|payment| payment.payment_id)
            .or(self.charges[at].payment_id)
    }

    fn charge_of(&self, payment_id: PaymentId) -> Option<usize> {
        (0..self.charges.len()).find(|at| self.find_known(*at) == Some(payment_id))
    }

    fn check(&self, at: &str) {
        assert_eq!(violations(&self.accounts), [], "{at}");
        for account in self.accounts.iter().filter(|account| account.order.is_paid()) {
            let held = account.subscription.as_ref().unwrap();
            assert!(held.activated_at.is_some(), "{at}: paid, and never activated");
        }
        for (charge, had_room) in &self.captures {
            let payment_id = self.find_known(*charge).unwrap();
            let account = &self.accounts[self.find_payment(payment_id).0];
            let is_paying = matches!(account.order.state, OrderState::Paid { by, .. } if by == payment_id);
            assert_eq!(is_paying, *had_room, "{at}: charge {charge}");
            let refunds = account
                .refunds
                .iter()
                .filter(|refund| refund.payment_id == payment_id && refund.reason == RefundReason::Excess);
            assert_eq!(refunds.count(), usize::from(!had_room), "{at}: charge {charge}");
        }
    }

    /// Every message arrives, every outcome is decided, and polling continues.
    fn drain(&mut self) {
        for at in 0..self.charges.len() {
            if !self.charges[at].is_captured && !self.charges[at].is_over() && self.rng.roll(2) == 0 {
                self.charges[at].end();
                self.late.insert(at);
            }
        }
        for at in std::mem::take(&mut self.late) {
            self.pending
                .push((at, PendingEvent::Seen(self.charges[at].show()), 0));
        }
        for _ in 0..400 {
            self.hours += 1;
            (0..self.charges.len()).for_each(|at| self.look(at));
            self.close_others();
            self.deliver();
            self.submit_refunds();
            if self.pending.is_empty() && !self.refunds().any(Refund::is_open) {
                break;
            }
        }
        assert!(self.pending.is_empty(), "it never comes to rest");
    }

    fn refunds(&self) -> impl Iterator<Item = &Refund> {
        self.accounts.iter().flat_map(|account| &account.refunds)
    }

    /// What was taken has paid one order, or went back whole and once; and what pays for access goes on.
    fn check_end(&self, at: &str) {
        for (number, charge) in self.charges.iter().enumerate() {
            let capture = self.captures.iter().find(|(it, _)| *it == number);
            if !charge.is_captured {
                assert!(
                    capture.is_none() && charge.refunds.is_empty(),
                    "{at}: charge {number}"
                );
                continue;
            }
            let (_, had_room) = capture.unwrap_or_else(|| panic!("{at}: charge {number} was not observed"));
            assert_eq!(
                charge.refunds.len(),
                usize::from(!had_room),
                "{at}: charge {number}"
            );
            if *had_room {
                assert!(
                    charge.over != Some(EndedBy::Us),
                    "{at}: charge {number} was paid for, and ended"
                );
            }
            if charge.is_page() {
                assert_eq!(charge.page, HostedCheckoutState::Paid, "{at}: charge {number}");
            }
        }
    }
}

/// Why something is to be tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Undone {
    /// Another payment is in flight.
    Waits,
    /// The provider was not to be reached.
    Unreached,
    /// The interrupted process continues later.
    IsUnderWay,
}

fn is_open(payment: &Payment) -> bool {
    matches!(
        payment.disposition(),
        Disposition::InFlight | Disposition::AwaitsBuyer
    )
}

#[test]
fn every_capture_of_pages_and_agreements_pays_an_order_or_is_refunded() {
    let seeds = schedules();
    let (mut sold, mut excess, mut unmatched, mut ended_first) = (0, 0, 0, 0);
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
        sold += world.captures.iter().filter(|(_, had_room)| *had_room).count();
        excess += world.captures.iter().filter(|(_, had_room)| !had_room).count();
        unmatched += world
            .accounts
            .iter()
            .filter(|it| it.payments.len() == 1 && !it.refunds.is_empty())
            .count();
        ended_first += world
            .charges
            .iter()
            .filter(|it| it.is_captured && it.over == Some(EndedBy::BuyerOrUs))
            .count();
    }
    let seeds = usize::try_from(seeds).unwrap();
    assert!(sold > seeds / 2, "too tame: {sold} sold");
    assert!(excess > seeds / 10, "too tame: {excess} in excess");
    assert!(unmatched > seeds / 20, "too tame: {unmatched} unmatched");
    assert!(ended_first > seeds / 20, "too tame: {ended_first} ended");
}
