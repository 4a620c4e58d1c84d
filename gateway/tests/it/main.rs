//! The gateway from outside, over real sockets. The services behind it are stand-ins for the wire contract.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod account;
mod ai_text;
mod auth;
mod bin_check;
mod checkout;
mod connections;
mod csp_reports;
mod delivery;
mod documents;
mod erasure;
mod export;
mod faults;
mod forms;
mod gifts;
mod graphql;
mod graphql_abuse;
mod graphql_answers;
mod graphql_http;
mod guesses;
mod handoff;
mod intents;
mod limits;
mod previews;
mod providers;
mod purging;
mod redirects;
mod renderer;
mod reports;
mod samples;
mod site;
mod social;
mod stand_ins;
mod survey;
mod unauthorized;
mod users;
mod withdrawals;
