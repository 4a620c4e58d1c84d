//! Checkout sells subscriptions and keeps the money right.
//!
//! - Owns: campaigns, coupons and prices; surveys' orders and answers; orders, subscriptions, payments, refunds and their ledger;
//!   webhook events of providers; withdrawals from contracts.
//! - Does not own: who a member is (auth), what a page shows (content), what a subscription unlocks (auth, sessions).
//! - RPCs: `ResolveCampaign`, `QuoteOffers`, `CreateSubscription`, `ConfirmSubscription`, `LinkPaypalSubscription`,
//!   `ConfirmPlatronPayment`, `CreateIntent`, `ConfirmIntent`, `CreateGift`, `ListAdditions`, `ListSubscriptions`, `ListPurchases`,
//!   `ChangeSubscription`, `PreviewPlan`, `ListPlans`, `SetSubscriptionAttribution`, `DeclareWithdrawal`, `GetWithdrawal`, `GetGuest`,
//!   `CreateSurveyOrder`, `ClaimSurveyOrder`, `SettleSurveyOrder`, `SaveSurveyAnswers`, `GetSurvey`,
//!   `CreateSurveyPlaylist`, `CheckBin`, `ReceiveWebhook`, `ExportMember`.
//! - Emits, all under `stillpoint.checkout.`: `campaign.resolved`, `campaign.published`, `bin.checked`, `subscription.created`,
//!   `subscription.activated`, `subscription.payment_failed`, `subscription.renewed`, `subscription.past_due`,
//!   `subscription.recovered`, `subscription.trial_ending`, `subscription.paused`, `subscription.canceled`,
//!   `paypal_subscription.linked`, `order.paid`, `payment_intent.created`, `platron_payment.captured`, `platron_payment.failed`,
//!   `refund.succeeded`, `refund.returned`, `withdrawal.received`, `withdrawal.accepted`, `survey_order.created`,
//!   `survey_order.claimed`, `survey_order.paid`, `survey_playlist.created`, `member_data.erased`.
//! - Consumes: `stillpoint.auth.user.registered` (assigns a survey order to its member), `stillpoint.auth.erasure.requested`.

mod app;
mod config;
mod seed_dir;

// Public for the tests, which wait for rounds of these.
pub use app::RECONCILERS;

// Public for the tests, which hold the rules of the domain against what is stored.
pub mod domain;
pub mod store;

mod ports;
mod providers;

mod emit;
mod flows;

mod consumers;

pub mod cli;
mod error;
mod rpc;

pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_database_service("checkout", &app::MIGRATIONS, config::Config::read, app::start)
        .access(app::ACCESS)
}
