//! A free trial as its member reads of it: from the form to the reminder and the receipt in their mailbox.
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::RequestBuilder;
use sandbox::mail::Mail;
use serde_json::{Value, json};

use crate::house::body_of;
use crate::leaving::World;
use crate::leaving::member::card;

const EMAIL: &str = "ada@example.com";
const REMINDER: &str = "Your free trial ends on ";
const RECEIPT: &str = "Your receipt";

/// Somebody on the first day of a free week.
struct Trying {
    world: World,
    session: String,
    subscription: String,
    ends: DateTime<Utc>,
}

impl Trying {
    async fn begin() -> Self {
        let world = World::start().await;
        let session = world.house.register(EMAIL).await.session;
        let mut trying = Self {
            world,
            session,
            subscription: String::new(),
            ends: DateTime::UNIX_EPOCH,
        };
        trying.subscribe().await;
        trying
    }

    async fn call(&self, request: RequestBuilder) -> Value {
        let response = request.header("cookie", &self.session).send().await.unwrap();
        let status = response.status();
        let body = body_of(response).await;
        assert!(status.is_success(), "{status} {body}");
        body
    }

    async fn subscribe(&mut self) {
        let house = &self.world.house;
        let asked = json!({"campaign": "web-annual", "language": "tr"});
        let offer = self.call(house.post("/api/web-campaign", &asked)).await;
        let purchase = json!({
            "price_id": offer["data"]["price_id"], "payment_method_id": card(&self.world).await,
            "country": "TR", "language": "en",
        });
        let request = house.post("/api/create-subscription-fixed", &purchase);
        self.call(request.header("idempotency-key", "one")).await;
        let held = &self.call(house.get("/api/subscriptions")).await["subscriptions"][0];
        assert_eq!(held["status"], "trialing", "{held}");
        self.subscription = held["subscription_id"].as_str().unwrap().into();
        self.ends = held["current_period_end"].as_str().unwrap().parse().unwrap();
    }

    /// To what is told by mail: what falls due on the way is done on its day.
    async fn pass(&self, days: i64) {
        for _ in 0..days * 4 {
            self.world.sandbox.advance(TimeDelta::hours(6)).await.unwrap();
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    fn mails(&self, subject: &str) -> Vec<Mail> {
        let all = self.world.sandbox.mails();
        let about = |mail: &Mail| mail.to == [EMAIL] && mail.content.subject.starts_with(subject);
        all.into_iter().filter(about).collect()
    }

    async fn until_mailed(&self, subject: &str) -> Mail {
        for _ in 0..400 {
            if let Some(mail) = self.mails(subject).pop() {
                return mail;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("no mail \"{subject}\" among {:?}", self.world.sandbox.mails());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_tries_is_reminded_in_time_and_has_a_receipt_of_the_first_charge() {
    let trying = Trying::begin().await;
    trying.pass(3).await;
    assert!(trying.mails(REMINDER).is_empty(), "reminded too early");
    trying.pass(2).await;
    let reminder = trying.until_mailed(REMINDER).await;
    let day = trying.ends.format("%-d %B %Y").to_string();
    assert_eq!(reminder.content.subject, format!("{REMINDER}{day}"));
    assert!(trying.mails(RECEIPT).is_empty(), "charged during the trial");

    trying.pass(3).await;
    let receipt = trying.until_mailed(RECEIPT).await;
    let amount = |mail: &Mail| {
        let text = &mail.content.text;
        let from = text.find("TRY\u{a0}").unwrap();
        text[from..]
            .split_whitespace()
            .next()
            .unwrap()
            .trim_end_matches('.')
            .to_owned()
    };
    assert_eq!(amount(&receipt), amount(&reminder), "charged what was announced");
    trying.pass(2).await;
    assert_eq!(
        (trying.mails(REMINDER).len(), trying.mails(RECEIPT).len()),
        (1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cancels_a_trial_is_neither_reminded_nor_charged() {
    let trying = Trying::begin().await;
    let path = format!("/api/subscriptions/{}/cancel", trying.subscription);
    let cancel = trying.world.house.post(&path, &json!({}));
    trying.call(cancel.header("idempotency-key", "two")).await;
    trying.pass(9).await;
    trying.until_mailed("Your subscription has ended").await;
    assert!(trying.mails(REMINDER).is_empty() && trying.mails(RECEIPT).is_empty());
}
