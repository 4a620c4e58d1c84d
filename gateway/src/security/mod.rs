//! Who asks, from where, how often, and what an answer may do in a browser.
pub mod cookies;
pub mod country;
pub mod csrf;
pub mod guesses;
pub mod headers;
pub mod limits;
pub mod redirects;
pub mod tokens;
pub mod viewer;
pub mod weights;
