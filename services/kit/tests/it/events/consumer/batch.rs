//! Batches: several events share a transaction, and each is applied exactly once.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use async_nats::jetstream::consumer::PullConsumer;
use async_trait::async_trait;
use kit::bus::{CloudEvent, STREAM};
use kit::consumer::{Handler, HandlerError};
use kit::database::Pool;
use kit::dead_letters;
use kit::testing::TestHost;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection};

use crate::events::consumer::{Recorder, consumer_service};
use crate::support::*;

/// A [`Recorder`] with batches.
#[derive(Clone, Default)]
struct Together {
    recorder: Recorder,
    /// The size of each batch.
    sizes: Arc<Mutex<Vec<usize>>>,
}

#[async_trait]
impl Handler for Together {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        self.recorder.apply(tx, event).await
    }

    fn batch(&self) -> usize {
        40
    }

    async fn apply_all(&self, tx: &mut PgConnection, events: &[&CloudEvent]) -> Result<(), HandlerError> {
        self.sizes.lock().unwrap().push(events.len());
        for event in events {
            self.apply(tx, event).await?;
        }
        Ok(())
    }
}

async fn publish(context: &TestHost, ids: impl IntoIterator<Item = u32>, campaign: &str) {
    for id in ids {
        publish_without_dedupe(context, &event(context, &format!("e{id}"), campaign)).await;
    }
}

async fn unacknowledged(context: &TestHost) -> usize {
    let jetstream = async_nats::jetstream::new(context.context().bus.client().clone());
    let stream = jetstream.get_stream(STREAM).await.unwrap();
    let mut consumer: PullConsumer = stream.get_consumer("shop-recorder").await.unwrap();
    let info = consumer.info().await.unwrap();
    info.num_ack_pending + usize::try_from(info.num_pending).unwrap()
}

async fn dead_letters(pool: &Pool) -> Vec<(String, i64)> {
    let mut connection = pool.acquire().await.unwrap();
    let letters = dead_letters::list(&mut connection, 100).await.unwrap();
    let mut letters: Vec<_> = letters
        .into_iter()
        .map(|dead_letter| (dead_letter.event_id, dead_letter.attempts))
        .collect();
    letters.sort();
    letters
}

#[tokio::test]
async fn waiting_events_are_applied_in_batches_and_once() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    publish(&context, (0..60).chain(0..60), "x").await;
    let together = Together::default();
    context.run(consumer_service(&pool, &together)).await;

    eventually("all are applied", async || effects(&pool).await == 60).await;
    eventually("all are acknowledged", async || {
        unacknowledged(&context).await == 0
    })
    .await;
    assert_eq!(effects(&pool).await, 60);
    let sizes = together.sizes.lock().unwrap().clone();
    assert_eq!(
        sizes.iter().sum::<usize>(),
        60,
        "nothing was tried twice: {sizes:?}"
    );
    assert!(sizes.len() < 10, "{sizes:?}");
}

#[tokio::test]
async fn duplicate_within_a_batch_is_applied_once() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    publish(&context, [1, 2, 1, 1, 3], "x").await;
    let together = Together::default();
    context.run(consumer_service(&pool, &together)).await;

    eventually("all are acknowledged", async || {
        effects(&pool).await == 3 && unacknowledged(&context).await == 0
    })
    .await;
    assert_eq!(together.recorder.attempts("e1"), 1);
}

#[tokio::test]
async fn only_the_failing_event_of_a_batch_becomes_a_dead_letter() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    publish(&context, 0..5, "x").await;
    publish(&context, [5], "reject").await;
    publish(&context, [6], "panic").await;
    publish_raw(&context, b"no event".to_vec()).await;
    publish(&context, 7..12, "x").await;
    let together = Together::default();
    context.run(consumer_service(&pool, &together)).await;

    eventually("the others are applied", async || effects(&pool).await == 10).await;
    eventually("the panic was given up", async || {
        dead_letters(&pool).await.len() == 3
    })
    .await;
    let expected = [("e5", 1), ("e6", 3), ("seq-8", 1)];
    assert_eq!(
        dead_letters(&pool).await,
        expected.map(|(id, attempts)| (id.to_owned(), attempts))
    );
    assert_eq!(effects(&pool).await, 10);
    let attempts = together.recorder.attempts("e11");
    assert!(attempts <= 1, "redeliveries are applied alone: {attempts}");
    eventually("all are acknowledged", async || {
        unacknowledged(&context).await == 0
    })
    .await;
}

#[tokio::test]
async fn partly_applied_batch_applies_the_other_events() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let together = Together::default();
    publish(&context, 0..5, "x").await;
    context.run(consumer_service(&pool, &together)).await;
    eventually("the first are applied", async || effects(&pool).await == 5).await;

    publish(&context, 2..9, "x").await;

    eventually("the rest is applied", async || effects(&pool).await == 9).await;
    eventually("all are acknowledged", async || {
        unacknowledged(&context).await == 0
    })
    .await;
    assert_eq!((effects(&pool).await, together.recorder.attempts("e3")), (9, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_batch_is_applied_by_another_replica() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    publish(&context, 0..100, "slow").await;
    let together = Together::default();
    let running = context.run(consumer_service(&pool, &together)).await;
    eventually("a batch is being applied", async || {
        !together.sizes.lock().unwrap().is_empty()
    })
    .await;
    context.kill(running).await;
    // What was in flight at the kill comes again only after the acknowledgement is overdue: a replay brings it now.
    publish(&context, 0..100, "slow").await;
    context.run(consumer_service(&pool, &together)).await;

    eventually("all are applied", async || effects(&pool).await >= 100).await;
    assert_eq!(effects(&pool).await, 100);
}

/// The number of times that events were not applied because of the database, from the metrics of this process. Only the test
/// below has such an outage.
fn outages(metrics: &PrometheusHandle) -> usize {
    let is_outage = |line: &&str| line.starts_with("consumer_events_total") && line.contains("outage");
    let counts = metrics.render();
    let count = counts
        .lines()
        .find(is_outage)
        .and_then(|line| line.rsplit(' ').next());
    count.map_or(0, |count| count.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn database_outage_counts_no_attempts() {
    let metrics = PrometheusBuilder::new().install_recorder().unwrap();
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let together = Together::default();
    context.run(consumer_service(&pool, &together)).await;
    publish(&context, 0..3, "x").await;
    eventually("the first are applied", async || effects(&pool).await == 3).await;

    set_access(&context, Access::Closed).await;
    publish(&context, 3..9, "x").await;
    // More often than an event has attempts.
    let mut counts = BTreeSet::new();
    eventually("the outage is met four times", async || {
        counts.insert(outages(&metrics));
        counts.len() > 4
    })
    .await;
    set_access(&context, Access::Open).await;

    eventually("the rest is applied", async || {
        let count = sqlx::query_scalar::<_, i64>("select count(*) from effect");
        count.fetch_one(&pool).await.is_ok_and(|count| count == 9)
    })
    .await;
    assert_eq!(dead_letters(&pool).await, []);
    eventually("all are acknowledged", async || {
        unacknowledged(&context).await == 0
    })
    .await;
    for id in 3..9 {
        assert_eq!(together.recorder.attempts(&format!("e{id}")), 1, "e{id}");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Open,
    Closed,
}

/// Allows connections to the database, or forbids them and ends the existing ones.
async fn set_access(context: &TestHost, access: Access) {
    let options: PgConnectOptions = context.database_url().parse().unwrap();
    let name = options.get_database().unwrap().to_owned();
    let mut admin = options.database("postgres").connect().await.unwrap();
    let alter = format!(
        "alter database {name} with allow_connections {}",
        access == Access::Open
    );
    admin.execute(AssertSqlSafe(alter)).await.unwrap();
    if access == Access::Closed {
        let end = format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'");
        admin.execute(AssertSqlSafe(end)).await.unwrap();
    }
}
