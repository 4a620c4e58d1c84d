//! Simulators of the sign-in of Apple, Google and Facebook: scripts, sign-in windows, published keys, and Facebook's Graph API.
//!
//! In reading order: `people` (test accounts), `cases` (valid sign-ins and attacks), `sign_in` (the response to a page), `id_tokens`
//! and `signing_keys` (Apple, Google), `access_token` and `facebook_graph` (Facebook), `api`, `browser`.

mod access_token;
mod api;
pub mod browser;
mod cases;
mod facebook_graph;
mod id_tokens;
mod people;
mod provider;
mod sign_in;
mod signing_keys;
mod simulator;

pub use cases::Case;
pub use people::{Person, PersonRef};
pub use provider::{Clients, Provider};
pub use sign_in::{SignIn, SignInError};
pub use simulator::Social;
