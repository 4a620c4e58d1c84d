//! One file per verb: load, decide, save and tell, commit. Only flows open transactions, and none is open while a
//! provider is asked.

pub mod abandon_order;
pub mod accept_withdrawal;
pub mod additions;
pub mod adopt_gift;
pub mod adopt_payment;
pub mod agree_price;
pub mod announce_quotes;
pub mod bill_subscription;
pub mod change_subscription;
pub mod charge_period;
pub mod check_bin;
pub mod check_card;
pub mod check_invariants;
pub mod check_sold;
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
pub mod end_billing;
pub mod erase_at_others;
pub mod erase_member;
pub mod erase_withdrawal;
pub mod export_member;
pub mod follow_subscription;
pub mod follow_webhooks;
pub mod forget_guests;
pub mod get_survey;
pub mod link_approval;
pub mod list_for_operators;
pub mod list_plans;
pub mod list_purchases;
pub mod not_configured;
pub mod note_subscription;
pub mod offer_pages;
pub mod one_look;
pub mod preview_plan;
pub mod publish_campaigns;
pub mod pursue_intent;
pub mod pursue_payment;
pub mod pursue_refunds;
pub mod quote_offers;
pub mod read;
pub mod read_catalogue;
pub mod receive_webhook;
pub mod reconcile_intents;
pub mod reconcile_lives;
pub mod reconcile_pages;
pub mod reconcile_payments;
pub mod reconcile_refunds;
pub mod refresh_payment;
pub mod replay_webhook;
pub mod request_refund;
pub mod resolve_campaign;
pub mod return_unsold;
pub mod save_survey_answers;
pub mod settle_intent;
pub mod settle_page;
pub mod settle_payment;
pub mod settle_refund;
pub mod settle_survey_order;
pub mod start_trial;
pub mod sync_plans;
pub mod sync_prices;
pub mod tell_platron;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use chrono::TimeDelta;
use kit::clock::Clock;
use kit::database::Pool;
use kit::deadline;
use tokio::sync::Notify;

use self::announce_quotes::Announcer;
use self::one_look::OneLook;
use crate::domain::arrears::Grace;
use crate::domain::bin::BinHashes;
use crate::domain::catalogue::Catalogue;
use crate::domain::quote::QuoteKeys;
use crate::domain::schedule::Patience;
use crate::ports::Providers;

const ANSWER_RESERVE: Duration = Duration::from_millis(500);

/// What every flow works with.
pub struct Checkout {
    pub pool: Pool,
    pub clock: Clock,
    pub providers: Providers,
    pub catalogue: Shelf,
    pub quote_keys: QuoteKeys,
    pub bin_hashes: BinHashes,
    pub announcer: Announcer,
    pub patience: Patience,
    /// How long a renewal may stay unpaid.
    pub grace: Grace,
    /// How long a guest who has paid nothing is remembered.
    pub guests_kept: TimeDelta,
    /// How many members may begin a free trial of one product with one card.
    pub trials_per_card: i64,
    pub answer_within: Duration,
    /// Further sessions are sold.
    pub sessions_are_bookable: bool,
    /// Of those who are told of something by a provider.
    pub looks: OneLook,
}

impl Checkout {
    /// How long a request may wait for the provider: its caller must still hear that it takes longer.
    fn time_to_answer(&self) -> Duration {
        let left = deadline::remaining().map(|left| left.saturating_sub(ANSWER_RESERVE));
        left.unwrap_or(self.answer_within).min(self.answer_within)
    }
}

/// The catalogue of this moment: replaced as a whole, never changed.
pub struct Shelf {
    now: RwLock<Arc<Catalogue>>,
    replaced: Notify,
}

impl Shelf {
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

    /// Since this was last asked.
    pub async fn replaced(&self) {
        self.replaced.notified().await;
    }
}
