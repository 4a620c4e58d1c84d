//! The SQL, one file per noun. Functions run on the connection they are given; only flows open transactions.
//! Columns are named in each: what is prepared for `*` fails in a running process once a migration adds a column.

pub mod ledger;
pub mod order;
pub mod payment;
pub mod pricing;
pub mod privacy;
pub mod refund;
pub mod subscription;
pub mod survey;
pub mod webhook_events;
pub mod withdrawals;

use std::fmt::Display;

use crate::domain::pricing::opens::Opens;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Sql(#[from] sqlx::Error),
    /// More would be given back than was captured.
    #[error("the refunds of a payment exceed its capture")]
    RefundExceedsCapture,
    /// A row that our own code and constraints should have made impossible.
    #[error("{table} {row}: {column} makes no sense")]
    Inconsistent {
        table: &'static str,
        column: &'static str,
        row: String,
    },
}

impl StoreError {
    fn inconsistent(table: &'static str, column: &'static str, row: impl Display) -> Self {
        Self::Inconsistent {
            table,
            column,
            row: row.to_string(),
        }
    }
}

pub type Stored<T> = Result<T, StoreError>;

/// `None`: the column holds a name that this version does not know.
fn opens_of(names: &[String]) -> Option<Opens> {
    Opens::parse(names.iter().map(String::as_str)).ok()
}
