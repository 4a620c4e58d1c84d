//! PayPal's twin from outside.

mod protocol;
mod shop;
mod subscriptions;
