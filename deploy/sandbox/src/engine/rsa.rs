//! RSA keys that simulators sign with. They are checked in and are no secret: outside the sandbox their signatures prove nothing.

use ring::{
    rand::SystemRandom,
    rsa::{KeyPair, PublicKeyComponents},
    signature::RSA_PKCS1_SHA256,
};

/// PKCS #8, RSA with 2048 bits.
const PAIRS: [&[u8]; 3] = [
    include_bytes!("rsa/1.pk8"),
    include_bytes!("rsa/2.pk8"),
    include_bytes!("rsa/3.pk8"),
];

fn pair(number: usize) -> Option<KeyPair> {
    KeyPair::from_pkcs8(PAIRS[number % PAIRS.len()])
        .inspect_err(|error| tracing::error!(%error, "a signing key of the sandbox is damaged"))
        .ok()
}

pub fn components(number: usize) -> Option<PublicKeyComponents<Vec<u8>>> {
    pair(number).map(|pair| PublicKeyComponents::from(pair.public()))
}

/// RSASSA-PKCS1-v1_5 over SHA-256.
pub fn sign(number: usize, message: &[u8]) -> Vec<u8> {
    let Some(pair) = pair(number) else {
        return Vec::new();
    };
    let mut signature = vec![0; pair.public().modulus_len()];
    match pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature) {
        Ok(()) => signature,
        Err(_) => Vec::new(),
    }
}
