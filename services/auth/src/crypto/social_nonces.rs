//! Nonces for provider sign-ins, bound to one browser for minutes. They carry their expiry and a keyed hash, so issuing
//! stores nothing; a used one is stored as its digest.
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::crypto::pseudonyms::Pseudonyms;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::social::NONCE_TTL;

pub fn make(pseudonyms: &Pseudonyms, browser: &OpaqueToken, now: DateTime<Utc>) -> (String, DateTime<Utc>) {
    let expires_at = now + NONCE_TTL;
    let chance = hex::encode(rand::random::<[u8; 16]>());
    let end = expires_at.timestamp().to_string();
    let mac = keyed(pseudonyms, browser, &end, &chance);
    (format!("{end}.{chance}.{}", hex::encode(mac)), expires_at)
}

/// When it ends, if it was made for this browser and has not.
pub fn verified_expiry(
    pseudonyms: &Pseudonyms,
    browser: &OpaqueToken,
    nonce: &str,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let mut parts = nonce.splitn(3, '.');
    let (end, chance, mac) = (parts.next()?, parts.next()?, parts.next()?);
    let given = hex::decode(mac).ok()?;
    let made = keyed(pseudonyms, browser, end, chance);
    bool::from(made.as_slice().ct_eq(&given)).then_some(())?;
    let expires_at = DateTime::from_timestamp_secs(end.parse().ok()?)?;
    (expires_at > now).then_some(expires_at)
}

pub fn digest(credential: &str) -> [u8; 32] {
    Sha256::digest(credential.as_bytes()).into()
}

fn keyed(pseudonyms: &Pseudonyms, browser: &OpaqueToken, end: &str, chance: &str) -> [u8; 32] {
    pseudonyms.fingerprint(&["social nonce", browser.expose(), end, chance])
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use secrecy::SecretString;

    use super::*;

    #[test]
    fn a_nonce_is_good_in_its_browser_until_its_end() {
        let pseudonyms = Pseudonyms::new(&SecretString::from("key")).unwrap();
        let (mine, other) = (OpaqueToken::random(), OpaqueToken::random());
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(1);
        let (nonce, expires_at) = make(&pseudonyms, &mine, now);
        let end = |browser, nonce: &str, now| verified_expiry(&pseudonyms, browser, nonce, now);
        assert_eq!(end(&mine, &nonce, now), Some(expires_at));
        assert_eq!(end(&other, &nonce, now), None);
        assert_eq!(end(&mine, &nonce, expires_at), None);
        let longer = nonce.replacen(&expires_at.timestamp().to_string(), "99999999999", 1);
        assert_eq!(end(&mine, &longer, now), None);
        for nonsense in ["", "1.2", "1.2.3", "a.b.c"] {
            assert_eq!(end(&mine, nonsense, now), None);
        }
        assert_ne!(nonce, make(&pseudonyms, &mine, now).0);
    }
}
