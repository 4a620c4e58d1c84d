//! The wiring.

use std::sync::Arc;

use anyhow::Context;
use chrono::TimeDelta;
use futures::FutureExt;
use kit::erasure;
use kit::run::{Host, Service, Task};
use proto::checkout::v1::checkout_service_server::CheckoutServiceServer;
use sqlx::migrate::Migrator;

use crate::clients::stripe::{Stripe, StripeWebhooks};
use crate::config::Config;
use crate::consumers::{ERASURES, REGISTRATIONS, Registrations};
use crate::domain::schedule::Patience;
use crate::flows::erase_member::MemberEraser;
use crate::flows::publish_campaigns::publish_campaigns;
use crate::flows::reconcile_payments::reconcile_payments;
use crate::flows::sync_prices::sync_prices;
use crate::flows::{Checkout, Shelf};
use crate::rpc::CheckoutRpc;

static MIGRATIONS: Migrator = sqlx::migrate!();

const REPORT: erasure::Report = erasure::Report {
    service: "checkout",
    subject: Some("stillpoint.checkout.member_data.erased"),
};

pub async fn start(host: Arc<Host>, config: Config) -> anyhow::Result<Service> {
    let Config {
        seed,
        reconcile_after,
        reconcile_every,
        answer_within,
        stripe,
    } = config;
    let pool = host.database("checkout", &MIGRATIONS).await?;
    let catalogue = publish_campaigns(&pool, &host.clock, seed)
        .await
        .context("publishing campaigns")?;
    let provider =
        Stripe::new(&stripe.api_base, stripe.secret_key, stripe.timeout).context("Stripe's client")?;
    let provider = Arc::new(provider);

    let checkout = Arc::new(Checkout {
        pool: pool.clone(),
        clock: host.clock.clone(),
        subscriptions: provider.clone(),
        prices: provider,
        webhooks: Arc::new(StripeWebhooks::new(stripe.webhook_secrets)),
        catalogue: Shelf::new(catalogue),
        patience: Patience(TimeDelta::from_std(reconcile_after).context("CHECKOUT_RECONCILE_AFTER_MS")?),
        answer_within,
    });
    let syncing = sync_prices(checkout.clone(), host.shutdown.clone());
    let reconciling = reconcile_payments(checkout.clone(), reconcile_every, host.shutdown.clone());

    let eraser = MemberEraser(checkout.clone());

    Ok(Service::new()
        .grpc(CheckoutServiceServer::new(CheckoutRpc::new(checkout)))
        .task(host.relay("checkout", pool.clone()))
        .task(host.consume(REGISTRATIONS, pool.clone(), Registrations))
        .task(host.consume(ERASURES, pool.clone(), erasure::Requests(host.clock.clone())))
        .task(host.erase(REPORT, pool.clone(), eraser))
        .task(Task::new("sync-prices", syncing))
        .task(Task::new("reconcile-payments", reconciling))
        .ready("database", move || {
            let pool = pool.clone();
            async move { sqlx::query("select 1").execute(&pool).await.is_ok() }.boxed()
        }))
}
