//! A signed price quote: a buyer who submits it before it expires pays exactly that amount.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use kit::money::{Currency, Money};
use sha2::Sha256;

use super::catalogue::Price;
use crate::domain::ids::PriceId;

pub const VALID_FOR: TimeDelta = TimeDelta::minutes(30);
pub const KEY_LENGTH_MIN: usize = 24;

/// Keeps what is signed here from being taken for anything else that one key may sign.
const PURPOSE: &[u8] = b"stillpoint quote 1\n";
const MAC_LENGTH: usize = 32;
const LENGTH_MAX: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    pub price_id: PriceId,
    pub campaign: String,
    /// Empty: without a coupon.
    pub coupon_code: String,
    pub amount: Money,
    /// 0 for a buyer who has used the trial of this price.
    pub trial_days: i32,
    pub country: String,
    /// To the second.
    pub expires_at: DateTime<Utc>,
}

/// The signature does not match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidSignature;

impl Quote {
    pub fn of(price: &Price, country: &str, now: DateTime<Utc>) -> Self {
        let seconds = (now + VALID_FOR).timestamp();
        Self {
            price_id: price.price_id,
            campaign: price.campaign.clone(),
            coupon_code: price.terms.coupon_code.clone(),
            amount: price.terms.amount,
            trial_days: price.terms.trial_days,
            country: country.to_owned(),
            expires_at: DateTime::from_timestamp(seconds, 0).unwrap_or(now),
        }
    }

    pub fn has_expired(&self, now: DateTime<Utc>) -> bool {
        now >= self.expires_at
    }

    /// Whether the row is what was quoted: its terms never change, so anything else is no quote of ours.
    pub fn fits(&self, price: &Price) -> bool {
        let terms = &price.terms;
        self.price_id == price.price_id
            && self.campaign == price.campaign
            && self.coupon_code == terms.coupon_code
            && self.amount == terms.amount
            && (self.trial_days == terms.trial_days || self.trial_days == 0)
    }

    fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&(
            self.price_id,
            &self.campaign,
            &self.coupon_code,
            self.amount.minor,
            self.amount.currency.code(),
            self.trial_days,
            &self.country,
            self.expires_at.timestamp(),
        ))
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        type Fields = (PriceId, String, String, i64, String, i32, String, i64);
        let fields: Fields = serde_json::from_slice(bytes).ok()?;
        let (price_id, campaign, coupon_code, minor, currency, trial_days, country, seconds) = fields;
        Some(Self {
            price_id,
            campaign,
            coupon_code,
            amount: Money::new(minor, Currency::parse(&currency).ok()?),
            trial_days,
            country,
            expires_at: DateTime::from_timestamp(seconds, 0)?,
        })
    }
}

/// The first signs; all verify, while one replaces another.
#[derive(Clone)]
pub struct QuoteKeys {
    signing: Hmac<Sha256>,
    verifying: Vec<Hmac<Sha256>>,
}

impl QuoteKeys {
    /// `None` without a key.
    pub fn new<'a>(keys: impl IntoIterator<Item = &'a [u8]>) -> Option<Self> {
        let verifying: Vec<_> = keys
            .into_iter()
            .filter_map(|key| Hmac::new_from_slice(key).ok())
            .map(|mac: Hmac<Sha256>| mac.chain_update(PURPOSE))
            .collect();
        let signing = verifying.first()?.clone();
        Some(Self { signing, verifying })
    }

    pub fn sign(&self, quote: &Quote) -> Result<String, serde_json::Error> {
        let body = quote.to_bytes()?;
        let mac = self.signing.clone().chain_update(&body).finalize().into_bytes();
        Ok(URL_SAFE_NO_PAD.encode([mac.as_slice(), &body].concat()))
    }

    /// Does not check the expiry.
    pub fn read(&self, text: &str) -> Result<Quote, InvalidSignature> {
        if text.len() > LENGTH_MAX {
            return Err(InvalidSignature);
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| InvalidSignature)?;
        let (mac, body) = bytes.split_at_checked(MAC_LENGTH).ok_or(InvalidSignature)?;
        // Compares in constant time.
        let is_ours = |key: &Hmac<Sha256>| key.clone().chain_update(body).verify_slice(mac).is_ok();
        if !self.verifying.iter().any(is_ours) {
            return Err(InvalidSignature);
        }
        Quote::from_bytes(body).ok_or(InvalidSignature)
    }
}

#[cfg(test)]
mod tests;
