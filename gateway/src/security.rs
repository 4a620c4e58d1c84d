//! Identity, limits and redirects: who calls, how often, and where a response may lead.
pub mod cookies;
pub mod country;
pub mod guess_limiter;
pub mod headers;
pub mod limits;
pub mod preview;
pub mod redirects;
pub mod site;
pub mod survey_cookie;
pub mod tokens;
