//! One file per flow: load, decide, save and emit, commit. Only flows open transactions, and none is open during a
//! provider call.

pub mod abandon_order;
pub mod accept_withdrawal;
pub mod additions;
pub mod bill_subscription;
pub mod change_subscription;
pub mod charge_period;
pub mod check_available;
pub mod check_bin;
pub mod check_card;
pub mod check_invariants;
pub mod claim_survey_order;
pub mod claim_trial;
pub mod close_intent;
pub mod close_payment;
pub mod confirm_subscription;
pub mod create_gift;
pub mod create_intent;
pub mod create_subscription;
pub mod create_survey_order;
pub mod create_survey_playlist;
pub mod declare_withdrawal;
pub mod emit_platron_events;
pub mod end_at_other_providers;
pub mod end_billing;
pub mod erase_member;
pub mod erase_withdrawal;
pub mod execute_intent;
pub mod execute_payment;
pub mod export_member;
pub mod get_survey;
pub mod import_external_payment;
pub mod import_gift_payment;
pub mod link_paypal_subscription;
pub mod list_for_operators;
pub mod list_plans;
pub mod list_purchases;
pub mod list_subscriptions;
pub mod not_configured;
pub mod offer_hosted_checkouts;
pub mod preview_plan;
pub mod process_webhooks;
pub mod publish_campaigns;
pub mod publish_quote_events;
pub mod purge_guests;
pub mod quote_offers;
pub mod read_catalogue;
pub mod receive_webhook;
pub mod reconcile_hosted_checkouts;
pub mod reconcile_intents;
pub mod reconcile_payments;
pub mod reconcile_refunds;
pub mod reconcile_subscriptions;
pub mod refresh_payment;
pub mod refund_unmatched;
pub mod replay_webhook;
pub mod request_refund;
pub mod resolve_campaign;
pub mod resolve_price;
pub mod save_survey_answers;
pub mod set_subscription_attribution;
pub mod settle_hosted_checkout;
pub mod settle_intent;
pub mod settle_payment;
pub mod settle_refund;
pub mod settle_survey_order;
pub mod single_flight;
pub mod start_trial;
pub mod submit_refunds;
pub mod sync_plans;
pub mod sync_prices;
pub mod sync_subscription;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use chrono::TimeDelta;
use kit::clock::Clock;
use kit::database::Pool;
use kit::deadline;
use tokio::sync::Notify;

use self::publish_quote_events::QuoteEventPublisher;
use self::single_flight::SingleFlight;
use crate::domain::bin::BinHashes;
use crate::domain::catalogue::Catalogue;
use crate::domain::dunning::Grace;
use crate::domain::poll_schedule::InFlightTimeout;
use crate::domain::quote::QuoteKeys;
use crate::ports::Providers;

const ANSWER_RESERVE: Duration = Duration::from_millis(500);

/// State shared by all flows.
pub struct Checkout {
    pub pool: Pool,
    pub clock: Clock,
    pub providers: Providers,
    pub catalogue: CatalogueCache,
    pub quote_keys: QuoteKeys,
    pub bin_hashes: BinHashes,
    pub quote_events: QuoteEventPublisher,
    pub in_flight_timeout: InFlightTimeout,
    /// How long a renewal may stay overdue.
    pub grace: Grace,
    /// Retention of guests who have paid nothing.
    pub guest_retention: TimeDelta,
    /// How many members may begin a free trial of one product with one card.
    pub trials_per_card: i64,
    pub response_budget: Duration,
    /// Further sessions are sold.
    pub sessions_are_bookable: bool,
    /// Coalesces fetches that concurrent webhooks trigger.
    pub webhook_fetches: SingleFlight,
}

impl Checkout {
    /// How long a request may wait for the provider, leaving time for the response.
    fn remaining_response_budget(&self) -> Duration {
        let left = deadline::remaining().map(|left| left.saturating_sub(ANSWER_RESERVE));
        left.unwrap_or(self.response_budget).min(self.response_budget)
    }
}

/// The current catalogue: replaced as a whole, never changed.
pub struct CatalogueCache {
    now: RwLock<Arc<Catalogue>>,
    replaced: Notify,
}

impl CatalogueCache {
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            now: RwLock::new(Arc::new(catalogue)),
            replaced: Notify::new(),
        }
    }

    pub fn get(&self) -> Arc<Catalogue> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn replace(&self, catalogue: Catalogue) {
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(catalogue);
        self.replaced.notify_one();
    }

    /// Resolves when the catalogue was replaced since the last call.
    pub async fn replaced(&self) {
        self.replaced.notified().await;
    }
}
