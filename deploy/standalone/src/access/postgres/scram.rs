//! Verifiers of passwords (RFC 5803). Postgres gets these instead of the passwords, so that no log of its statements has one.

use hmac::digest::InvalidLength;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

const FIRST_BLOCK: u32 = 1;

/// What Postgres stores of a password.
pub struct Verifier {
    pub iterations: u32,
    pub salt: Vec<u8>,
    pub stored_key: Vec<u8>,
    pub server_key: Vec<u8>,
}

impl Verifier {
    /// `password` is ASCII, which needs no normalization.
    pub fn new(password: &str, salt: Vec<u8>, iterations: u32) -> Result<Self, InvalidLength> {
        let salted = salted_password(password.as_bytes(), &salt, iterations)?;
        let stored_key: [u8; 32] = Sha256::digest(hmac(&salted, b"Client Key")?).into();
        Ok(Self {
            iterations,
            salt,
            stored_key: stored_key.to_vec(),
            server_key: hmac(&salted, b"Server Key")?.to_vec(),
        })
    }
}

/// PBKDF2 with one block.
fn salted_password(password: &[u8], salt: &[u8], iterations: u32) -> Result<[u8; 32], InvalidLength> {
    let mut block = hmac(password, &[salt, &FIRST_BLOCK.to_be_bytes()].concat())?;
    let mut salted = block;
    for _ in 1..iterations {
        block = hmac(password, &block)?;
        for (byte, other) in salted.iter_mut().zip(block) {
            *byte ^= other;
        }
    }
    Ok(salted)
}

fn hmac(key: &[u8], text: &[u8]) -> Result<[u8; 32], InvalidLength> {
    let mac = Hmac::<Sha256>::new_from_slice(key)?;
    Ok(mac.chain_update(text).finalize().into_bytes().into())
}
