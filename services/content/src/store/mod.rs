//! The SQL, one file per noun.

pub mod chrome;
pub mod page;
pub mod seeded;
pub mod snapshot;
