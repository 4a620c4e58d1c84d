//! A service erases somebody, whatever fails on the way, and nothing that comes late brings them back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::consumer::Spec;
use kit::database::Pool;
use kit::erasure::{self, Erased, Eraser, Job, Prepared, Report, is_barred};
use kit::run::{Part, Service};
use kit::testing::TestHost;
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
impl Eraser for Shop {
    async fn prepare(&self, _job: &Job) -> anyhow::Result<Prepared> {
        self.prepared.fetch_add(1, Ordering::SeqCst);
        anyhow::ensure!(!self.provider_is_down.load(Ordering::SeqCst), "nobody answers");
        Ok(if self.others_are_busy.load(Ordering::SeqCst) {
            Prepared::NotYet
        } else {
            Prepared::Ready
        })
    }

    async fn erase(&self, tx: &mut PgConnection, job: &Job) -> anyhow::Result<Erased> {
        sqlx::query("delete from effect where campaign = $1")
            .bind(&job.user_id)
            .execute(tx)
            .await?;
        if self.dies_while_erasing.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        Ok(Erased {
            marks: vec![ORDER.to_owned()],
            kept: vec!["bookkeeping".to_owned()],
        })
    }
}

fn part(pool: &Pool, shop: &Shop) -> Part {
    let (pool, shop) = (pool.clone(), shop.clone());
    simple_part("shop", move |host| {
        let spec = Spec {
            name: "shop-erasure",
            subjects: &[erasure::REQUESTED],
            max_attempts: 3,
        };
        let report = Report {
            service: "shop",
            subject: Some(REPORTED),
        };
        let service = Service::new()
            .task(host.relay("shop", pool.clone()))
            .task(host.consume(spec, pool.clone(), erasure::Requests(host.clock.clone())))
            .task(host.erase(report, pool.clone(), shop.clone()));
        async move { Ok(service) }
    })
}

async fn remember(pool: &Pool, user_id: &str) {
    sqlx::query("insert into effect (event_id, campaign) values ('e', $1)")
        .bind(user_id)
        .execute(pool)
        .await
        .unwrap();
}

async fn request(host: &TestHost, id: &str) {
    let data = json!({"erasureId": "ers_1", "userId": ADA, "services": ["shop"]});
    let event = CloudEvent::new(id.to_owned(), erasure::REQUESTED, host.clock().now(), data);
    eventually("the stream takes it", async || {
        host.host().bus.publish(&event).await.is_ok()
    })
    .await;
}

async fn jobs(pool: &Pool) -> i64 {
    sqlx::query_scalar("select count(*) from erasure_job")
        .fetch_one(pool)
        .await
        .unwrap()
}

async fn hurry(pool: &Pool) {
    sqlx::query("update erasure_job set next_attempt_at = now()")
        .execute(pool)
        .await
        .unwrap();
}

async fn barred(pool: &Pool, mark: &str) -> bool {
    let mut tx = pool.begin().await.unwrap();
    is_barred(&mut tx, &[mark.to_owned()]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn member_is_erased_reported_and_barred() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    remember(&pool, ADA).await;
    remember(&pool, GRACE).await;
    host.run(part(&pool, &Shop::default())).await;
    request(&host, "r1").await;
    let report = &host.events(REPORTED, 1).await[0];
    assert_eq!(
        report.data,
        json!({"erasureId": "ers_1", "service": "shop", "kept": ["bookkeeping"]})
    );
    assert_eq!(effects(&pool).await, 1);
    assert_eq!(jobs(&pool).await, 0);
    assert!(barred(&pool, ADA).await && barred(&pool, ORDER).await);
    assert!(!barred(&pool, GRACE).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_kit_keeps_of_them_goes_and_of_others_stays() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    host.run(part(&pool, &Shop::default())).await;
    for user_id in [ADA, GRACE, ORDER] {
        append(&host, &pool, user_id, user_id).await;
    }
    eventually("all is told", async || unpublished(&pool).await == 0).await;
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
         ($1 || '/buy', 'k', sha256('x'), null, now(), now()), ('anybody', 'k1', sha256('x'), convert_to($1, 'UTF8'), now(), now()),
         ('anybody', 'k2', sha256('x'), decode(right($3, 32), 'hex'), now(), now()), ($2 || '/buy', 'k', sha256('x'), null, now(), now())",
    )
    .bind(ADA)
    .bind(GRACE)
    .bind(ORDER)
    .execute(&pool)
    .await
    .unwrap();

    request(&host, "r1").await;
    host.events(REPORTED, 1).await;
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
async fn provider_that_is_down_is_asked_until_it_answers() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let shop = Shop::default();
    remember(&pool, ADA).await;
    shop.provider_is_down.store(true, Ordering::SeqCst);
    host.run(part(&pool, &shop)).await;
    request(&host, "r1").await;
    eventually("it is asked again", async || {
        shop.prepared.load(Ordering::SeqCst) > 1
    })
    .await;
    assert_eq!((effects(&pool).await, jobs(&pool).await), (1, 1));
    shop.provider_is_down.store(false, Ordering::SeqCst);
    hurry(&pool).await;
    host.events(REPORTED, 1).await;
    assert_eq!(effects(&pool).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_must_be_last_waits() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let shop = Shop::default();
    remember(&pool, ADA).await;
    shop.others_are_busy.store(true, Ordering::SeqCst);
    host.run(part(&pool, &shop)).await;
    request(&host, "r1").await;
    eventually("it looks again", async || {
        shop.prepared.load(Ordering::SeqCst) > 2
    })
    .await;
    assert_eq!(effects(&pool).await, 1);
    shop.others_are_busy.store(false, Ordering::SeqCst);
    host.events(REPORTED, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_in_the_middle_it_is_done_by_the_next() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let shop = Shop::default();
    remember(&pool, ADA).await;
    shop.dies_while_erasing.store(true, Ordering::SeqCst);
    let running = host.run(part(&pool, &shop)).await;
    request(&host, "r1").await;
    eventually("it has begun", async || shop.prepared.load(Ordering::SeqCst) > 0).await;
    host.kill(running).await;
    assert_eq!((effects(&pool).await, jobs(&pool).await), (1, 1));

    shop.dies_while_erasing.store(false, Ordering::SeqCst);
    hurry(&pool).await;
    host.run(part(&pool, &shop)).await;
    // The same request, delivered once more under another id.
    request(&host, "r2").await;
    host.events(REPORTED, 1).await;
    assert_eq!(effects(&pool).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_reported_while_an_event_of_theirs_is_on_its_way() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let shop = Shop::default();
    shop.others_are_busy.store(true, Ordering::SeqCst);
    host.run(part(&pool, &shop)).await;
    request(&host, "r1").await;
    eventually("the job is there", async || jobs(&pool).await == 1).await;
    host.stop_nats();
    append(&host, &pool, ADA, ADA).await;
    let before = shop.prepared.load(Ordering::SeqCst);
    shop.others_are_busy.store(false, Ordering::SeqCst);
    eventually("it was tried", async || {
        shop.prepared.load(Ordering::SeqCst) > before + 1
    })
    .await;
    assert_eq!(jobs(&pool).await, 1);
    host.start_nats();
    host.events(REPORTED, 1).await;
    assert_eq!(outbox_of(&pool, ADA).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_storing_right_now_is_waited_for() {
    let host = TestHost::start().await;
    let pool = open_shop(&host).await;
    let mut storing = pool.begin().await.unwrap();
    assert!(!is_barred(&mut storing, &[ADA.to_owned()]).await.unwrap());
    host.run(part(&pool, &Shop::default())).await;
    request(&host, "r1").await;
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
    assert_eq!(jobs(&pool).await, 0, "it did not wait");
    sqlx::query("insert into effect (event_id, campaign) values ('late', $1)")
        .bind(ADA)
        .execute(&mut *storing)
        .await
        .unwrap();
    storing.commit().await.unwrap();
    host.events(REPORTED, 1).await;
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
        let bus = host.host().bus.clone();
        let is_ada = |event: &CloudEvent| event.data["campaign"] == ADA;
        let passes = (0..4).map(|_| tokio::time::timeout(AT_MOST, bus.forget(is_ada)));
        for pass in futures::future::join_all(passes).await {
            pass.expect("the pass ends").unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_fit_go_from_the_stream_and_others_stay() {
    let host = TestHost::start().await;
    for (id, campaign) in [("1", ADA), ("2", GRACE), ("3", ADA), ("4", GRACE)] {
        publish_without_dedupe(&host, &event(&host, id, campaign)).await;
    }
    publish_raw(&host, b"{ not json".to_vec()).await;
    let is_ada = |event: &CloudEvent| event.data["campaign"] == ADA;
    let bus = host.host().bus.clone();
    assert_eq!(bus.forget(is_ada).await.unwrap(), 2);
    assert_eq!(bus.forget(is_ada).await.unwrap(), 0);
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
