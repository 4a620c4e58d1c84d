//! The block types, by subject.

pub mod account;
pub mod business;
pub mod cards;
pub mod coaching;
pub mod heroes;
pub mod layout;
pub mod media;
pub mod pages;
pub mod payment;
pub mod surveys;
