//! Provider sign-in: checks of a token's claims and the decision to sign in, register or require a link.
use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;

use crate::domain::caller::Caller;
use crate::domain::email::Email;
use crate::domain::forms::fields;

/// Between our clock and the provider's.
const LEEWAY: TimeDelta = TimeDelta::seconds(60);

/// No provider's token lives longer, whatever it says.
const MAX_AGE: TimeDelta = TimeDelta::days(1);

/// How long after its question an answer is good in the browser that asked.
pub const NONCE_TTL: TimeDelta = TimeDelta::minutes(10);

/// Time to prove the ownership of an account.
pub const PENDING_TTL: TimeDelta = TimeDelta::minutes(10);

const SUBJECT_MAX_BYTES: usize = 255;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    Apple,
    Google,
    Facebook,
}

impl Provider {
    pub const ALL: [Self; 3] = [Self::Apple, Self::Google, Self::Facebook];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Apple => "apple",
            Self::Google => "google",
            Self::Facebook => "facebook",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == name)
    }

    /// A page asks for id tokens with a nonce; the scripts of Facebook take none.
    pub fn has_nonce(self) -> bool {
        self != Self::Facebook
    }

    /// Facebook hands out addresses that it has not verified, without saying so.
    fn reports_verification(self) -> bool {
        self != Self::Facebook
    }
}

/// The sign-in as the browser asks for it. Nothing in it is believed but what the token turns out to say.
#[derive(Clone)]
pub struct SocialSignIn {
    pub provider: Provider,
    pub token: String,
    pub browser: String,
    pub claimed_email: String,
    pub claimed_id: String,
    /// Apple only; sent by the browser.
    pub name: Option<String>,
    pub lang: Option<String>,
    pub country: Option<String>,
    /// The survey order this sign-up belongs to; empty without one.
    pub order_id: String,
    /// Signs in to an existing account only.
    pub existing_only: bool,
    pub idempotency_key: Option<String>,
    pub caller: Caller,
}

/// An identity verified by its provider: by signature or by a call to its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    pub provider: Provider,
    pub subject: String,
    pub email: Option<Email>,
    pub is_email_verified: bool,
    pub name: Option<String>,
    /// Of id tokens; an access token is itself what may be used once.
    pub nonce: Option<String>,
    pub expires_at: DateTime<Utc>,
}

/// What a provider's sign-in opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkDecision {
    Member,
    NewUser,
    /// The address has an account, whose owner must sign in first.
    LinkRequired,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocialRejection {
    EmailMissing,
    EmailUnverified,
}

/// The account that an assertion matches. An identity takes precedence over an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingAccount {
    WithIdentity,
    WithAddress,
    None,
}

impl Assertion {
    pub fn link_decision(&self, existing: ExistingAccount) -> Result<LinkDecision, SocialRejection> {
        if existing == ExistingAccount::WithIdentity {
            return Ok(LinkDecision::Member);
        }
        if self.email.is_none() {
            return Err(SocialRejection::EmailMissing);
        }
        if !self.is_email_verified && self.provider.reports_verification() {
            return Err(SocialRejection::EmailUnverified);
        }
        if existing == ExistingAccount::WithAddress {
            return Ok(LinkDecision::LinkRequired);
        }
        Ok(LinkDecision::NewUser)
    }

    /// What the browser claims is nothing new: left out, or the same.
    pub fn matches_claims(&self, attempt: &SocialSignIn) -> bool {
        let claimed = attempt.claimed_email.as_str();
        let same_id = attempt.claimed_id.is_empty() || attempt.claimed_id == self.subject;
        let same_email = match &self.email {
            Some(claim) if !claimed.is_empty() => {
                Email::parse(claimed).is_ok_and(|claimed| claimed == *claim)
            }
            // Without an address from the provider, the claim is ignored.
            Some(_) | None => true,
        };
        same_id && same_email
    }

    /// The address, if the provider is sure that it is this person's.
    pub fn proven_email(&self) -> Option<&Email> {
        self.email.as_ref().filter(|_| self.is_email_verified)
    }

    /// A name that could have been typed into the form as well.
    pub fn full_name(&self, attempt: &SocialSignIn) -> Option<String> {
        let notification = match self.provider {
            Provider::Apple => attempt.name.as_deref(),
            Provider::Google | Provider::Facebook => self.name.as_deref(),
        };
        fields::full_name(notification?).ok()
    }
}

/// Why a token is not believed. For the log: it names no person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    Malformed,
    Algorithm,
    UnknownKey,
    Signature,
    Issuer,
    Audience,
    Expired,
    NotYet,
    Subject,
    /// Asked for elsewhere, or nowhere.
    Nonce,
    Replayed,
    /// The browser's claims differ from the token.
    Claims,
    /// The provider does not know it.
    Unknown,
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The claims of an id token (`OpenID` Connect Core, 2), its signature believed already.
#[derive(Clone, Debug, Deserialize)]
pub struct IdClaims {
    iss: String,
    aud: Audience,
    #[serde(default)]
    azp: Option<String>,
    sub: String,
    iat: i64,
    exp: i64,
    /// Neither Apple nor Google sends it today; where it stands it holds (RFC 7519, 4.1.5).
    #[serde(default)]
    nbf: Option<i64>,
    #[serde(default)]
    nonce: Option<String>,
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    email_verified: Option<LenientBool>,
    #[serde(default)]
    name: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// Apple has written truth as a text.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum LenientBool {
    Plain(bool),
    Text(String),
}

impl LenientBool {
    fn is_true(&self) -> bool {
        match self {
            Self::Plain(is_true) => *is_true,
            Self::Text(text) => text == "true",
        }
    }
}

/// Whose tokens we take, and that they are meant for us.
#[derive(Clone, Debug)]
pub struct Expected {
    pub provider: Provider,
    pub issuer: String,
    pub client_id: String,
}

impl Expected {
    pub fn check(&self, claims: IdClaims, now: DateTime<Utc>) -> Result<Assertion, TokenError> {
        if !self.is_issuer(&claims.iss) {
            return Err(TokenError::Issuer);
        }
        if !self.is_audience(&claims) {
            return Err(TokenError::Audience);
        }
        let at = |seconds| DateTime::from_timestamp_secs(seconds).ok_or(TokenError::Malformed);
        let (issued_at, expires_at) = (at(claims.iat)?, at(claims.exp)?);
        if expires_at + LEEWAY <= now || issued_at + MAX_AGE <= now {
            return Err(TokenError::Expired);
        }
        let good_from = claims.nbf.map_or(Ok(issued_at), at)?.max(issued_at);
        if good_from - LEEWAY > now {
            return Err(TokenError::NotYet);
        }
        let has_subject = !claims.sub.is_empty() && claims.sub.len() <= SUBJECT_MAX_BYTES;
        if !has_subject {
            return Err(TokenError::Subject);
        }
        Ok(Assertion {
            provider: self.provider,
            email: claims.email.and_then(|email| Email::parse(&email).ok()),
            is_email_verified: claims.email_verified.is_some_and(|claim| claim.is_true()),
            subject: claims.sub,
            name: claims.name,
            nonce: claims.nonce,
            expires_at,
        })
    }

    /// Google leaves the scheme out now and then.
    fn is_issuer(&self, given: &str) -> bool {
        given == self.issuer
            || (self.provider == Provider::Google && self.issuer.strip_prefix("https://") == Some(given))
    }

    /// One of several audiences is us only if the token was asked for by us.
    fn is_audience(&self, claims: &IdClaims) -> bool {
        let asked_by_us = claims.azp.as_ref().is_none_or(|azp| *azp == self.client_id);
        match &claims.aud {
            Audience::One(audience) => *audience == self.client_id && asked_by_us,
            Audience::Many(audiences) => {
                audiences.contains(&self.client_id)
                    && asked_by_us
                    && (audiences.len() == 1 || claims.azp.is_some())
            }
        }
    }
}

#[cfg(test)]
mod tests;
