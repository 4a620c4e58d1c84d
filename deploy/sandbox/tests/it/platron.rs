//! Platron's twin from outside.

mod payments;
mod shop;
