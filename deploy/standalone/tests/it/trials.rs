//! Mails of a free trial: the reminder and the receipt of the first charge.
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::RequestBuilder;
use sandbox::mail::Mail;
use serde_json::{Value, json};

use crate::erasure::member::card;
use crate::stack::body_of;
use crate::test_env::TestEnv;

const EMAIL: &str = "ada@example.com";
const REMINDER: &str = "Your free trial ends on ";
const RECEIPT: &str = "Your receipt";

/// A member on the first day of a free week.
struct TrialMember {
    env: TestEnv,
    session: String,
    subscription: String,
    ends: DateTime<Utc>,
}

impl TrialMember {
    async fn begin() -> Self {
        let env = TestEnv::start().await;
        let session = env.stack.register(EMAIL).await.session;
        let mut trial = Self {
            env,
            session,
            subscription: String::new(),
            ends: DateTime::UNIX_EPOCH,
        };
        trial.subscribe().await;
        trial
    }

    async fn call(&self, request: RequestBuilder) -> Value {
        let response = request.header("cookie", &self.session).send().await.unwrap();
        let status = response.status();
        let body = body_of(response).await;
        assert!(status.is_success(), "{status} {body}");
        body
    }

    async fn subscribe(&mut self) {
        let stack = &self.env.stack;
        let asked = json!({"campaign": "web-annual", "language": "tr"});
        let offer = self.call(stack.post("/api/web-campaign", &asked)).await;
        let purchase = json!({
            "price_id": offer["data"]["price_id"], "payment_method_id": card(&self.env).await,
            "country": "TR", "language": "en",
        });
        let request = stack.post("/api/create-subscription-fixed", &purchase);
        self.call(request.header("idempotency-key", "one")).await;
        let held = &self.call(stack.get("/api/subscriptions")).await["subscriptions"][0];
        assert_eq!(held["status"], "trialing", "{held}");
        self.subscription = held["subscription_id"].as_str().unwrap().into();
        self.ends = held["current_period_end"].as_str().unwrap().parse().unwrap();
    }

    /// Advances by six hours at a time, so that due jobs run on their day.
    async fn advance_days(&self, days: i64) {
        for _ in 0..days * 4 {
            self.env.sandbox.advance(TimeDelta::hours(6)).await.unwrap();
            self.env.checkout_rounds().await;
        }
        self.env.due_work_done().await;
    }

    fn mails(&self, subject: &str) -> Vec<Mail> {
        let all = self.env.sandbox.mails();
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
        panic!("no mail \"{subject}\" among {:?}", self.env.sandbox.mails());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn trial_member_gets_a_reminder_and_a_receipt() {
    let trial = TrialMember::begin().await;
    trial.advance_days(3).await;
    assert!(trial.mails(REMINDER).is_empty(), "reminded too early");
    trial.advance_days(2).await;
    let reminder = trial.until_mailed(REMINDER).await;
    let day = trial.ends.format("%-d %B %Y").to_string();
    assert_eq!(reminder.content.subject, format!("{REMINDER}{day}"));
    assert!(trial.mails(RECEIPT).is_empty(), "charged during the trial");

    trial.advance_days(3).await;
    let receipt = trial.until_mailed(RECEIPT).await;
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
    trial.advance_days(2).await;
    assert_eq!((trial.mails(REMINDER).len(), trial.mails(RECEIPT).len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn canceled_trial_is_neither_reminded_nor_charged() {
    let trial = TrialMember::begin().await;
    let path = format!("/api/subscriptions/{}/cancel", trial.subscription);
    let cancel = trial.env.stack.post(&path, &json!({}));
    trial.call(cancel.header("idempotency-key", "two")).await;
    trial.advance_days(9).await;
    trial.until_mailed("Your subscription has ended").await;
    assert!(trial.mails(REMINDER).is_empty() && trial.mails(RECEIPT).is_empty());
}
