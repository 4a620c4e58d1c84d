//! One effect per key: repeats, other bodies, concurrent submits and crashed attempts.

use chrono::TimeDelta;
use kit::clock::Clock;
use kit::database::Pool;
use kit::idempotency::{self, Begin, Key, fingerprint};
use kit::testing::TestHost;
use proto::events::v1::CampaignPublished;

use crate::support::*;

fn key(body: &str) -> Key {
    let request = CampaignPublished {
        campaign: body.to_owned(),
    };
    Key {
        scope: "usr_1/create".to_owned(),
        key: "k1".to_owned(),
        fingerprint: fingerprint(&request),
    }
}

async fn begin(pool: &Pool, clock: &Clock, key: &Key) -> Begin {
    idempotency::begin(&mut pool.acquire().await.unwrap(), clock, key)
        .await
        .unwrap()
}

async fn finish(pool: &Pool, clock: &Clock, key: &Key, response: &[u8]) {
    idempotency::finish(&mut pool.acquire().await.unwrap(), clock, key, response)
        .await
        .unwrap();
}

#[tokio::test]
async fn repeat_returns_the_first_response() {
    let context = TestHost::start().await;
    let (pool, clock) = (open_shop(&context).await, context.clock());
    assert_eq!(begin(&pool, clock, &key("a")).await, Begin::Fresh);
    assert_eq!(begin(&pool, clock, &key("a")).await, Begin::InProgress);
    finish(&pool, clock, &key("a"), b"first").await;
    finish(&pool, clock, &key("a"), b"second").await;
    assert_eq!(
        begin(&pool, clock, &key("a")).await,
        Begin::Replay(b"first".to_vec())
    );
    context.clock().advance(TimeDelta::days(2));
    assert_eq!(
        begin(&pool, clock, &key("a")).await,
        Begin::Replay(b"first".to_vec())
    );
}

#[tokio::test]
async fn same_key_with_another_body_is_a_conflict() {
    let context = TestHost::start().await;
    let (pool, clock) = (open_shop(&context).await, context.clock());
    begin(&pool, clock, &key("a")).await;
    assert_eq!(begin(&pool, clock, &key("b")).await, Begin::OtherBody);
    finish(&pool, clock, &key("a"), b"done").await;
    assert_eq!(begin(&pool, clock, &key("b")).await, Begin::OtherBody);
    let other_actor = Key {
        scope: "usr_2/create".to_owned(),
        ..key("b")
    };
    assert_eq!(begin(&pool, clock, &other_actor).await, Begin::Fresh);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_calls_continues() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let at_once = async |pool: &Pool| {
        let tries = (0..8).map(|_| {
            let (pool, clock) = (pool.clone(), context.clock().clone());
            tokio::spawn(async move { begin(&pool, &clock, &key("a")).await })
        });
        let outcomes = futures::future::join_all(tries).await;
        outcomes
            .into_iter()
            .map(Result::unwrap)
            .filter(|begin| *begin != Begin::InProgress)
            .collect::<Vec<_>>()
    };
    assert_eq!(at_once(&pool).await, [Begin::Fresh]);
    context.clock().advance(TimeDelta::minutes(1));
    assert_eq!(
        at_once(&pool).await,
        [Begin::Resumed],
        "one call takes over the crashed attempt"
    );
}

#[tokio::test]
async fn released_key_is_reusable_and_a_finished_one_is_not() {
    let context = TestHost::start().await;
    let (pool, clock) = (open_shop(&context).await, context.clock());
    let mut connection = pool.acquire().await.unwrap();
    begin(&pool, clock, &key("a")).await;
    idempotency::release(&mut connection, &key("a")).await.unwrap();
    assert_eq!(begin(&pool, clock, &key("b")).await, Begin::Fresh);
    finish(&pool, clock, &key("b"), b"done").await;
    idempotency::release(&mut connection, &key("b")).await.unwrap();
    assert_eq!(
        begin(&pool, clock, &key("b")).await,
        Begin::Replay(b"done".to_vec())
    );
}
