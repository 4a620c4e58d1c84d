//! Subscription schedules: what runs stays, what follows follows, and nothing is changed beside them.

use serde_json::Value;

use crate::support::{Fixture, text};

struct Scheduled {
    fixture: Fixture,
    subscription: Value,
    schedule: String,
}

async fn price(fixture: &Fixture, amount: &str, interval: &str) -> String {
    let form = [
        ("currency", "usd"),
        ("unit_amount", amount),
        ("recurring[interval]", interval),
        ("product_data[name]", "Stillpoint"),
    ];
    text(&fixture.stripe.post("/v1/prices", &form).await.ok()["id"])
}

#[derive(PartialEq, Eq)]
enum CardOf {
    Schedule,
    Subscription,
}

/// A subscription of thirty days, then of weeks for 300.
async fn scheduled(card_of: CardOf) -> Scheduled {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4242424242424242", &[]).await.ok();
    let id = text(&subscription["id"]);
    let made = fixture
        .stripe
        .post("/v1/subscription_schedules", &[("from_subscription", &id)])
        .await
        .ok();
    let item = &subscription["items"]["data"][0];
    assert_eq!(made["current_phase"]["end_date"], item["current_period_end"]);
    let schedule = text(&made["id"]);
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["schedule"],
        schedule.as_str()
    );

    let weekly = price(&fixture, "300", "week").await;
    let current = text(&item["price"]["id"]);
    let (start, end) = (
        made["current_phase"]["start_date"].to_string(),
        made["current_phase"]["end_date"].to_string(),
    );
    let mut form = vec![
        ("end_behavior", "release"),
        ("phases[0][items][0][price]", current.as_str()),
        ("phases[0][start_date]", &start),
        ("phases[0][end_date]", &end),
        ("phases[1][items][0][price]", &weekly),
        ("phases[1][duration][interval]", "week"),
        ("phases[1][proration_behavior]", "none"),
    ];
    let card = text(&subscription["default_payment_method"]);
    if card_of == CardOf::Schedule {
        form.push(("default_settings[default_payment_method]", &card));
    }
    let path = format!("/v1/subscription_schedules/{schedule}");
    let changed = fixture.stripe.post(&path, &form).await.ok();
    assert_eq!(changed["phases"].as_array().unwrap().len(), 2);
    Scheduled {
        fixture,
        subscription,
        schedule,
    }
}

impl Scheduled {
    async fn now(&self) -> Value {
        self.fixture.subscription(&self.subscription["id"]).await
    }

    async fn charged(&self) -> Vec<i64> {
        let path = format!("/v1/invoices?subscription={}", text(&self.subscription["id"]));
        let list = self.fixture.stripe.get(&path).await.ok();
        let invoices = list["data"].as_array().unwrap().iter().rev();
        invoices
            .map(|invoice| invoice["amount_paid"].as_i64().unwrap())
            .collect()
    }
}

#[tokio::test]
async fn a_phase_starts_with_its_period_and_the_last_is_released() {
    let sold = scheduled(CardOf::Schedule).await;
    sold.fixture.days(29).await;
    assert_eq!(sold.charged().await, [1200]);
    sold.fixture.days(2).await;
    assert_eq!(sold.charged().await, [1200, 300]);
    let now = sold.now().await;
    assert_eq!(now["schedule"], sold.schedule.as_str());
    let item = &now["items"]["data"][0];
    let length =
        item["current_period_end"].as_i64().unwrap() - item["current_period_start"].as_i64().unwrap();
    assert_eq!(length, 7 * 86_400);
    sold.fixture.days(7).await;
    assert_eq!(sold.charged().await, [1200, 300, 300]);
    assert!(sold.now().await["schedule"].is_null());
    let path = format!("/v1/subscription_schedules/{}", sold.schedule);
    assert_eq!(sold.fixture.stripe.get(&path).await.ok()["status"], "released");
}

#[tokio::test]
async fn a_phase_without_a_card_charges_the_customers_own() {
    let sold = scheduled(CardOf::Subscription).await;
    sold.fixture.days(31).await;
    assert!(sold.now().await["default_payment_method"].is_null());
    assert_eq!(sold.charged().await, [1200, 0]);
}

#[tokio::test]
async fn what_is_released_goes_on_as_it_was() {
    let sold = scheduled(CardOf::Schedule).await;
    let path = format!("/v1/subscription_schedules/{}/release", sold.schedule);
    let released = sold.fixture.stripe.post(&path, &[]).await.ok();
    assert_eq!(released["status"], "released");
    assert_eq!(released["released_subscription"], sold.subscription["id"]);
    assert_eq!(sold.fixture.stripe.post(&path, &[]).await.status, 400);
    sold.fixture.days(31).await;
    assert_eq!(sold.charged().await, [1200, 1200]);
}

#[tokio::test]
async fn what_a_schedule_manages_is_not_changed_beside_it() {
    let sold = scheduled(CardOf::Schedule).await;
    let path = format!("/v1/subscriptions/{}", text(&sold.subscription["id"]));
    let cancelling = [("cancel_at_period_end", "true")];
    assert_eq!(sold.fixture.stripe.post(&path, &cancelling).await.status, 400);
    let again = [("from_subscription", sold.subscription["id"].as_str().unwrap())];
    let second = sold
        .fixture
        .stripe
        .post("/v1/subscription_schedules", &again)
        .await;
    assert_eq!(second.status, 400);
    sold.fixture.stripe.delete(&path).await.ok();
    let schedule = format!("/v1/subscription_schedules/{}", sold.schedule);
    let schedule = sold.fixture.stripe.get(&schedule).await.ok();
    assert_eq!(schedule["status"], "canceled");
}
