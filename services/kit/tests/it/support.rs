//! Shared helpers: a small schema, events, and polling for a condition.

use std::fmt::Display;
use std::time::Duration;

use kit::bus::{CloudEvent, STREAM};
use kit::config::Env;
use kit::database::Pool;
use kit::erasure::Erasure;
use kit::outbox::{self, NewEvent};
use kit::run::{self, Service, ServiceContext, ServiceDefinition};
use kit::testing::TestHost;
use proto::events::Event;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

pub const SUBJECT: &str = "stillpoint.shop.campaign.published";
pub const SUBJECTS: &[&str] = &["stillpoint.shop.>"];

#[derive(serde::Serialize)]
struct ShopCampaignPublished {
    campaign: String,
}

impl Event for ShopCampaignPublished {
    const SUBJECT: &'static str = SUBJECT;
}

/// A table of handlers' effects, without a unique constraint, so that repeated effects are visible.
pub fn migrator() -> Migrator {
    let sql = "create table effect (event_id text not null, campaign text not null)";
    Migrator::with_migrations(vec![Migration::new(
        1,
        "effect".into(),
        MigrationType::Simple,
        sql.into_sql_str(),
        false,
    )])
}

pub async fn open_shop(context: &TestHost) -> Pool {
    context.context().database("shop", &migrator()).await.unwrap()
}

/// A service without settings.
pub fn simple_service<S, F>(name: &'static str, start: S) -> ServiceDefinition
where
    S: Fn(std::sync::Arc<run::AppContext>) -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<Service>> + Send + 'static,
{
    run::define_service(name, |_: &Env| Ok(()), move |context, ()| start(context))
}

pub fn relay_service(pool: &Pool) -> ServiceDefinition {
    let pool = pool.clone();
    simple_service("shop", move |context| {
        let shop = ServiceContext::new("shop", pool.clone(), context);
        let service = Service::new().erasure(Erasure::NothingStored("a test"));
        async move { Ok(shop.complete(service)) }
    })
}

pub fn draft(key: &str, campaign: impl Display) -> NewEvent {
    let data = ShopCampaignPublished {
        campaign: campaign.to_string(),
    };
    NewEvent::new(key, &data).unwrap()
}

/// Appends one event in a separate transaction.
pub async fn append(context: &TestHost, pool: &Pool, key: &str, campaign: impl Display) -> String {
    let mut tx = kit::database::begin(pool).await.unwrap();
    let id = outbox::append(&mut tx, context.clock(), draft(key, campaign))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    id.to_string()
}

/// Publishes without `Nats-Msg-Id`, so that the stream does not drop duplicates.
pub async fn publish_without_dedupe(context: &TestHost, event: &CloudEvent) {
    publish_raw(context, serde_json::to_vec(event).unwrap()).await;
}

pub async fn publish_raw(context: &TestHost, payload: Vec<u8>) {
    let jetstream = async_nats::jetstream::new(context.context().bus.client().clone());
    eventually("stream found", async || {
        jetstream.get_stream(STREAM).await.is_ok()
    })
    .await;
    jetstream
        .publish(SUBJECT, payload.into())
        .await
        .unwrap()
        .await
        .unwrap();
}

pub fn event(context: &TestHost, id: &str, campaign: &str) -> CloudEvent {
    let data = serde_json::json!({ "campaign": campaign });
    CloudEvent::new(id.to_owned(), SUBJECT, context.clock().now(), data)
}

pub async fn effects(pool: &Pool) -> i64 {
    sqlx::query_scalar("select count(*) from effect")
        .fetch_one(pool)
        .await
        .unwrap()
}

pub async fn unpublished(pool: &Pool) -> i64 {
    sqlx::query_scalar("select count(*) from outbox where published_at is null")
        .fetch_one(pool)
        .await
        .unwrap()
}

/// Panics with `what` if `check` is not true within a minute.
pub async fn eventually(what: &str, mut check: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !check().await {
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_mins(1), waiting)
        .await
        .is_ok();
    assert!(in_time, "never came true: {what}");
}
