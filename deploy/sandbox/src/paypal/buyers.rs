//! Test buyers, and the results of their payments.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Buyer {
    /// Always pays.
    Rich,
    /// Never pays.
    Empty,
    /// Pays the first time and never again.
    RunningDry,
    /// Each renewal fails once and succeeds at the next attempt.
    Late,
    /// Pays from a bank account, which takes three days.
    Slow,
}

/// The result of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Paid,
    Pending,
    Declined,
}

impl Buyer {
    pub const ALL: [Self; 5] = [Self::Rich, Self::Empty, Self::RunningDry, Self::Late, Self::Slow];

    pub fn of_email(email: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|buyer| buyer.email() == email)
    }

    pub const fn email(self) -> &'static str {
        match self {
            Self::Rich => "rich@buyers.example",
            Self::Empty => "empty@buyers.example",
            Self::RunningDry => "running-dry@buyers.example",
            Self::Late => "late@buyers.example",
            Self::Slow => "slow@buyers.example",
        }
    }

    pub const fn about(self) -> &'static str {
        match self {
            Self::Rich => "pays",
            Self::Empty => "has no money",
            Self::RunningDry => "pays the first time and never again",
            Self::Late => "each renewal fails once",
            Self::Slow => "pays from a bank account, which takes three days",
        }
    }

    pub const fn payer_id(self) -> &'static str {
        match self {
            Self::Rich => "RICHBUYER2J6K",
            Self::Empty => "EMPTYBUYER7QN",
            Self::RunningDry => "DRYBUYER4XW8P",
            Self::Late => "LATEBUYER9M3C",
            Self::Slow => "SLOWBUYER5TZ2",
        }
    }

    pub fn name(self) -> Value {
        let given = match self {
            Self::Rich => "Ada",
            Self::Empty => "Blaise",
            Self::RunningDry => "Carl",
            Self::Late => "Dorothy",
            Self::Slow => "Emmy",
        };
        json!({ "given_name": given, "surname": "Buyer" })
    }

    /// `paid` counts all successful payments, `failures` the failed ones since the last of them.
    pub const fn charge(self, paid: usize, failures: i64) -> Outcome {
        match self {
            Self::Rich => Outcome::Paid,
            Self::Slow => Outcome::Pending,
            Self::RunningDry if paid == 0 => Outcome::Paid,
            Self::Late if paid == 0 || failures > 0 => Outcome::Paid,
            Self::Empty | Self::RunningDry | Self::Late => Outcome::Declined,
        }
    }
}
