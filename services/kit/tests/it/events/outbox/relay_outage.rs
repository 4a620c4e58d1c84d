//! The relay when the stream is unavailable or refuses an event.

use kit::testing::TestHost;

use crate::support::*;

#[tokio::test(flavor = "multi_thread")]
async fn events_are_published_after_a_nats_outage() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;
    append(&context, &pool, "a", 1).await;
    context.events("stillpoint.>", 1).await;

    context.stop_nats();
    for number in 2..=5 {
        append(&context, &pool, "a", number).await;
    }
    context.rounds("relay", 1).await;
    assert_eq!(unpublished(&pool).await, 4, "an unknown outcome is not a success");

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
async fn refused_event_blocks_only_its_key() {
    const TOO_LARGE: usize = 2 * 1024 * 1024;
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;

    append(&context, &pool, "large", "x".repeat(TOO_LARGE)).await;
    append(&context, &pool, "large", "behind").await;
    append(&context, &pool, "small", "free").await;

    let events = context.events("stillpoint.>", 1).await;
    assert_eq!(events[0].data["campaign"], "free");
    eventually("the refusal is stored", async || {
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
async fn relay_takes_over_when_the_leader_is_gone() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    // A connection with the advisory lock acts as another leader.
    let mut other = pool.acquire().await.unwrap().detach();
    sqlx::query("select pg_advisory_lock(hashtextextended('outbox_shop', 0))")
        .execute(&mut other)
        .await
        .unwrap();
    context.run(relay_service(&pool)).await;
    append(&context, &pool, "a", 1).await;
    append(&context, &pool, "b", 2).await;
    context.rounds("relay", 1).await;
    assert_eq!(unpublished(&pool).await, 2);

    drop(other);

    context.events("stillpoint.>", 2).await;
    eventually("the rows are marked", async || unpublished(&pool).await == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_killed_relay_are_published_by_another() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    append(&context, &pool, "a", 1).await;
    // The state left by a relay killed while a refused row waits.
    sqlx::query("update outbox set claimed_until = clock_timestamp() + interval '1 second'")
        .execute(&pool)
        .await
        .unwrap();

    context.run(relay_service(&pool)).await;

    context.events("stillpoint.>", 1).await;
    eventually("the row is marked", async || unpublished(&pool).await == 0).await;
}
