//! Accounts, sign-in and sessions.
//!
//! Owns: accounts, passwords, second factors, roles, sessions and their devices, mailed links, handoff and access tokens with
//! their keys, temporary premium, mails to be sent, the throttles.
//! Does not own: subscriptions and entitlements (checkout), cookies and per-client rate limits (gateway).
//! RPCs: `Register`, `RegisterByEmail`, `SignIn`, `IssueSocialNonce`, `SignInSocially`, `SignOut`, `SignOutDevice`, `SignOutEverywhere`, `Authenticate`,
//! `RefreshSession`, `ListDevices`, `UpdateProfile`, `ConfirmEmail`, `ForgotPassword`, `ResetPassword`, `IssueHandoffToken`,
//! `RedeemHandoffToken`, `GrantTemporaryPremium`, `IssueAccessToken`, `ListPublicKeys`, `ExportMember`,
//! `RequestErasure`, `GetErasure`, `StepUp`, `EndSession`, `GetSecondFactor`, `EnrolSecondFactor`, `ConfirmSecondFactor`,
//! `ReplaceRecoveryCodes`, `DisableSecondFactor`, `VerifySecondFactor`.
//! Emits: `stillpoint.auth.user.registered`, `….user.signed_in`, `….identity.linked`, `….profile.updated`, `….password_reset.requested`,
//! `….handoff_token.issued`, `….token.validated`, `….temporary_premium.granted`,
//! `….erasure.requested`, `….account.erased`, `….role.granted`, `….role.revoked`, `….second_factor.enabled`,
//! `….second_factor.disabled`.
//! Calls: checkout, for the recipient and content of mails to guests and about withdrawals.
//! Consumes: `stillpoint.checkout.order.paid`, `….subscription.activated`, `….subscription.renewed`, `….subscription.past_due`,
//! `….subscription.paused`, `….subscription.canceled`, `….subscription.trial_ending`, `….refund.succeeded`, `….refund.returned`,
//! `….withdrawal.received`, `….withdrawal.accepted`; `stillpoint.<service>.member_data.erased` of the services that erase members.

pub mod config;
pub mod error;

pub mod domain;

mod clients;
mod consumers;
mod crypto;
mod emit;
mod flows;
mod mail;
mod ports;
mod rpc;
mod store;

mod app;
pub use app::cli;

/// The service definition, for its own process or a shared one.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_database_service("auth", &app::MIGRATIONS, config::Config::read, app::start)
        .access(app::ACCESS)
}
