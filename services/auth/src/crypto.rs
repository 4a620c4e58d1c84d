//! Hashing, signatures, encryption and randomness: passwords, tokens of ours and of others, mailed links, pseudonyms, second
//! factors.
pub mod access_tokens;
pub mod cipher;
pub mod device_cookies;
pub mod id_tokens;
pub mod links;
pub mod passwords;
pub mod pseudonyms;
pub mod second_factors;
pub mod social_nonces;
pub mod tokens;
pub mod totp;
