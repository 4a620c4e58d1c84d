//! Every event is applied exactly once, despite redeliveries, failures and crashes.
mod batch;
mod foreign_events;
mod requester;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::consumer::{ConsumerSpec, Handler, HandlerError};
use kit::database::Pool;
use kit::run::{Service, ServiceContext, ServiceDefinition};
use kit::testing::TestHost;
use sqlx::PgConnection;

use crate::support::*;

/// Inserts a row per application, then behaves as the event's campaign says.
#[derive(Clone, Default)]
pub struct Recorder {
    attempts: Arc<Mutex<BTreeMap<String, u32>>>,
    /// While this is set, campaigns `reject` and `panic` behave.
    pub mended: Arc<AtomicU32>,
}

impl Recorder {
    pub fn attempts(&self, event_id: &str) -> u32 {
        self.attempts.lock().unwrap().get(event_id).copied().unwrap_or(0)
    }

    fn count(&self, event_id: &str) -> u32 {
        let mut attempts = self.attempts.lock().unwrap();
        let count = attempts.entry(event_id.to_owned()).or_default();
        *count += 1;
        *count
    }
}

#[async_trait]
impl Handler for Recorder {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let campaign = event.data["campaign"].as_str().unwrap_or_default();
        sqlx::query("insert into effect (event_id, campaign) values ($1, $2)")
            .bind(&event.id)
            .bind(campaign)
            .execute(tx)
            .await?;
        let attempt = self.count(&event.id);
        if self.mended.load(Ordering::SeqCst) > 0 {
            return Ok(());
        }
        match campaign {
            "third time lucky" if attempt < 3 => Err(anyhow::anyhow!("not yet").into()),
            "never" => Err(anyhow::anyhow!("still not").into()),
            "reject" => Err(HandlerError::Reject("no such campaign".to_owned())),
            "panic" => panic!("on purpose"),
            "slow" => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

pub fn consumer_service(pool: &Pool, handler: &(impl Handler + Clone)) -> ServiceDefinition {
    let (pool, handler) = (pool.clone(), handler.clone());
    simple_service("shop", move |context| {
        let spec = ConsumerSpec {
            name: "shop-recorder",
            subjects: SUBJECTS,
            max_attempts: 3,
        };
        let shop = ServiceContext::new("shop", pool.clone(), context);
        let consumer = shop.consume(spec, handler.clone());
        async move { Ok(Service::new().task(consumer)) }
    })
}

#[tokio::test]
async fn redelivered_event_is_applied_once() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let event = event(&context, "e1", "x");
    for _ in 0..3 {
        publish_without_dedupe(&context, &event).await;
    }
    context.run(consumer_service(&pool, &Recorder::default())).await;

    publish_without_dedupe(&context, &event_after(&context)).await;
    eventually("the last one is applied", async || effects(&pool).await >= 2).await;
    assert_eq!(effects(&pool).await, 2);
}

fn event_after(context: &TestHost) -> CloudEvent {
    event(context, "after", "x")
}

#[tokio::test]
async fn failed_attempt_is_rolled_back_and_retried() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let recorder = Recorder::default();
    context.run(consumer_service(&pool, &recorder)).await;

    publish_without_dedupe(&context, &event(&context, "e1", "third time lucky")).await;

    eventually("it is applied", async || effects(&pool).await > 0).await;
    assert_eq!(recorder.attempts("e1"), 3);
    assert_eq!(
        effects(&pool).await,
        1,
        "the attempts that failed were rolled back"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn repeatedly_killed_consumer_applies_each_event_once() {
    const KILLS: usize = 4;
    const EVENTS: usize = 60;
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let publish = async |numbers: std::ops::Range<usize>| {
        for number in numbers {
            publish_without_dedupe(&context, &event(&context, &format!("e{number}"), "slow")).await;
        }
    };
    let recorder = Recorder::default();
    for kill in 0..KILLS {
        let events_per_kill = EVENTS / KILLS;
        publish(kill * events_per_kill..(kill + 1) * events_per_kill).await;
        let before = effects(&pool).await;
        let running = context.run(consumer_service(&pool, &recorder)).await;
        eventually("some are applied", async || effects(&pool).await > before).await;
        context.kill(running).await;
    }
    // Events in flight at the kill are redelivered only after ACK_WAIT; publishing them again avoids that wait.
    publish(0..EVENTS).await;
    context.run(consumer_service(&pool, &recorder)).await;

    let distinct = async || -> i64 {
        sqlx::query_scalar("select count(distinct event_id) from effect")
            .fetch_one(&pool)
            .await
            .unwrap()
    };
    eventually("all are applied", async || {
        distinct().await == i64::try_from(EVENTS).unwrap()
    })
    .await;
    assert_eq!(effects(&pool).await, i64::try_from(EVENTS).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn consumer_continues_after_a_nats_outage() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(consumer_service(&pool, &Recorder::default())).await;
    publish_without_dedupe(&context, &event(&context, "e1", "x")).await;
    eventually("the first is applied", async || effects(&pool).await == 1).await;

    context.stop_nats();
    context.start_nats();
    let bus = context.context().bus.clone();
    eventually("it is connected again", async || bus.is_connected()).await;
    publish_without_dedupe(&context, &event(&context, "e2", "x")).await;

    eventually("the second is applied", async || effects(&pool).await == 2).await;
}
