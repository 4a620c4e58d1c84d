//! What every simulator is built from: the virtual clock, faults, timers, webhooks, HTTP, and the loop that runs them.
//!
//! Nothing here depends on a provider.

pub mod calendar;
pub mod environment;
pub mod faults;
pub mod http;
pub mod ids;
pub mod indexed_store;
pub mod money;
pub mod request_log;
pub mod rsa;
pub mod simulator;
pub mod timers;
pub mod virtual_clock;
pub mod webhook_dispatcher;
pub mod webhooks;
