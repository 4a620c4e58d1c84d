//! Outbox events are published once, in order, and only after their transaction commits.
mod relay_outage;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures::StreamExt;
use kit::bus::CloudEvent;
use kit::outbox;
use kit::requester::{self, Requester};
use kit::testing::TestHost;
use proto::events::v1::CampaignPublished;

use crate::support::*;

/// Receives every published message, also those that the stream drops as duplicates.
async fn subscribe_to_all(context: &TestHost) -> async_nats::Subscriber {
    let client = context.context().bus.client().clone();
    let subscriber = client.subscribe("stillpoint.>").await.unwrap();
    client.flush().await.unwrap();
    subscriber
}

async fn receive(subscriber: &mut async_nats::Subscriber, n: usize) -> Vec<CloudEvent> {
    let mut received = Vec::new();
    while received.len() < n {
        let message = tokio::time::timeout(Duration::from_mins(1), subscriber.next()).await;
        let message = message.expect("another event").expect("an open subscription");
        received.push(CloudEvent::from_json(&message.payload).unwrap());
    }
    received
}

fn campaign(event: &CloudEvent) -> usize {
    let message: CampaignPublished = event.decode().unwrap();
    message.campaign.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_relays_publish_each_row_once_and_in_order_per_key() {
    const KEYS: usize = 8;
    const PER_KEY: usize = 12;
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let mut everything = subscribe_to_all(&context).await;

    context.run(relay_service(&pool)).await;
    context.run(relay_service(&pool)).await;
    let mut written = BTreeSet::new();
    for number in 0..PER_KEY {
        for key in 0..KEYS {
            written.insert(append(&context, &pool, &format!("key-{key}"), number).await);
        }
    }

    let received = receive(&mut everything, KEYS * PER_KEY).await;
    eventually("all rows are marked", async || unpublished(&pool).await == 0).await;
    let ids: BTreeSet<_> = received.iter().map(|event| event.id.clone()).collect();
    assert_eq!(ids, written, "each row exactly once");
    let mut by_key: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for event in &received {
        by_key
            .entry(event.subject.clone().unwrap())
            .or_default()
            .push(campaign(event));
    }
    for (key, numbers) in by_key {
        assert_eq!(numbers, (0..PER_KEY).collect::<Vec<_>>(), "{key}");
    }
    context.rounds("relay", 1).await;
    let last = append(&context, &pool, "last", 0).await;
    assert_eq!(
        receive(&mut everything, 1).await[0].id,
        last,
        "nothing is published twice"
    );
}

#[tokio::test]
async fn event_has_its_requesters_language_and_country_until_others_are_set() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;

    let visitor = Requester::new("tr", "TR");
    requester::scope(visitor.clone(), append(&context, &pool, "a", 1)).await;
    append(&context, &pool, "a", 2).await;
    let events = context.events("stillpoint.>", 2).await;
    assert_eq!(person(&events[0]), (Some("tr"), Some("TR")));
    assert_eq!(person(&events[1]), (None, None), "no person caused it");

    let concerned = async |lang: &str, country: &str| {
        let drafting = async { draft("a", 3).lang(lang).country(country) };
        let draft = requester::scope(visitor.clone(), drafting).await;
        draft.into_event(context.clock())
    };
    assert_eq!(person(&concerned("de", "AT").await), (Some("de"), Some("AT")));
    assert_eq!(person(&concerned("", "").await), (Some("tr"), Some("TR")));
}

fn person(event: &CloudEvent) -> (Option<&str>, Option<&str>) {
    (event.lang.as_deref(), event.country.as_deref())
}

#[tokio::test]
async fn rolled_back_event_is_never_published() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;

    let mut tx = kit::database::begin(&pool).await.unwrap();
    outbox::append(&mut tx, context.clock(), draft("a", 1))
        .await
        .unwrap();
    tx.rollback().await.unwrap();
    let published = append(&context, &pool, "a", 2).await;

    let events = context.events("stillpoint.>", 1).await;
    assert_eq!(events[0].id, published);
}

#[tokio::test]
async fn append_all_publishes_all_events_or_none() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;

    let mut tx = kit::database::begin(&pool).await.unwrap();
    let given_up: Vec<_> = (0..3)
        .map(|number| draft("a", number).into_event(context.clock()))
        .collect();
    outbox::append_all(&mut tx, &given_up).await.unwrap();
    tx.rollback().await.unwrap();
    let mut tx = kit::database::begin(&pool).await.unwrap();
    let appended: Vec<_> = (10..60)
        .map(|number| draft(&format!("key-{number}"), number).into_event(context.clock()))
        .collect();
    outbox::append_all(&mut tx, &appended).await.unwrap();
    tx.commit().await.unwrap();

    let events = context.events("stillpoint.>", 50).await;
    let published: BTreeSet<usize> = events.iter().map(campaign).collect();
    assert_eq!(published, (10..60).collect());
    let ids = |events: &[CloudEvent]| {
        events
            .iter()
            .map(|event| event.id.clone())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(ids(&events), ids(&appended), "each keeps its id");
}

#[tokio::test(flavor = "multi_thread")]
async fn large_backlog_after_idle_time_is_published() {
    const FLOOD: i32 = 20_000;
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;
    // The planner's statistics have no unpublished rows, and the cached plan is based on them.
    for number in 0..8 {
        append(&context, &pool, "a", number).await;
        eventually("all is published", async || unpublished(&pool).await == 0).await;
        sqlx::query("analyze outbox").execute(&pool).await.unwrap();
    }
    append(&context, &pool, "a", 8).await;
    eventually("all is published", async || unpublished(&pool).await == 0).await;

    sqlx::query(
        "insert into outbox (id, key, event, created_at)
         select gen_random_uuid(), gen_random_uuid()::text, event, created_at
         from (select * from outbox limit 1) as published, generate_series(1, $1)",
    )
    .bind(FLOOD)
    .execute(&pool)
    .await
    .unwrap();
    let published = tokio::time::timeout(Duration::from_mins(1), async {
        while unpublished(&pool).await > 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    assert!(published.await.is_ok(), "{} still wait", unpublished(&pool).await);
}

#[tokio::test]
async fn event_has_its_envelope() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;

    let mut tx = kit::database::begin(&pool).await.unwrap();
    let id = outbox::append(
        &mut tx,
        context.clock(),
        draft("web-annual", "x").lang("tr").country(""),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();

    let event = context.events(SUBJECT, 1).await.remove(0);
    assert_eq!(event.id, id.to_string());
    assert_eq!(event.r#type, SUBJECT);
    assert_eq!(event.source, "/stillpoint/shop");
    assert_eq!(event.subject.as_deref(), Some("web-annual"));
    assert_eq!(event.time, context.clock().now());
    assert_eq!(
        (event.lang.as_deref(), event.country.as_deref()),
        (Some("tr"), None)
    );
    assert_eq!(event.data, serde_json::json!({ "campaign": "x" }));
}

#[tokio::test]
async fn replay_publishes_under_the_same_ids() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    context.run(relay_service(&pool)).await;
    append(&context, &pool, "old", 1).await;
    context.clock().advance(chrono::TimeDelta::hours(1));
    let since = context.clock().now();
    let ids = [
        append(&context, &pool, "a", 2).await,
        append(&context, &pool, "a", 3).await,
    ];
    eventually("all is published", async || unpublished(&pool).await == 0).await;

    let mut everything = subscribe_to_all(&context).await;
    assert_eq!(outbox::replay(&pool, since).await.unwrap(), 2);

    let received = receive(&mut everything, 2).await;
    assert_eq!(
        received.iter().map(|event| event.id.as_str()).collect::<Vec<_>>(),
        ids
    );
    assert_eq!(
        context.events("stillpoint.>", 3).await.len(),
        3,
        "the stream drops duplicates"
    );
}

#[tokio::test]
async fn purge_deletes_only_rows_past_their_retention() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    for age_days in [1, 9] {
        let id = append(&context, &pool, "a", age_days).await;
        sqlx::query("update outbox set published_at = now() - make_interval(days => $1) where id::text = $2")
            .bind(age_days)
            .bind(id)
            .execute(&pool)
            .await
            .unwrap();
    }
    sqlx::query(
        "insert into inbox (consumer, event_id, applied_at)
         values ('a', 'recent', now() - interval '44 days'), ('a', 'ancient', now() - interval '46 days')",
    )
    .execute(&pool)
    .await
    .unwrap();

    context.run(relay_service(&pool)).await;

    let left = async || -> (Vec<String>, Vec<String>) {
        sqlx::query_as(
            "select (select array_agg(event->'data'->>'campaign') from outbox), (select array_agg(event_id) from inbox)",
        )
        .fetch_one(&pool)
        .await
        .unwrap()
    };
    eventually("the old rows are gone", async || {
        left().await == (vec!["1".to_owned()], vec!["recent".to_owned()])
    })
    .await;
}
