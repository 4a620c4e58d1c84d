//! TOTP (RFC 6238): HMAC-SHA-1, six digits, steps of 30 seconds.
use chrono::{DateTime, Utc};
use ring::hmac::{HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key, sign};
use subtle::ConstantTimeEq;

use crate::domain::session::second_factor::candidate_steps;

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE32_BITS: usize = 5;

/// The time step whose code was typed. `last_step` is the latest one that was accepted.
pub fn matching_step(secret: &[u8], typed: &str, now: DateTime<Utc>, last_step: Option<i64>) -> Option<i64> {
    let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    candidate_steps(now, last_step).find(|step| {
        let code = code_at(&key, *step);
        bool::from(code.as_bytes().ct_eq(typed.as_bytes()))
    })
}

/// RFC 4226, section 5.3: four bytes at the offset that the last four bits name.
fn code_at(key: &Key, step: i64) -> String {
    let tag = sign(key, &step.to_be_bytes());
    let mac = tag.as_ref();
    let offset = usize::from(mac[mac.len() - 1] & 0x0f);
    let word = [
        mac[offset] & 0x7f,
        mac[offset + 1],
        mac[offset + 2],
        mac[offset + 3],
    ];
    format!("{:06}", u32::from_be_bytes(word) % 1_000_000)
}

/// RFC 4648 without padding, as authenticator apps read secrets.
pub fn base32(bytes: &[u8]) -> String {
    let bits: Vec<usize> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| usize::from((byte >> bit) & 1)))
        .collect();
    bits.chunks(BASE32_BITS)
        .map(|chunk| {
            let value = chunk.iter().fold(0_usize, |value, bit| (value << 1) | bit);
            char::from(BASE32[value << (BASE32_BITS - chunk.len())])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"12345678901234567890";

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp_secs(seconds).unwrap()
    }

    /// RFC 6238, appendix B, SHA-1; the last six of its eight digits.
    #[test]
    fn codes_are_those_of_the_rfc() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let step = matching_step(SECRET, code, at(seconds), None);
            assert_eq!(step, Some(seconds / 30), "{code}");
        }
    }

    #[test]
    fn a_code_is_accepted_one_step_early_or_late_and_once() {
        let code = "287082";
        assert_eq!(matching_step(SECRET, code, at(89), None), Some(1));
        assert_eq!(matching_step(SECRET, code, at(29), None), Some(1));
        assert_eq!(matching_step(SECRET, code, at(90), None), None);
        assert_eq!(matching_step(SECRET, code, at(59), Some(1)), None);
        assert_eq!(matching_step(SECRET, code, at(59), Some(0)), Some(1));
    }

    #[test]
    fn other_texts_match_no_step() {
        for typed in ["", "287081", "28708", "2870820", "٢٨٧٠٨٢"] {
            assert_eq!(matching_step(SECRET, typed, at(59), None), None, "{typed}");
        }
    }

    /// RFC 4648, section 10.
    #[test]
    fn base32_is_that_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "MY"),
            ("fo", "MZXQ"),
            ("foo", "MZXW6"),
            ("foob", "MZXW6YQ"),
            ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            assert_eq!(base32(bytes.as_bytes()), text);
        }
    }
}
