//! Hashing and randomness: passwords, session tokens, pseudonyms of e-mail addresses.
pub mod passwords;
pub mod pseudonyms;
pub mod tokens;
