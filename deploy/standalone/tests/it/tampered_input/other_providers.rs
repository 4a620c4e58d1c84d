//! Orders, subscriptions and prices of other providers than Stripe.
use std::time::Duration;

use reqwest::Client;
use sandbox::paypal::{Buyer, Decision};
use serde_json::{Value, json};

use super::fixture::{Person, join, price};
use crate::stack::body_of;
use crate::test_env::TestEnv;

const TIMEOUT: Duration = Duration::from_mins(1);

pub struct OtherProviders {
    /// Has a monthly subscription by PayPal.
    mary: Person,
    marys_paypal_subscription: String,
    /// An unpaid checkout page at Platron.
    open_platron: String,
    rouble_gift: String,
    one_time_price: String,
    /// Price of the trial, and of the plan that follows it.
    trial_price: String,
    trial_plan: String,
}

impl OtherProviders {
    pub async fn start(env: &TestEnv) -> Self {
        let mut mary = join(env, "mary@example.com").await;
        let marys_agreement = subscribe_by_paypal(env, &mut mary).await;
        let rouble_gift = landing_offer(
            env,
            &json!({"campaign": "gift-year", "language": "ru", "country": "RU"}),
        )
        .await;
        let rouble_gift = text(&rouble_gift["price_id"]);
        let trial = landing_offer(env, &json!({"campaign": "paid-trial", "language": "tr"})).await;
        Self {
            mary,
            marys_paypal_subscription: marys_agreement,
            open_platron: open_gift(env, &rouble_gift).await,
            one_time_price: price(env, "live-program").await,
            trial_price: text(&trial["trial_prices"]["stripe"][0]["price_id"]),
            trial_plan: text(&trial["price_id"]),
            rouble_gift,
        }
    }

    pub fn names(&self) -> [(&'static str, &str); 8] {
        [
            ("$mary_id", &self.mary.user_id),
            ("$mary_subscription", &self.mary.subscription_id),
            ("$mary_paypal", &self.marys_paypal_subscription),
            ("$open_platron", &self.open_platron),
            ("$rouble_gift", &self.rouble_gift),
            ("$once_price", &self.one_time_price),
            ("$trial_price", &self.trial_price),
            ("$trial_starts", &self.trial_plan),
        ]
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

async fn landing_offer(env: &TestEnv, request: &Value) -> Value {
    let request = env.stack.post("/api/web-campaign-landing", request);
    body_of(request.send().await.unwrap()).await["data"].clone()
}

/// Mary approves a subscription at PayPal and links it.
async fn subscribe_by_paypal(env: &TestEnv, mary: &mut Person) -> String {
    let request = json!({"campaign": "web-monthly", "language": "en", "country": "US"});
    let plan = tokio::time::timeout(TIMEOUT, async {
        loop {
            let offer = landing_offer(env, &request).await;
            if let Some(plan) = offer["providers"]["paypal"]["price_id"].as_str() {
                return plan.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let wanted = json!({"plan_id": plan.await.unwrap(), "custom_id": mary.user_id});
    let agreement = subscribe_in_browser(env, &wanted).await;
    let now = env.sandbox.now().timestamp();
    let decision = Decision::Approve(Buyer::Rich);
    env.sandbox.paypal().decide(&agreement, decision, now).unwrap();
    let link_request = json!({"subscription_id": agreement, "country": "US", "language": "en"});
    let linked = env
        .stack
        .post("/api/paypal/customers/subscription", &link_request);
    let linked = linked
        .header("cookie", &mary.browser.session)
        .send()
        .await
        .unwrap();
    let linked = body_of(linked).await;
    assert_eq!(linked["data"]["status"], "active", "{linked}");
    mary.subscription_id = text(&linked["data"]["subscription_id"]);
    agreement
}

/// With the client id only, as a browser.
async fn subscribe_in_browser(env: &TestEnv, wanted: &Value) -> String {
    let (http, base) = (Client::new(), env.sandbox.paypal_base());
    let token = http
        .post(format!("{base}/v1/oauth2/token"))
        .basic_auth("paypal-client-stillpoint", Some(""))
        .form(&[("grant_type", "client_credentials")]);
    let token = body_of(token.send().await.unwrap()).await;
    let made = http
        .post(format!("{base}/v1/billing/subscriptions"))
        .bearer_auth(token["access_token"].as_str().unwrap())
        .json(wanted);
    text(&body_of(made.send().await.unwrap()).await["id"])
}

/// Platron's id of an open checkout page.
async fn open_gift(env: &TestEnv, price_id: &str) -> String {
    let fields = [
        ("full_name", "A Guest"),
        ("email", "guest@example.com"),
        ("price_id", price_id),
    ];
    let request = env.stack.request("POST", "/api/platron/transaction/create-gift");
    let opened = body_of(request.form(&fields).send().await.unwrap()).await;
    assert!(opened["redirect_url"].is_string(), "{opened}");
    assert!(opened["confirmation_token"].is_string(), "{opened}");
    let number = "select provider_payment_id from checkout.hosted_checkout where provider = 'platron' and state = 'open'";
    sqlx::query_scalar(number).fetch_one(&env.pool).await.unwrap()
}
