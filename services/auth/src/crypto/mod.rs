//! Hashing and randomness: passwords, session tokens, mailed links, pseudonyms.
pub mod access_tokens;
pub mod device_marks;
pub mod links;
pub mod passwords;
pub mod pseudonyms;
pub mod tokens;
