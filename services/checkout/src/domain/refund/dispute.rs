//! Disputes: what a buyer's bank takes of a charge, and returns when we win.

use chrono::{DateTime, Utc};
use kit::money::Money;

use crate::domain::refund::{RefundOutcome, RefundSnapshot};

/// As a provider shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispute {
    pub provider_dispute_id: String,
    /// What is disputed, in the currency of the charge.
    pub amount: Money,
    /// In the provider's words.
    pub status: String,
    /// What moved on our balance, in the currency of our account: less than nothing was taken, more came back.
    pub moved: Vec<i64>,
    pub created_at: DateTime<Utc>,
}

impl Dispute {
    /// Nothing while the bank only inquires. What it took went to the buyer, unless it gives it back; where it gives back a part,
    /// the rest is a refund of its own. Only its shares of what moved count, and a dispute that was won is over whatever the
    /// rates of exchange are.
    pub fn snapshots(&self) -> Vec<RefundSnapshot> {
        let sum = |is_ours: fn(i64) -> bool| {
            let moved = self.moved.iter().copied().filter(|amount| is_ours(*amount));
            moved.map(i128::from).sum::<i128>()
        };
        let (taken, back) = (-sum(i64::is_negative), sum(i64::is_positive));
        let returned = RefundOutcome::Failed {
            code: format!("dispute_{}", self.status),
        };
        let whole = |outcome| self.snapshot(self.provider_dispute_id.clone(), self.amount, outcome);
        let rest = |minor, outcome| {
            let id = format!("{}/rest", self.provider_dispute_id);
            self.snapshot(id, Money::new(minor, self.amount.currency), outcome)
        };
        match (taken, back) {
            (0, _) => Vec::new(),
            (_, 0) => vec![whole(RefundOutcome::Succeeded)],
            // A part may have been back before all was: of that no rest is left.
            _ if self.status == "won" || back >= taken => {
                vec![whole(returned.clone()), rest(self.amount.minor, returned)]
            }
            _ => {
                let kept = i128::from(self.amount.minor) * (taken - back) / taken;
                // Never more than the amount it is a share of.
                let kept = i64::try_from(kept).unwrap_or(self.amount.minor);
                vec![whole(returned), rest(kept, RefundOutcome::Succeeded)]
            }
        }
    }

    fn snapshot(&self, id: String, amount: Money, outcome: RefundOutcome) -> RefundSnapshot {
        RefundSnapshot {
            refund_id: None,
            amount,
            outcome,
            is_disputed: true,
            created_at: self.created_at,
            provider_refund_id: id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fixtures::noon;
    use kit::money::Currency;

    /// What became of the whole, and what is left of it in the end.
    fn read(status: &str, moved: &[i64]) -> Vec<(String, i64, bool)> {
        let dispute = Dispute {
            provider_dispute_id: "du_1".into(),
            amount: Money::new(1000, Currency::parse("USD").unwrap()),
            status: status.into(),
            moved: moved.to_vec(),
            created_at: noon(),
        };
        let notification = dispute.snapshots().into_iter().map(|one| {
            assert!(one.is_disputed);
            let went = one.outcome == RefundOutcome::Succeeded;
            (one.provider_refund_id, one.amount.minor, went)
        });
        notification.collect()
    }

    #[test]
    fn dispute_is_what_it_moved_on_our_balance() {
        let whole = |went| ("du_1".to_owned(), 1000, went);
        assert_eq!(read("warning_needs_response", &[]), []);
        for status in ["needs_response", "under_review", "lost"] {
            // In the currency of the account, which need not be the charge's.
            assert_eq!(read(status, &[-880]), [whole(true)]);
        }
        for back in [860, 880, 900] {
            assert_eq!(read("won", &[-880, back])[0], whole(false));
        }
        let rest = ("du_1/rest".to_owned(), 600, true);
        assert_eq!(read("lost", &[-880, 352]), [whole(false), rest]);
    }

    #[test]
    fn of_a_dispute_that_is_won_after_a_part_came_back_no_rest_is_left() {
        let seen = |status: &str| read(status, &[-880, 860]).pop().unwrap();
        assert_eq!(seen("under_review"), ("du_1/rest".to_owned(), 22, true));
        let (id, _, went) = seen("won");
        assert_eq!((id.as_str(), went), ("du_1/rest", false));
    }
}
