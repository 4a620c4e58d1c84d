//! Simulators of the external systems, for development and tests.
//!
//! A **simulator** implements an external system's public protocol in this process. It keeps its own state, follows the virtual
//! clock, sends real webhooks, and can be made to fail.
//!
//! Owns: the virtual clock; simulators of Stripe, PayPal, YooKassa and Platron with their browser scripts and pages, of the sign-in
//! of Apple, Google and Facebook, and of a language model; a mail server with an inbox; pages for the sites that the product links
//! to; fault injection; the log of the product's requests. Does not own: anything of the product, and depends on no service.
//! Never runs in production.
//!
//! Dependencies: `sandbox → control → simulators → {stripe, paypal, yookassa, platron, social, ai, mail} → engine`.

// Stripe's widest objects are one `json!` each.
#![recursion_limit = "256"]

pub mod config;
pub mod sandbox;

mod ai;
mod control;
mod engine;
mod external_sites;
pub mod mail;
pub mod paypal;
pub mod platron;
mod simulators;
pub mod social;
pub mod stripe;
pub mod yookassa;

pub use engine::{
    faults::{Action, Fault, Target},
    request_log::LoggedRequest,
    virtual_clock::Bucket,
    webhooks::queue::{Delivery, DeliveryState},
};
pub use sandbox::{Options, Sandbox};
