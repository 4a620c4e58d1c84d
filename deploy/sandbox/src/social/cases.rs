//! How a sign-in goes: honestly, or as somebody would try who wants in.

use serde::{Deserialize, Serialize};

use super::Provider;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    #[default]
    Honest,
    /// The answer of the sign-in before, once more.
    Replayed,
    /// Asked for by another browser.
    OtherNonce,
    NoNonce,
    /// Made for another app.
    OtherAudience,
    OtherIssuer,
    Expired,
    /// Dated an hour ahead.
    NotYet,
    UnverifiedEmail,
    NoEmail,
    /// Honest, with a key that is new and public.
    RotatedKey,
    /// Signed with a key the provider does not have.
    UnknownKey,
    /// Signed with another key under the name of the provider's own.
    Forged,
    AlgNone,
    /// HMAC with the public key as its secret.
    Hs256,
}

impl Case {
    pub const ALL: [Self; 15] = [
        Self::Honest,
        Self::Replayed,
        Self::OtherNonce,
        Self::NoNonce,
        Self::OtherAudience,
        Self::OtherIssuer,
        Self::Expired,
        Self::NotYet,
        Self::UnverifiedEmail,
        Self::NoEmail,
        Self::RotatedKey,
        Self::UnknownKey,
        Self::Forged,
        Self::AlgNone,
        Self::Hs256,
    ];

    /// Facebook's tokens are names of what its servers know, and say nothing themselves.
    pub const fn fits(self, provider: Provider) -> bool {
        match provider {
            Provider::Apple | Provider::Google => true,
            Provider::Facebook => matches!(
                self,
                Self::Honest
                    | Self::Replayed
                    | Self::OtherAudience
                    | Self::Expired
                    | Self::NoEmail
                    | Self::Forged
            ),
        }
    }
}
