//! Random ids in the formats of the providers.

use rand::distr::{Alphanumeric, SampleString};

pub fn random(length: usize) -> String {
    Alphanumeric.sample_string(&mut rand::rng(), length)
}

pub fn random_upper(length: usize) -> String {
    random(length).to_ascii_uppercase()
}

pub fn uuid() -> String {
    let digits = format!("{:032x}", rand::random::<u128>());
    let parts = [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ];
    parts.join("-")
}
