//! The real binary, killed with SIGKILL and started again: every order ends paid once, charged once and with one event each.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod crash_points;
mod dunning;
#[path = "../it/support/fake_provider.rs"]
mod fake_provider;
mod fixture;
mod merchant_renewal;
mod one_time;
mod purchase;
mod scenarios;
mod subscription_sweep;
mod webhook_proxy;
