//! Events of a handler have the language and country of the event that it applies.

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::clock::Clock;
use kit::consumer::{Handler, HandlerError};
use kit::outbox;
use kit::testing::TestHost;
use sqlx::PgConnection;

use crate::events::consumer::consumer_service;
use crate::support::*;

/// Appends one event per event, under its id.
#[derive(Clone)]
struct FollowUp {
    clock: Clock,
}

#[async_trait]
impl Handler for FollowUp {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        outbox::append(tx, &self.clock, draft(&event.id, "follow-up")).await?;
        Ok(())
    }
}

#[tokio::test]
async fn events_of_a_handler_have_the_person_of_the_applied_event() {
    let context = TestHost::start().await;
    let pool = open_shop(&context).await;
    let follow_up = FollowUp {
        clock: context.clock().clone(),
    };
    context.run(consumer_service(&pool, &follow_up)).await;

    let known = CloudEvent {
        lang: Some("pt".to_owned()),
        country: Some("BR".to_owned()),
        ..event(&context, "known", "x")
    };
    publish_without_dedupe(&context, &known).await;
    publish_without_dedupe(&context, &event(&context, "unknown", "x")).await;
    eventually("both are applied", async || unpublished(&pool).await == 2).await;

    let people: Vec<(String, Option<String>, Option<String>)> =
        sqlx::query_as("select key, event->>'lang', event->>'country' from outbox order by key")
            .fetch_all(&pool)
            .await
            .unwrap();
    let of = |key: &str, lang: Option<&str>, country: Option<&str>| {
        (
            key.to_owned(),
            lang.map(str::to_owned),
            country.map(str::to_owned),
        )
    };
    assert_eq!(
        people,
        [of("known", Some("pt"), Some("BR")), of("unknown", None, None)]
    );
}
