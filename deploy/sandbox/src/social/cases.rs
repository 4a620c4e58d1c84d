//! Cases of a sign-in: valid, or one of the known attacks.

use serde::{Deserialize, Serialize};

use super::provider::Provider;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    #[default]
    Valid,
    /// The response of the previous sign-in.
    Replayed,
    /// The nonce of another browser.
    OtherNonce,
    NoNonce,
    /// A token for another app.
    OtherAudience,
    OtherIssuer,
    Expired,
    /// Dated an hour ahead.
    NotYet,
    UnverifiedEmail,
    NoEmail,
    /// Valid, with a new published key.
    RotatedKey,
    /// Signed with an unpublished key.
    UnknownKey,
    /// Signed with another key under the id of the published one.
    Forged,
    AlgNone,
    /// HMAC with the public key as secret.
    Hs256,
}

impl Case {
    pub const ALL: [Self; 15] = [
        Self::Valid,
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

    /// Facebook's access tokens are opaque, so that cases of id tokens do not apply.
    pub const fn applies_to(self, provider: Provider) -> bool {
        match provider {
            Provider::Apple | Provider::Google => true,
            Provider::Facebook => matches!(
                self,
                Self::Valid
                    | Self::Replayed
                    | Self::OtherAudience
                    | Self::Expired
                    | Self::NoEmail
                    | Self::Forged
            ),
        }
    }
}
