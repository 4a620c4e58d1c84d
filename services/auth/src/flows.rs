//! The flows of auth, by concept. Only flows open transactions.
pub mod account;
pub mod credentials;
pub mod entitlements;
pub mod mails;
pub mod privacy;
mod purge_expired;
pub mod roles;
pub mod second_factor;
pub mod sessions;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use kit::clock::Clock;
use kit::database::Pool;

use crate::crypto::links::LinkTokens;
use crate::crypto::passwords::Passwords;
use crate::crypto::pseudonyms::Pseudonyms;
use crate::crypto::second_factors::SecondFactorKeys;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::session::{Lifetime, Rotation};
use crate::domain::social::Provider;
use crate::domain::throttle::Throttles;
use crate::domain::user::User;
use crate::mail::MailTemplates;
use crate::ports::{BreachedPasswords, CheckoutClient, IdentityProvider, Mailer};

pub use account::confirm_email::confirm_email;
pub use account::forgot_password::forgot_password;
pub use account::reset_password::reset_password;
pub use account::update_profile::update_profile;
pub use credentials::issue_social_nonce::{SocialNonce, issue_social_nonce};
pub use credentials::register::register;
pub use credentials::register_by_email::register_by_email;
pub use credentials::sign_in::sign_in;
pub use credentials::sign_in_socially::sign_in_socially;
pub use credentials::step_up::{StepUp, step_up};
pub use entitlements::grant_temporary_premium::{grant_temporary_premium, record_payment};
pub use entitlements::open_entitlements::{
    EntitlementChange, close_entitlements, close_order, open_entitlements, reopen_entitlements,
};
pub use mails::queue_mail::{
    BillingDetails, Recipient, WithdrawalMail, queue_billing_mail, queue_withdrawal_mail,
};
pub use mails::send_mails::send_mails;
pub use privacy::close_erasure::{AccountCloser, record_erasure_report};
pub use privacy::export_member::{
    AccountRow, AddressChangeRow, Grant, GrantedRole, HandoffRow, IdentityRow, MailRow, MemberExport,
    PremiumRow, SecondFactorRow, SessionRow, export_member,
};
pub use privacy::get_erasure::get_erasure;
pub use privacy::request_erasure::{ErasureRequest, request_erasure};
pub use purge_expired::purge_expired;
pub use second_factor::confirm_second_factor::{Confirmation, confirm_second_factor};
pub use second_factor::disable_second_factor::disable_second_factor;
pub use second_factor::enrol_second_factor::{Enrolment, enrol_second_factor};
pub use second_factor::get_second_factor::{SecondFactorState, get_second_factor};
pub use second_factor::replace_recovery_codes::replace_recovery_codes;
pub use second_factor::verify_second_factor::{SecondFactorAttempt, verify_second_factor};
pub use sessions::authenticate::{Authenticated, authenticate};
pub use sessions::end_session::end_session;
pub use sessions::issue_access_token::{AccessTokens, IssuedAccessToken, PublicKey, issue_access_token};
pub use sessions::issue_handoff_token::{Issued, issue_handoff_token};
pub use sessions::list_devices::{Device, Devices, list_devices};
pub use sessions::list_public_keys::list_public_keys;
pub use sessions::redeem_handoff_token::{Redeemed, redeem_handoff_token};
pub use sessions::refresh_session::{Refreshed, refresh_session};
pub use sessions::rotate_signing_keys::rotate_signing_keys;
pub use sessions::sign_out::sign_out;
pub use sessions::sign_out_device::sign_out_device;
pub use sessions::sign_out_everywhere::sign_out_everywhere;

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
    pub ttls: Ttls,
    pub access_tokens: AccessTokens,
    /// Those this installation is known to.
    pub identity_providers: Vec<(Provider, Arc<dyn IdentityProvider>)>,
    pub mail_templates: MailTemplates,
    pub mailer: Arc<dyn Mailer>,
    pub checkout: Arc<dyn CheckoutClient>,
    pub second_factor_keys: SecondFactorKeys,
    /// `None`: only the list of the domain applies.
    pub breached_passwords: Option<Arc<dyn BreachedPasswords>>,
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
pub struct Ttls {
    pub handoff: TimeDelta,
    pub temporary_premium: TimeDelta,
}

/// A person with the session just opened for them: the only moment the token is known.
pub struct SignedIn {
    pub user: User,
    pub token: OpaqueToken,
    pub expires_at: DateTime<Utc>,
    /// For the browser to keep.
    pub device_cookie: String,
}

/// The result of a sign-in whose first factor was right.
pub enum SignInOutcome {
    SignedIn(SignedIn),
    /// The second factor is awaited, with this challenge.
    Challenged(OpaqueToken),
}
