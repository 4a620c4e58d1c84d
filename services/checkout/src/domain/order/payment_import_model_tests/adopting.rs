//! What the flows do around the decisions: find, decide, write down.

use super::provider::Charge;
use super::{PendingEvent, Undone, World, is_open};
use crate::domain::fixtures::{intended, later, synced};
use crate::domain::ids::{OrderId, PaymentId, RefundId, SubscriptionId};
use crate::domain::invariants::OrderAggregate;
use crate::domain::ledger::postings;
use crate::domain::order::fact::Fact;
use crate::domain::order::hosted_checkout::HostedCheckoutState;
use crate::domain::order::next_check::next_check;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::order::payment_import::{ExistingOrder, ImportTarget, Offer, at_provider, import_target};
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::poll_schedule::InFlightTimeout;
use crate::domain::payment::provider_result::{self, PaymentSnapshot, ProviderResult};
use crate::domain::payment::{Payment, PaymentState};
use crate::domain::provider::Provider;
use crate::domain::subscription::settlement;
use crate::domain::subscription_state::{Subscription, SubscriptionState};
use chrono::TimeDelta;

const IN_FLIGHT_TIMEOUT: InFlightTimeout = InFlightTimeout(TimeDelta::seconds(30));
const CLOSINGS_MAX: usize = 3;

impl World {
    pub fn receive(&mut self, at: usize, snapshot: &PaymentSnapshot) -> Result<(), Undone> {
        let charge = &self.charges[at];
        if let Some(payment_id) = self.find_known(at) {
            self.settle(payment_id, &ProviderResult::Snapshot(snapshot.clone()));
        } else if charge.is_page() {
            if charge.page.after(&snapshot.charge) == HostedCheckoutState::Paid {
                self.import(at, snapshot)?;
            }
        } else if snapshot.status == provider_result::ProviderStatus::Canceled
            || charge.is_over()
            || charge.is_of_another_amount()
        {
            return self.refund_unmatched(at, snapshot);
        } else {
            self.import(at, snapshot)?;
        }
        let before = self.charges[at].page;
        self.charges[at].page = before.after(&snapshot.charge);
        assert!(before != HostedCheckoutState::Paid || self.charges[at].page == before);
        Ok(())
    }

    fn import(&mut self, at: usize, snapshot: &PaymentSnapshot) -> Result<(), Undone> {
        for _ in 0..CLOSINGS_MAX {
            let Charge { offer, provider, .. } = self.charges[at];
            let held = self.held();
            let purchase = held.map(|held| self.purchase(held, None));
            let beside = held.zip(purchase.as_ref()).map(|(held, purchase)| ExistingOrder {
                purchase,
                attempts: &self.accounts[held].payments,
            });
            let payment_id = match (import_target(beside, offer, snapshot), held) {
                (ImportTarget::Attach, Some(held)) => Some(self.attach(held, provider)),
                (ImportTarget::Replace, Some(held)) if !self.is_sold_out(offer) => {
                    self.abandon(held);
                    self.open(offer, provider)
                }
                (ImportTarget::NewOrder | ImportTarget::Attach | ImportTarget::Replace, _) => {
                    self.open(offer, provider)
                }
                (ImportTarget::Close(payment_id), _) => {
                    self.close_payment(payment_id)?;
                    continue;
                }
                (ImportTarget::Wait, _) => return Err(Undone::Waits),
                (ImportTarget::Rejected(_), _) => None,
            };
            let Some(payment_id) = payment_id else {
                // Whatever happens before it is returned.
                self.pending
                    .push((at, PendingEvent::Unmatched(snapshot.clone()), 0));
                return Err(Undone::IsUnderWay);
            };
            let (account, index) = self.find_payment(payment_id);
            let payment = &mut self.accounts[account].payments[index];
            *payment = at_provider(payment, snapshot);
            if self.rng.roll(6) == 0 {
                // The process stopped: the webhook is retried.
                self.pending.push((at, PendingEvent::Seen(snapshot.clone()), 0));
            } else {
                self.settle(payment_id, &ProviderResult::Snapshot(snapshot.clone()));
            }
            return Ok(());
        }
        Err(Undone::Waits)
    }

    fn is_sold_out(&self, offer: Offer) -> bool {
        self.is_coupon_exhausted && offer.price_id == self.prices[1]
    }

    /// `None`: its coupon is exhausted.
    pub fn open(&mut self, offer: Offer, provider: Provider) -> Option<PaymentId> {
        if self.is_sold_out(offer) {
            return None;
        }
        let begun = self.begun(offer, provider);
        let payment_id = begun.payment.payment_id;
        self.write_down(begun);
        Some(payment_id)
    }

    pub fn begun(&self, offer: Offer, provider: Provider) -> SubscriptionOrder {
        let now = later(self.hours);
        let like = intended();
        let order = Order {
            order_id: OrderId::new(now),
            price_id: offer.price_id,
            trial_days: self.trial_days,
            ..like.order
        };
        let subscription = Subscription {
            subscription_id: SubscriptionId::new(now),
            ..like.subscription
        };
        SubscriptionOrder {
            payment: Payment {
                payment_id: PaymentId::new(now),
                order_id: order.order_id,
                subscription_id: Some(subscription.subscription_id),
                provider,
                payment_method_id: format!("pm_{}", self.charges.len()),
                ..like.payment
            },
            order,
            subscription,
            attempt: like.attempt,
            poll: like.poll,
        }
    }

    pub fn write_down(&mut self, begun: SubscriptionOrder) {
        let billing = Some(synced(&begun.subscription));
        self.accounts.push(OrderAggregate {
            order: begun.order,
            subscription: Some(begun.subscription),
            next_check_at: begun.poll.next_check_at,
            payments: vec![begun.payment],
            renewals: Vec::new(),
            billing_state: billing,
            refunds: Vec::new(),
            postings: Vec::new(),
            reconciled_refunds: Vec::new(),
        });
    }

    pub fn attach(&mut self, held: usize, provider: Provider) -> PaymentId {
        let now = later(self.hours);
        let account = &mut self.accounts[held];
        let mut open = account.payments.iter().filter(|payment| payment.is_in_flight());
        assert!(
            open.all(|payment| payment.provider != provider),
            "refused by the database: two attempts in flight with {provider:?}"
        );
        account.next_check_at = Some(now + IN_FLIGHT_TIMEOUT.0);
        let last = account.payments.last().unwrap().clone();
        let payment_id = PaymentId::new(now);
        account.payments.push(Payment {
            payment_id,
            provider,
            attempt: last.attempt + 1,
            payment_method_id: format!("pm_{}", self.charges.len()),
            state: PaymentState::Intended,
            provider_subscription_id: None,
            provider_intent_id: None,
            ..last
        });
        payment_id
    }

    /// For another price, or for its coupon.
    pub fn abandon(&mut self, at: usize) {
        let now = later(self.hours);
        let account = &mut self.accounts[at];
        account.order.state = OrderState::Abandoned { at: now };
        let held = account.subscription.as_mut().unwrap();
        held.state = SubscriptionState::Expired { at: now };
        account.next_check_at = None;
    }

    pub fn settle(&mut self, payment_id: PaymentId, result: &ProviderResult) {
        let now = later(self.hours);
        let (at, index) = self.find_payment(payment_id);
        let before = self.purchase(at, Some(payment_id));
        let ends = matches!(result, ProviderResult::Snapshot(shown) if shown.has_ended());
        let is_over = before.subscription.state.has_ended() || ends;
        let is_unmatched = is_over && before.subscription.activated_at.is_none();
        let had_room = !before.order.is_paid() && !is_unmatched;
        let settled = settlement::decide(before, result, now);
        let mut purchase = settled.purchase;
        self.accounts[at].payments[index] = purchase.payment.clone();
        let speaks = purchase
            .attempt
            .is_authoritative(&purchase.payment, &purchase.order.state);
        if speaks {
            let others = self.accounts[at].payments.iter();
            let mut others = others.filter(|other| other.payment_id != payment_id);
            purchase.poll.next_check_at = next_check(&purchase, IN_FLIGHT_TIMEOUT, now);
            let is_due = purchase.poll.next_check_at.is_some() && !purchase.order.is_paid();
            if !is_due && others.any(is_open) {
                purchase.poll.next_check_at = Some(now + IN_FLIGHT_TIMEOUT.0);
            }
        }
        let charge = self.book(at, &purchase, &settled.facts);
        self.captures.extend(charge.map(|charge| (charge, had_room)));
        self.accounts[at].order = purchase.order;
        self.accounts[at].subscription = Some(purchase.subscription);
        self.accounts[at].next_check_at = purchase.poll.next_check_at;
    }

    /// Returns the charge that was captured.
    pub fn book(&mut self, at: usize, purchase: &SubscriptionOrder, facts: &[Fact]) -> Option<usize> {
        let now = later(self.hours);
        let capture =
            postings::plan_capture(&purchase.order, &purchase.payment, facts, RefundId::new(now), now)
                .unwrap()?;
        let account = &mut self.accounts[at];
        account.postings.push(capture.posting);
        account
            .reconciled_refunds
            .extend(capture.excess_refund.iter().map(|refund| refund.payment_id));
        account.refunds.extend(capture.excess_refund);
        Some(self.charge_of(purchase.payment.payment_id).unwrap())
    }
}
