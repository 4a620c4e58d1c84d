//! People and their sessions.
//!
//! Owns: accounts, passwords, sessions and their devices, mailed links, handoff and access tokens with their keys,
//! temporary premium, mails to be sent, the throttles.
//! Does not own: subscriptions and entitlements (checkout), cookies and per-client rate limits (gateway).
//! RPCs: `Register`, `RegisterByEmail`, `SignIn`, `IssueSocialNonce`, `SignInSocially`, `SignOut`, `SignOutDevice`, `SignOutEverywhere`, `Authenticate`,
//! `RefreshSession`, `ListDevices`, `UpdateProfile`, `ConfirmEmail`, `ForgotPassword`, `ResetPassword`, `IssueHandoffToken`,
//! `RedeemHandoffToken`, `GrantTemporaryPremium`, `IssueAccessToken`, `ListPublicKeys`, `ExportMember`,
//! `RequestErasure`, `GetErasure`.
//! Emits: `stillpoint.auth.user.registered`, `….user.signed_in`, `….identity.linked`, `….profile.updated`, `….password_reset.requested`,
//! `….handoff_token.issued`, `….token.validated`, `….temporary_premium.granted`,
//! `….erasure.requested`, `….account.erased`.
//! Asks: checkout, for what a withdrawal declares, when it writes the mail about it.
//! Listens: to `stillpoint.checkout.subscription.activated`, `stillpoint.checkout.refund.succeeded`, `stillpoint.checkout.withdrawal.*` and `stillpoint.<service>.member_data.erased`.

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

/// This service as a part of a process: alone in its own, or beside the others.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_service("auth", config::Config::read, app::start)
}
