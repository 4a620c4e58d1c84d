//! The reference state at the provider.

use kit::money::Money;

use crate::domain::fixtures::{later, price};
use crate::domain::ids::{PaymentId, RefundId};
use crate::domain::refund::{RefundOutcome, RefundSnapshot};

/// `SplitMix64`.
pub struct Rng(pub u64);

impl Rng {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % sides as u64).unwrap()
    }

    pub fn amount(&mut self, most: i64) -> Money {
        let minor = 1 + i64::try_from(self.roll(usize::try_from(most).unwrap())).unwrap();
        Money::new(minor, price().currency)
    }
}

/// One charge as it truly is.
#[derive(Default)]
pub struct Charge {
    pub is_captured: bool,
    pub is_closed: bool,
    pub refunds: Vec<RefundSnapshot>,
}

impl Charge {
    pub fn left(&self) -> i64 {
        let counting = self
            .refunds
            .iter()
            .filter(|refund| !matches!(refund.outcome, RefundOutcome::Failed { .. }));
        price().minor - counting.map(|refund| refund.amount.minor).sum::<i64>()
    }

    pub fn given(&self) -> i64 {
        let given = self
            .refunds
            .iter()
            .filter(|refund| refund.outcome == RefundOutcome::Succeeded);
        given.map(|refund| refund.amount.minor).sum()
    }

    pub fn refund(&mut self, amount: Money, refund_id: Option<RefundId>, outcome: RefundOutcome) {
        self.refunds.push(RefundSnapshot {
            provider_refund_id: format!("re_{}", PaymentId::new(later(0))),
            refund_id,
            amount,
            outcome,
            created_at: later(0),
            is_disputed: false,
        });
    }
}
