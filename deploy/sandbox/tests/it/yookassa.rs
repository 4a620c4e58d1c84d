//! YooKassa's twin from outside.

mod payments;
mod protocol;
mod shop;
