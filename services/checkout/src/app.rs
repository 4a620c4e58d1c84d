//! Wires stores, providers, flows, consumers and timers.

mod access;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use chrono::TimeDelta;
use kit::erasure::Erasure;
use kit::reconciler::Reconciler;
use kit::run::{DatabaseService, Service, ServiceContext, Task};
use kit::single_flight::SingleFlight;
use proto::checkout::v1::checkout_service_server::CheckoutServiceServer;
use proto::events::Event;
use proto::events::v1::CampaignPublished;
use secrecy::ExposeSecret;
use sqlx::migrate::Migrator;

use crate::config::Config;
use crate::consumers::{REGISTRATIONS, Registrations};
use crate::domain::payment::poll_schedule::InFlightTimeout;
use crate::domain::pricing::bin::BinHashes;
use crate::domain::subscription::dunning::Grace;
use crate::flows::jobs::check_invariants::check_invariants;
use crate::flows::jobs::process_webhooks::WebhookReconciler;
use crate::flows::jobs::publish_campaigns::publish_at_start;
use crate::flows::jobs::publish_quote_events::publish_quote_events;
use crate::flows::jobs::reconcile_hosted_checkouts::HostedCheckoutReconciler;
use crate::flows::jobs::reconcile_payments::PaymentReconciler;
use crate::flows::jobs::reconcile_refunds::RefundReconciler;
use crate::flows::jobs::reconcile_subscriptions::SubscriptionReconciler;
use crate::flows::jobs::sync_catalogue::{ProviderObject, sync_catalogue};
use crate::flows::privacy::erase_member::MemberEraser;
use crate::flows::privacy::purge_guests::purge_guests;
use crate::flows::quote_event_queue::quote_event_queue;
use crate::flows::steps::payment::abandon_order::OverdueOrderReconciler;
use crate::flows::steps::pricing::read_catalogue::follow_publications;
use crate::flows::{CatalogueCache, Checkout};
use crate::providers;
use crate::rpc::CheckoutRpc;

pub use access::ACCESS;

pub static MIGRATIONS: Migrator = sqlx::migrate!();

/// One provider event causes several webhooks, most of them while the buyer's request is being settled: their object is fetched
/// once.
const WEBHOOK_BATCH_WINDOW: Duration = Duration::from_millis(100);

/// The names of the reconcilers, which process due rows.
pub const RECONCILERS: [&str; 6] = [
    WebhookReconciler::NAME,
    PaymentReconciler::NAME,
    SubscriptionReconciler::NAME,
    HostedCheckoutReconciler::NAME,
    RefundReconciler::NAME,
    OverdueOrderReconciler::NAME,
];

pub async fn start(app: ServiceContext, config: Config) -> anyhow::Result<DatabaseService> {
    let Config {
        seed,
        quote_keys,
        bin_hash_key,
        reconcile_after,
        reconcile_every,
        check_every,
        grace_days,
        guest_retention_days,
        trials_per_card,
        response_budget,
        sessions_are_bookable,
        providers: settings,
    } = config;
    let published = app.bus.watch(CampaignPublished::SUBJECT).await;
    let catalogue = publish_at_start(&app.pool, &app.clock, &seed)
        .await
        .context("publishing campaigns")?;
    let providers = providers::connect(settings, &app.clock).context("a provider's client")?;

    let (announcer, quoted) = quote_event_queue();
    let checkout = Arc::new(Checkout {
        pool: app.pool.clone(),
        clock: app.clock.clone(),
        providers,
        catalogue: CatalogueCache::new(catalogue),
        quote_secrets: quote_keys,
        bin_hashes: BinHashes::new(bin_hash_key.expose_secret().as_bytes())
            .context("CHECKOUT_BIN_HASH_KEY")?,
        quote_events: announcer,
        in_flight_timeout: InFlightTimeout(
            TimeDelta::from_std(reconcile_after).context("CHECKOUT_RECONCILE_AFTER_MS")?,
        ),
        grace: Grace(TimeDelta::days(grace_days)),
        guest_retention: TimeDelta::days(guest_retention_days),
        trials_per_card,
        response_budget,
        sessions_are_bookable,
        webhook_fetches: SingleFlight::new(WEBHOOK_BATCH_WINDOW),
    });
    let syncing = sync_catalogue(checkout.clone(), ProviderObject::Price, app.shutdown.clone());
    let announcing = publish_quote_events(checkout.clone(), app.bus.clone(), quoted, app.shutdown.clone());
    let rereading = follow_publications(checkout.clone(), published, app.shutdown.clone());

    let service = with_other_provider_jobs(Service::new(), &app, &checkout, reconcile_every);
    let service = with_core_jobs(service, &app, &checkout, reconcile_every, check_every);
    Ok(service
        .grpc(CheckoutServiceServer::new(CheckoutRpc::new(checkout.clone())))
        .task(app.consume(REGISTRATIONS, Registrations(app.clock.clone())))
        .task(Task::new("sync-prices", syncing))
        .task(Task::new("announce-quotes", announcing))
        .task(Task::new("follow-publications", rereading))
        .erasure(Erasure::handler(MemberEraser(checkout))))
}

/// Timers of payments, subscriptions and invariants.
fn with_core_jobs(
    service: Service,
    app: &ServiceContext,
    checkout: &Arc<Checkout>,
    every: Duration,
    check_every: Duration,
) -> Service {
    let rules = check_invariants(checkout.clone(), check_every, app.shutdown.clone());
    service
        .task(app.reconcile(PaymentReconciler(checkout.clone()), every))
        .task(app.reconcile(SubscriptionReconciler(checkout.clone()), every))
        .task(Task::new("check-invariants", rules))
}

/// Timers of the other providers, webhooks and unpaid orders.
fn with_other_provider_jobs(
    service: Service,
    app: &ServiceContext,
    checkout: &Arc<Checkout>,
    every: Duration,
) -> Service {
    let planning = checkout.providers.approvals().map(|_| {
        let plans = sync_catalogue(checkout.clone(), ProviderObject::Plan, app.shutdown.clone());
        Task::new("sync-plans", plans)
    });
    let forgetting = purge_guests(checkout.clone(), app.shutdown.clone());
    service
        .tasks(planning)
        .task(app.reconcile(HostedCheckoutReconciler(checkout.clone()), every))
        .task(app.reconcile(WebhookReconciler(checkout.clone()), every))
        .task(app.reconcile(OverdueOrderReconciler(checkout.clone()), every))
        .task(app.reconcile(RefundReconciler(checkout.clone()), every))
        .task(Task::new("forget-guests", forgetting))
}
