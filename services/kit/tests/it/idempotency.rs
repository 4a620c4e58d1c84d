//! One effect per key: repeats, other bodies, concurrent submits, failed and crashed attempts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use kit::clock::Clock;
use kit::database::Pool;
use kit::error::{ErrorCode, Failure, Kind};
use kit::idempotency::{self, Key, Rejection, fingerprint};
use kit::testing::TestHost;
use proto::events::v1::CampaignPublished;

use crate::support::*;

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Rejected(#[from] Rejection),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error("out of stock")]
    OutOfStock,
}

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

/// `Ok(None)`: the key is claimed.
async fn claim(pool: &Pool, clock: &Clock, key: &Key) -> Result<Option<String>, Rejection> {
    let mut connection = pool.acquire().await.unwrap();
    match idempotency::claim::<String, Error>(&mut connection, clock, Some(key)).await {
        Ok(stored) => Ok(stored),
        Err(Error::Rejected(rejection)) => Err(rejection),
        Err(error) => panic!("{error}"),
    }
}

async fn store(pool: &Pool, clock: &Clock, key: &Key, response: &str) {
    let mut connection = pool.acquire().await.unwrap();
    idempotency::store(&mut connection, clock, Some(key), &response)
        .await
        .unwrap();
}

#[tokio::test]
async fn repeat_returns_the_first_response() {
    let context = TestHost::start().await;
    let (pool, clock) = (open_shop(&context).await, context.clock());
    assert_eq!(claim(&pool, clock, &key("a")).await, Ok(None));
    assert_eq!(claim(&pool, clock, &key("a")).await, Err(Rejection::InProgress));
    store(&pool, clock, &key("a"), "first").await;
    store(&pool, clock, &key("a"), "second").await;
    let first = Ok(Some("first".to_owned()));
    assert_eq!(claim(&pool, clock, &key("a")).await, first);
    context.clock().advance(TimeDelta::days(2));
    assert_eq!(claim(&pool, clock, &key("a")).await, first);
}

#[tokio::test]
async fn caller_receives_the_public_code_of_a_rejected_key() {
    let context = TestHost::start().await;
    let (pool, clock) = (open_shop(&context).await, context.clock());
    claim(&pool, clock, &key("a")).await.unwrap();
    for (body, code, retry_after) in [
        (
            "a",
            ErrorCode::IdempotencyInProgress,
            Some(Duration::from_secs(1)),
        ),
        ("b", ErrorCode::IdempotencyConflict, None),
    ] {
        let rejection = claim(&pool, clock, &key(body)).await.unwrap_err();
        let received = Failure::from_status(&Failure::from(rejection).into());
        assert_eq!(received.error_code(), Some(code));
        assert_eq!(
            (received.kind, received.retry_after),
            (Kind::Conflict, retry_after)
        );
    }
    assert_eq!(
        ErrorCode::IdempotencyInProgress.as_str_name(),
        "IDEMPOTENCY_IN_PROGRESS"
    );
}

#[tokio::test]
async fn same_key_with_another_body_is_a_conflict() {
    let context = TestHost::start().await;
    let (pool, clock) = (open_shop(&context).await, context.clock());
    claim(&pool, clock, &key("a")).await.unwrap();
    assert_eq!(claim(&pool, clock, &key("b")).await, Err(Rejection::Conflict));
    store(&pool, clock, &key("a"), "done").await;
    assert_eq!(claim(&pool, clock, &key("b")).await, Err(Rejection::Conflict));
    let other_actor = Key {
        scope: "usr_2/create".to_owned(),
        ..key("b")
    };
    assert_eq!(claim(&pool, clock, &other_actor).await, Ok(None));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_calls_continues() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let at_once = async |pool: &Pool| {
        let tries = (0..8).map(|_| {
            let (pool, clock) = (pool.clone(), context.clock().clone());
            tokio::spawn(async move { claim(&pool, &clock, &key("a")).await })
        });
        let outcomes = futures::future::join_all(tries).await;
        outcomes
            .into_iter()
            .map(Result::unwrap)
            .filter(|outcome| *outcome != Err(Rejection::InProgress))
            .collect::<Vec<_>>()
    };
    assert_eq!(at_once(&pool).await, [Ok(None)]);
    context.clock().advance(TimeDelta::minutes(1));
    assert_eq!(
        at_once(&pool).await,
        [Ok(None)],
        "one call takes over the crashed attempt"
    );
}

#[tokio::test]
async fn work_runs_once_per_key_and_a_failure_frees_the_key() {
    let context = TestHost::start().await;
    let (pool, clock, runs) = (open_shop(&context).await, context.clock(), AtomicUsize::new(0));
    let execute = async |key: Option<&Key>, is_in_stock: bool| {
        idempotency::execute(&pool, clock, key, async |connection| {
            let run = runs.fetch_add(1, Ordering::SeqCst);
            sqlx::query("select 1").execute(connection).await?;
            if is_in_stock {
                Ok(run)
            } else {
                Err(Error::OutOfStock)
            }
        })
        .await
    };
    let failed = execute(Some(&key("a")), false).await;
    assert!(matches!(failed, Err(Error::OutOfStock)), "{failed:?}");
    assert_eq!(execute(Some(&key("b")), true).await.unwrap(), 1);
    assert_eq!(execute(Some(&key("b")), true).await.unwrap(), 1);
    let other_body = execute(Some(&key("a")), true).await;
    assert!(matches!(other_body, Err(Error::Rejected(Rejection::Conflict))));
    assert_eq!(execute(None, true).await.unwrap(), 2);
    assert_eq!(execute(None, true).await.unwrap(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_executions_of_a_key_share_one_response() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let calls = (0..4).map(|number| {
        let (pool, clock) = (pool.clone(), context.clock().clone());
        tokio::spawn(async move {
            let work = async |_: &mut sqlx::PgConnection| Ok::<_, Error>(number);
            idempotency::execute(&pool, &clock, Some(&key("a")), work).await
        })
    });
    let responses = futures::future::join_all(calls).await;
    let mut responses: Vec<usize> = responses.into_iter().map(|it| it.unwrap().unwrap()).collect();
    responses.dedup();
    assert_eq!(responses.len(), 1, "{responses:?}");
}
