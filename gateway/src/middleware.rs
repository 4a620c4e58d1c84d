//! Layers around the routes: limits of rate, body and time, cross-site checks, headers and the requester's language.
pub mod csrf;
pub mod guess_limits;
pub mod limits;
pub mod requester;
pub mod security_headers;
