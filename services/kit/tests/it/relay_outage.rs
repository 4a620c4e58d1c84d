//! The relay when the stream is away or says no.

use std::time::Duration;

use kit::testing::TestHost;

use crate::support::*;

#[tokio::test(flavor = "multi_thread")]
async fn events_wait_for_nats_and_leave_when_it_is_back() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_part(&pool)).await;
    append(&context, &pool, "a", 1).await;
    context.events("stillpoint.>", 1).await;

    context.stop_nats();
    for number in 2..=5 {
        append(&context, &pool, "a", number).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(unpublished(&pool).await, 4, "no answer is no success");

    context.start_nats();
    let events = context.events("stillpoint.>", 5).await;
    let campaigns: Vec<_> = events
        .iter()
        .map(|event| event.data["campaign"].as_str().unwrap())
        .collect();
    assert_eq!(campaigns, ["1", "2", "3", "4", "5"]);
    eventually("all rows are marked", async || unpublished(&pool).await == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_event_waits_with_its_key_and_holds_up_no_other() {
    const TOO_LARGE: usize = 2 * 1024 * 1024;
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_part(&pool)).await;

    append(&context, &pool, "large", "x".repeat(TOO_LARGE)).await;
    append(&context, &pool, "large", "behind").await;
    append(&context, &pool, "small", "free").await;

    let events = context.events("stillpoint.>", 1).await;
    assert_eq!(events[0].data["campaign"], "free");
    eventually("the refusal is on record", async || {
        let (attempts, error): (i32, Option<String>) =
            sqlx::query_as("select attempts, last_error from outbox order by seq limit 1")
                .fetch_one(&pool)
                .await
                .unwrap();
        attempts >= 1 && error.is_some()
    })
    .await;
    eventually("the other is marked", async || unpublished(&pool).await == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_stands_by_while_another_is_at_work_and_takes_over_when_it_is_gone() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    // All that another relay is to this one: a connection with the lock.
    let mut other = pool.acquire().await.unwrap().detach();
    sqlx::query("select pg_advisory_lock(hashtextextended('outbox_shop', 0))")
        .execute(&mut other)
        .await
        .unwrap();
    context.run(relay_part(&pool)).await;
    append(&context, &pool, "a", 1).await;
    append(&context, &pool, "b", 2).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(unpublished(&pool).await, 2);

    drop(other);

    context.events("stillpoint.>", 2).await;
    eventually("the rows are marked", async || unpublished(&pool).await == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_was_killed_leaves_its_rows_to_the_next() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    append(&context, &pool, "a", 1).await;
    // What an older relay does first, and this one when a row was refused: then it is killed.
    sqlx::query("update outbox set claimed_until = clock_timestamp() + interval '1 second'")
        .execute(&pool)
        .await
        .unwrap();

    context.run(relay_part(&pool)).await;

    context.events("stillpoint.>", 1).await;
    eventually("the row is marked", async || unpublished(&pool).await == 0).await;
}
