//! One analytics service per test, and shorthands for its calls.
use std::str::FromStr;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use chrono::{DateTime, Utc};
use kit::bus::{CloudEvent, STREAM};
use kit::error::Failure;
use kit::rpc::Rpc;
use kit::testing::{Running, TestHost};
use proto::analytics::v1::analytics_service_client::AnalyticsServiceClient;
use proto::analytics::v1::{RecordWebEventsRequest, SummarizeRequest, WebEvent};
use serde_json::json;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

pub const ACTIVATED: &str = "stillpoint.checkout.subscription.activated";

pub struct Analytics {
    pub test: TestHost,
    running: Running,
    client: AnalyticsServiceClient<Rpc>,
    pool: PgPool,
}

impl Analytics {
    pub async fn start() -> Self {
        Self::run(TestHost::start_for(&[analytics::definition()]).await).await
    }

    pub async fn run(test: TestHost) -> Self {
        let running = test.run(analytics::definition()).await;
        let client = AnalyticsServiceClient::new(test.context().directory.client("analytics"));
        let options = PgConnectOptions::from_str(test.database_url()).unwrap();
        let pool = PgPool::connect_lazy_with(options.options([("search_path", "analytics")]));
        Self {
            test,
            running,
            client,
            pool,
        }
    }

    /// Kills the service and returns its database and stream.
    pub async fn kill(self) -> TestHost {
        self.test.kill(self.running).await;
        self.test
    }

    pub fn client(&self) -> AnalyticsServiceClient<Rpc> {
        self.client.clone()
    }

    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub async fn record(&self, events: Vec<WebEvent>) -> Result<i32, Failure> {
        let request = RecordWebEventsRequest {
            events,
            lang: "tr".to_owned(),
            country: "TR".to_owned(),
        };
        let response = self.client.clone().record_web_events(request).await;
        response
            .map(|response| response.into_inner().accepted)
            .map_err(|status| Failure::from_status(&status))
    }

    pub async fn summary(&self, days: i32) -> Result<Vec<(String, String, i64)>, Failure> {
        let response = self.client.clone().summarize(SummarizeRequest { days }).await;
        let counts = response
            .map_err(|status| Failure::from_status(&status))?
            .into_inner()
            .counts;
        Ok(counts
            .into_iter()
            .map(|count| (count.day, count.event, count.count))
            .collect())
    }

    pub async fn publish(&self, event: &CloudEvent) {
        self.test.context().bus.publish(event).await.unwrap();
    }

    /// Without a message id, so that the stream does not deduplicate and only the inbox does.
    pub async fn publish_unchecked(&self, subject: &str, payload: Vec<u8>) {
        let jetstream = async_nats::jetstream::new(self.test.context().bus.client().clone());
        jetstream
            .publish(subject.to_owned(), payload.into())
            .await
            .unwrap()
            .await
            .unwrap();
    }

    /// Waits until the query counts `expected`, then checks that it does so after all events of the stream are applied.
    pub async fn wait_until_count(&self, query: &'static str, expected: i64) {
        let mut found = -1;
        for _ in 0..200 {
            found = self.count(query).await;
            if found == expected {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.test.consumed(&["analytics", "analytics-erasure"]).await;
        assert_eq!((found, self.count(query).await), (expected, expected), "{query}");
    }

    /// Waits until the stream has redelivered a message.
    pub async fn wait_for_redelivery(&self) {
        let jetstream = async_nats::jetstream::new(self.test.context().bus.client().clone());
        let mut durable: PullConsumer = jetstream
            .get_consumer_from_stream("analytics", STREAM)
            .await
            .unwrap();
        while durable.info().await.unwrap().num_redelivered == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.pool).await.unwrap()
    }
}

pub fn activated(id: &str, at: &str) -> CloudEvent {
    CloudEvent::new(
        id.to_owned(),
        ACTIVATED,
        time(at),
        json!({"subscriptionId": id, "trialDays": 7}),
    )
}

pub fn web_event(n: u32, name: &str) -> WebEvent {
    WebEvent {
        event_id: format!("0193a1b2-0000-7000-8000-{n:012}"),
        name: name.to_owned(),
        fields: [("page_type".to_owned(), "Home".to_owned())].into(),
        occurred_at: None,
    }
}

pub fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}
