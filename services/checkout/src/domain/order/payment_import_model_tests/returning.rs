//! What is closed, ended and given back.

use super::{Undone, World, is_open};
use crate::domain::fixtures::later;
use crate::domain::ids::PaymentId;
use crate::domain::ledger::{self, Purpose};
use crate::domain::order::OrderState;
use crate::domain::order::payment_import::unmatched_subscription_capture;
use crate::domain::payment::Disposition;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot, ProviderResult};
use crate::domain::refund::{self, Refund, RefundOutcome, RefundResult, RefundSnapshot};

impl World {
    pub fn refund_unmatched(&mut self, at: usize, snapshot: &PaymentSnapshot) -> Result<(), Undone> {
        if self.find_known(at).is_some() {
            return Ok(());
        }
        if let Charge::Captured(captured) = snapshot.charge {
            let begun = self.begun(self.charges[at].offer, self.charges[at].provider);
            let (unmatched, fact) =
                unmatched_subscription_capture(begun, snapshot, captured, later(self.hours));
            self.write_down(unmatched.clone());
            let charge = self.book(self.accounts.len() - 1, &unmatched, &[fact]);
            self.captures.extend(charge.map(|charge| (charge, false)));
        }
        self.reach()?;
        self.charges[at].end_by_us();
        Ok(())
    }

    fn reach(&mut self) -> Result<(), Undone> {
        match self.rng.roll(8) {
            0 => Err(Undone::Unreached),
            _ => Ok(()),
        }
    }

    pub fn close_payment(&mut self, payment_id: PaymentId) -> Result<(), Undone> {
        self.reach()?;
        let Some(at) = self.charge_of(payment_id) else {
            return Ok(());
        };
        self.settle(payment_id, &ProviderResult::Snapshot(self.charges[at].show()));
        let (account, index) = self.find_payment(payment_id);
        if self.accounts[account].payments[index].disposition() == Disposition::AwaitsBuyer {
            if self.rng.roll(8) == 0 {
                // Their bank is faster.
                self.charges[at].capture();
            }
            self.charges[at].end();
            self.settle(payment_id, &ProviderResult::Snapshot(self.charges[at].show()));
        }
        Ok(())
    }

    /// Of a paid order: another attempt must not be charged as well.
    pub fn close_others(&mut self) {
        let mut others = Vec::new();
        for account in &self.accounts {
            if let OrderState::Paid { by, .. } = account.order.state {
                let open = account.payments.iter().filter(|payment| is_open(payment));
                others.extend(open.map(|payment| payment.payment_id).filter(|it| *it != by));
            }
        }
        for payment_id in others {
            let _ = self.close_payment(payment_id);
        }
    }

    /// Its coupon is wanted by others.
    pub fn give_up_overdue(&mut self) {
        let Some(held) = self
            .held()
            .filter(|at| self.accounts[*at].order.state == OrderState::Open)
        else {
            return;
        };
        let before = self.purchase(held, None).payment;
        if before.disposition() == Disposition::AwaitsBuyer && self.close_payment(before.payment_id).is_err()
        {
            return;
        }
        let now = self.purchase(held, None);
        if now.order.state == OrderState::Open && now.payment.disposition() == Disposition::Closed {
            self.abandon(held);
        }
    }

    /// One round of the refund reconciler.
    pub fn submit_refunds(&mut self) {
        let open: Vec<Refund> = self
            .refunds()
            .filter(|refund| refund.is_open())
            .cloned()
            .collect();
        for ours in open {
            if self.reach().is_err() {
                continue;
            }
            let at = self.charge_of(ours.payment_id).unwrap();
            let charge = &mut self.charges[at];
            charge.end_by_us();
            if !charge.refunds.contains(&ours.refund_id) {
                charge.refunds.push(ours.refund_id);
            }
            let result = match self.rng.roll(4) {
                0 => RefundResult::OutcomeUnknown,
                _ => RefundResult::Snapshot(RefundSnapshot {
                    provider_refund_id: format!("re_{}", ours.refund_id),
                    refund_id: Some(ours.refund_id),
                    amount: ours.amount,
                    outcome: RefundOutcome::Succeeded,
                    is_disputed: false,
                    created_at: later(self.hours),
                }),
            };
            self.settle_refund(&ours, &result);
        }
    }

    fn settle_refund(&mut self, ours: &Refund, result: &RefundResult) {
        let (at, index) = self.find_payment(ours.payment_id);
        let account = &mut self.accounts[at];
        let known = account
            .refunds
            .iter_mut()
            .find(|it| it.refund_id == ours.refund_id);
        let known = known.unwrap();
        let (settled, fact) = refund::decide(known.clone(), result, later(self.hours));
        *known = settled.clone();
        if fact.is_some() {
            let purpose = Purpose::of(settled.payment_id, &account.order.state);
            let provider = account.payments[index].provider;
            account
                .postings
                .extend(ledger::refund(provider, &settled, purpose).unwrap());
        }
    }
}
