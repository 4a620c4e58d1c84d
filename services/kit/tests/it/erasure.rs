//! A service erases a member despite failures, and late events restore nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::database::Pool;
use kit::erasure::{ErasedData, Erasure, ErasureHandler, ErasureJob, Prepared, is_tombstoned};
use kit::run::{Service, ServiceContext, ServiceDefinition};
use kit::testing::TestHost;
use proto::events::Event;
use proto::events::v1::ErasureRequested;
use serde_json::json;
use sqlx::PgConnection;

use crate::support::*;

const ADA: &str = "usr_0192f0c0a0007000800000000000000a";
const GRACE: &str = "usr_0192f0c0a0007000800000000000000b";
const ORDER: &str = "ord_0192f0c0a0007000800000000000000c";
const REPORTED: &str = "stillpoint.shop.member_data.erased";

/// Deletes the effects that carry the member's id.
#[derive(Clone, Default)]
struct Shop {
    prepared: Arc<AtomicU32>,
    provider_is_down: Arc<AtomicBool>,
    others_are_busy: Arc<AtomicBool>,
    dies_while_erasing: Arc<AtomicBool>,
}

#[async_trait]
impl ErasureHandler for Shop {
    async fn prepare(&self, _job: &ErasureJob) -> anyhow::Result<Prepared> {
        self.prepared.fetch_add(1, Ordering::SeqCst);
        anyhow::ensure!(
            !self.provider_is_down.load(Ordering::SeqCst),
            "the provider is down"
        );
        Ok(if self.others_are_busy.load(Ordering::SeqCst) {
            Prepared::NotYet
        } else {
            Prepared::Ready
        })
    }

    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData> {
        sqlx::query("delete from effect where campaign = $1")
            .bind(&job.user_id)
            .execute(tx)
            .await?;
        if self.dies_while_erasing.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        Ok(ErasedData {
            identifiers: vec![ORDER.to_owned()],
            retained: vec!["bookkeeping".to_owned()],
        })
    }
}

fn shop_service(pool: &Pool, shop: &Shop) -> ServiceDefinition {
    let (pool, shop) = (pool.clone(), shop.clone());
    simple_service("shop", move |context| {
        let context = ServiceContext::new("shop", pool.clone(), context);
        let service = Service::new().erasure(Erasure::handler(shop.clone()));
        async move { Ok(context.complete(service)) }
    })
}

async fn remember(pool: &Pool, user_id: &str) {
    sqlx::query("insert into effect (event_id, campaign) values ('e', $1)")
        .bind(user_id)
        .execute(pool)
        .await
        .unwrap();
}

async fn request(context: &TestHost, id: &str) {
    let data = json!({"erasureId": "ers_1", "userId": ADA, "services": ["shop"]});
    let event = CloudEvent::new(
        id.to_owned(),
        ErasureRequested::SUBJECT,
        context.clock().now(),
        data,
    );
    eventually("the stream takes it", async || {
        context.context().bus.publish(&event).await.is_ok()
    })
    .await;
}

async fn jobs(pool: &Pool) -> i64 {
    sqlx::query_scalar("select count(*) from erasure_job")
        .fetch_one(pool)
        .await
        .unwrap()
}

async fn run_jobs_now(pool: &Pool) {
    sqlx::query("update erasure_job set next_attempt_at = now()")
        .execute(pool)
        .await
        .unwrap();
}

async fn tombstoned(pool: &Pool, identifier: &str) -> bool {
    let mut tx = kit::database::begin(pool).await.unwrap();
    is_tombstoned(&mut tx, &[identifier.to_owned()]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn member_is_erased_reported_and_tombstoned() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    remember(&pool, ADA).await;
    remember(&pool, GRACE).await;
    context.run(shop_service(&pool, &Shop::default())).await;
    request(&context, "r1").await;
    let report = &context.events(REPORTED, 1).await[0];
    assert_eq!(
        report.data,
        json!({"erasureId": "ers_1", "service": "shop", "kept": ["bookkeeping"]})
    );
    assert_eq!(effects(&pool).await, 1);
    assert_eq!(jobs(&pool).await, 0);
    assert!(tombstoned(&pool, ADA).await && tombstoned(&pool, ORDER).await);
    assert!(!tombstoned(&pool, GRACE).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn kit_records_of_the_member_are_deleted_and_others_stay() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(shop_service(&pool, &Shop::default())).await;
    for user_id in [ADA, GRACE, ORDER] {
        append(&context, &pool, user_id, user_id).await;
    }
    eventually("all events are published", async || unpublished(&pool).await == 0).await;
    sqlx::query(
        "insert into dead_letter (consumer, event_id, subject, payload, reason, attempts, failed_at)
         select 'c', id, 's', '{\"userId\":\"' || id || '\"}', 'r', 1, now() from unnest($1::text[]) id",
    )
    .bind([ADA, GRACE].as_slice())
    .execute(&pool)
    .await
    .unwrap();
    sqlx::query(
        "insert into idempotency (scope, key, fingerprint, response, lease_until, created_at) values
         ($1 || '/buy', 'k', sha256('x'), null, now(), now()), ('visitor', 'k1', sha256('x'), convert_to($1, 'UTF8'), now(), now()),
         ('visitor', 'k2', sha256('x'), convert_to('\"' || $3 || '\"', 'UTF8'), now(), now()), ($2 || '/buy', 'k', sha256('x'), null, now(), now())",
    )
    .bind(ADA)
    .bind(GRACE)
    .bind(ORDER)
    .execute(&pool)
    .await
    .unwrap();

    request(&context, "r1").await;
    context.events(REPORTED, 1).await;
    let left: Vec<String> = sqlx::query_scalar(
        "select key from outbox where key in ($1, $2, $3) union all select event_id from dead_letter
         union all select scope from idempotency order by 1",
    )
    .bind(ADA)
    .bind(GRACE)
    .bind(ORDER)
    .fetch_all(&pool)
    .await
    .unwrap();
    assert_eq!(left, [GRACE.to_owned(), GRACE.to_owned(), format!("{GRACE}/buy")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unavailable_provider_is_retried() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let shop = Shop::default();
    remember(&pool, ADA).await;
    shop.provider_is_down.store(true, Ordering::SeqCst);
    context.run(shop_service(&pool, &shop)).await;
    request(&context, "r1").await;
    eventually("prepare is repeated", async || {
        shop.prepared.load(Ordering::SeqCst) > 1
    })
    .await;
    assert_eq!((effects(&pool).await, jobs(&pool).await), (1, 1));
    shop.provider_is_down.store(false, Ordering::SeqCst);
    run_jobs_now(&pool).await;
    context.events(REPORTED, 1).await;
    assert_eq!(effects(&pool).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn service_that_is_not_ready_is_asked_again() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let shop = Shop::default();
    remember(&pool, ADA).await;
    shop.others_are_busy.store(true, Ordering::SeqCst);
    context.run(shop_service(&pool, &shop)).await;
    request(&context, "r1").await;
    eventually("prepare is repeated", async || {
        shop.prepared.load(Ordering::SeqCst) > 2
    })
    .await;
    assert_eq!(effects(&pool).await, 1);
    shop.others_are_busy.store(false, Ordering::SeqCst);
    context.events(REPORTED, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn erasure_of_a_killed_worker_is_finished_by_another() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let shop = Shop::default();
    remember(&pool, ADA).await;
    shop.dies_while_erasing.store(true, Ordering::SeqCst);
    let running = context.run(shop_service(&pool, &shop)).await;
    request(&context, "r1").await;
    eventually("the erasure has started", async || {
        shop.prepared.load(Ordering::SeqCst) > 0
    })
    .await;
    context.kill(running).await;
    assert_eq!((effects(&pool).await, jobs(&pool).await), (1, 1));

    shop.dies_while_erasing.store(false, Ordering::SeqCst);
    run_jobs_now(&pool).await;
    context.run(shop_service(&pool, &shop)).await;
    // The same request under another event id.
    request(&context, "r2").await;
    context.events(REPORTED, 1).await;
    assert_eq!(effects(&pool).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn report_waits_for_unpublished_events_of_the_member() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let shop = Shop::default();
    shop.others_are_busy.store(true, Ordering::SeqCst);
    context.run(shop_service(&pool, &shop)).await;
    request(&context, "r1").await;
    eventually("the job exists", async || jobs(&pool).await == 1).await;
    context.stop_nats();
    append(&context, &pool, ADA, ADA).await;
    let before = shop.prepared.load(Ordering::SeqCst);
    shop.others_are_busy.store(false, Ordering::SeqCst);
    eventually("the erasure was attempted", async || {
        shop.prepared.load(Ordering::SeqCst) > before + 1
    })
    .await;
    assert_eq!(jobs(&pool).await, 1);
    context.start_nats();
    context.events(REPORTED, 1).await;
    assert_eq!(outbox_of(&pool, ADA).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn tombstone_waits_for_open_transactions() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let mut storing = kit::database::begin(&pool).await.unwrap();
    assert!(!is_tombstoned(&mut storing, &[ADA.to_owned()]).await.unwrap());
    context.run(shop_service(&pool, &Shop::default())).await;
    request(&context, "r1").await;
    eventually("the erasure waits for the lock", async || {
        let waiting = "select count(*) from pg_locks
                        where locktype = 'advisory' and not granted
                          and database = (select oid from pg_database where datname = current_database())";
        sqlx::query_scalar::<_, i64>(waiting)
            .fetch_one(&pool)
            .await
            .unwrap()
            > 0
    })
    .await;
    assert_eq!(jobs(&pool).await, 0, "the tombstone did not wait");
    sqlx::query("insert into effect (event_id, campaign) values ('late', $1)")
        .bind(ADA)
        .execute(&mut *storing)
        .await
        .unwrap();
    storing.commit().await.unwrap();
    context.events(REPORTED, 1).await;
    assert_eq!(effects(&pool).await, 0);
}

/// Each service erases by a pass of its own, at the same time: one deletes the messages another still waits for.
#[tokio::test(flavor = "multi_thread")]
async fn passes_over_the_stream_at_the_same_time_all_end() {
    const AT_MOST: Duration = Duration::from_secs(4);
    let host = TestHost::start().await;
    for round in 0..20 {
        for number in 0..10 {
            let id = format!("{round}-{number}");
            publish_without_dedupe(&host, &event(&host, &id, ADA)).await;
        }
        let bus = host.context().bus.clone();
        let is_ada = |event: &CloudEvent| event.data["campaign"] == ADA;
        let passes = (0..4).map(|_| tokio::time::timeout(AT_MOST, bus.delete_matching(is_ada)));
        for pass in futures::future::join_all(passes).await {
            pass.expect("the pass ends").unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matching_messages_are_deleted_from_the_stream() {
    let context = TestHost::start().await;
    for (id, campaign) in [("1", ADA), ("2", GRACE), ("3", ADA), ("4", GRACE)] {
        publish_without_dedupe(&context, &event(&context, id, campaign)).await;
    }
    publish_raw(&context, b"{ not json".to_vec()).await;
    let is_ada = |event: &CloudEvent| event.data["campaign"] == ADA;
    let bus = context.context().bus.clone();
    assert_eq!(bus.delete_matching(is_ada).await.unwrap(), 2);
    assert_eq!(bus.delete_matching(is_ada).await.unwrap(), 0);
    let mut stream = async_nats::jetstream::new(bus.client().clone())
        .get_stream(kit::bus::STREAM)
        .await
        .unwrap();
    assert_eq!(stream.info().await.unwrap().state.messages, 3);
}

async fn outbox_of(pool: &Pool, key: &str) -> i64 {
    sqlx::query_scalar("select count(*) from outbox where key = $1")
        .bind(key)
        .fetch_one(pool)
        .await
        .unwrap()
}
