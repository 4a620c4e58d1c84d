//! The gateway from outside, over real sockets. The services behind it are stand-ins for the wire contract.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod auth;
mod checkout;
mod graphql;
mod pages;
mod renderer;
mod security;
mod services;
mod site;
mod stand_ins;
