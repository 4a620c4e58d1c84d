//! What auth does, one verb per file. Only flows open transactions.
mod access_token;
mod admit_attempt;
mod authenticate;
mod close_erasure;
mod confirm_email;
mod devices;
mod export_member;
mod forget_expired;
mod forgot_password;
mod issue_handoff_token;
mod issue_social_nonce;
mod link_pending_identity;
mod live_session;
mod open_entitlements;
mod open_session;
mod prove_member;
mod redeem_handoff_token;
mod refresh_session;
mod register;
mod request_erasure;
mod reset_password;
mod rotate_signing_keys;
mod send_mails;
mod sign_in;
mod sign_in_socially;
mod sign_out;
mod temporary_premium;
mod update_profile;
mod write_mail;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use kit::clock::Clock;
use kit::database::Pool;

use crate::crypto::links::LinkTokens;
use crate::crypto::passwords::Passwords;
use crate::crypto::pseudonyms::Pseudonyms;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::session::{Lifetime, Rotation};
use crate::domain::social::Provider;
use crate::domain::throttle::Throttles;
use crate::domain::user::User;
use crate::mail::Stationery;
use crate::ports::{Buyers, IdentityProvider, Mailer};

pub use access_token::{AccessTokens, PublicKey, Signed, issue_access_token, list_public_keys};
pub use authenticate::{Authenticated, authenticate};
pub use close_erasure::{AccountCloser, note_report};
pub use confirm_email::confirm_email;
pub use devices::{Device, Devices, list_devices, sign_out_device, sign_out_everywhere};
pub use export_member::{
    AccountRow, AddressChangeRow, Grant, HandoffRow, IdentityRow, MailRow, MemberExport, PremiumRow,
    SessionRow, export_member,
};
pub use forget_expired::forget_expired;
pub use forgot_password::forgot_password;
pub use issue_handoff_token::{Issued, issue_handoff_token};
pub use issue_social_nonce::{SocialNonce, issue_social_nonce};
pub use open_entitlements::{Turn, close_entitlements, close_order, open_entitlements, reopen_entitlements};
pub use redeem_handoff_token::{Redeemed, redeem_handoff_token};
pub use refresh_session::{Refreshed, refresh_session};
pub use register::register;
pub use request_erasure::{ErasureRequest, get_erasure, request_erasure};
pub use reset_password::reset_password;
pub use rotate_signing_keys::rotate_signing_keys;
pub use send_mails::send_mails;
pub use sign_in::sign_in;
pub use sign_in_socially::{Entered, sign_in_socially};
pub use sign_out::sign_out;
pub use temporary_premium::{grant_temporary_premium, note_payment};
pub use update_profile::update_profile;
pub use write_mail::{Addressee, MoneyMatter, write_money_mail, write_withdrawal_mail};

/// Everything a flow may use.
pub struct Context {
    pub pool: Pool,
    pub clock: Clock,
    pub passwords: Passwords,
    pub pseudonyms: Pseudonyms,
    pub link_tokens: LinkTokens,
    pub lifetime: Lifetime,
    pub rotation: Rotation,
    pub throttles: Throttles,
    pub spans: Spans,
    pub access_tokens: AccessTokens,
    /// Those this installation is known to.
    pub identity_providers: Vec<(Provider, Arc<dyn IdentityProvider>)>,
    pub stationery: Stationery,
    pub mailer: Arc<dyn Mailer>,
    pub buyers: Arc<dyn Buyers>,
}

impl Context {
    fn identity_provider(&self, wanted: Provider) -> Option<&dyn IdentityProvider> {
        let mut offered = self.identity_providers.iter();
        offered
            .find(|(provider, _)| *provider == wanted)
            .map(|(_, provider)| provider.as_ref())
    }
}

/// How long what is given out lasts.
#[derive(Clone, Copy, Debug)]
pub struct Spans {
    pub handoff: TimeDelta,
    pub temporary_premium: TimeDelta,
}

/// A person with the session just opened for them: the only moment the token is known.
pub struct SignedIn {
    pub user: User,
    pub token: OpaqueToken,
    pub expires_at: DateTime<Utc>,
    /// For the browser to keep.
    pub device_mark: String,
}
