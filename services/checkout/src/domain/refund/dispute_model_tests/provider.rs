//! The truth: what banks took of charges, and gave back.

use kit::money::Money;

use crate::domain::fixtures::{later, price};
use crate::domain::model_tests::provider::{Charge, Rng};
use crate::domain::refund::RefundSnapshot;
use crate::domain::refund::dispute::Dispute;

const DISPUTES_MAX: usize = 3;

/// What is on our balance is in another currency: so much of each hundred.
const RATE: i64 = 88;

/// A charge as it truly is, with what banks took of it.
#[derive(Default)]
pub struct Disputed {
    pub charge: Charge,
    pub disputes: Vec<Dispute>,
}

/// In the currency of the charge.
pub fn retained(dispute: &Dispute) -> i64 {
    match dispute.moved[..] {
        [] => 0,
        [_] => dispute.amount.minor,
        _ if dispute.status == "won" => 0,
        [taken, back, ..] => dispute.amount.minor * (-taken - back).max(0) / -taken,
    }
}

impl Disputed {
    pub fn taken(&self) -> i64 {
        self.disputes.iter().map(retained).sum()
    }

    pub fn show(&self) -> Vec<RefundSnapshot> {
        let disputes = self.disputes.iter().flat_map(Dispute::snapshots);
        self.charge.refunds.iter().cloned().chain(disputes).collect()
    }

    /// A bank inquires, or takes all or a part at once: whatever had been given back before.
    pub fn dispute(&mut self, at: usize, rng: &mut Rng) {
        let all = price().minor;
        let disputes = &mut self.disputes;
        if disputes.len() < DISPUTES_MAX {
            let amount = match rng.roll(2) {
                0 => Money::new(all, price().currency),
                _ => rng.amount(all),
            };
            disputes.push(Dispute {
                provider_dispute_id: format!("du_{at}_{}", disputes.len()),
                amount,
                status: "warning_needs_response".into(),
                moved: Vec::new(),
                created_at: later(0),
            });
        }
    }

    /// Nothing is taken twice, and nothing comes back twice.
    pub fn go_on(&mut self, rng: &mut Rng) {
        let luck = rng.roll(5);
        let count = self.disputes.len();
        if count == 0 {
            return;
        }
        let which = rng.roll(count);
        let disputed = &mut self.disputes[which];
        let whole = (disputed.amount.minor * RATE / 100).max(1);
        let (status, moves) = match (disputed.moved.len(), luck) {
            (0, 0) => ("warning_closed", None),
            (0, _) => ("needs_response", Some(-whole)),
            (1, 0) => ("under_review", None),
            (1, 1) => ("lost", None),
            (1, 2) if whole > 1 => ("under_review", Some(rng.amount(whole).minor)),
            // The rate has changed meanwhile, and the status comes after the money.
            (1, 3) => ("under_review", Some((whole * 97 / 100).max(1))),
            (1, _) => ("won", Some(whole)),
            (_, 0 | 1) => ("won", None),
            (..) => return,
        };
        disputed.status = status.to_owned();
        disputed.moved.extend(moves);
    }
}
