//! Hashing, signatures and randomness: passwords, tokens of ours and of others, mailed links, pseudonyms.
pub mod access_tokens;
pub mod device_cookies;
pub mod id_tokens;
pub mod links;
pub mod passwords;
pub mod pseudonyms;
pub mod social_nonces;
pub mod tokens;
