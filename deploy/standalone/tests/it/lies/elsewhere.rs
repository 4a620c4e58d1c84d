//! What is open, agreed to or on sale beside Stripe's cards.
use std::time::Duration;

use reqwest::Client;
use sandbox::paypal::{Buyer, Decision};
use serde_json::{Value, json};

use super::scene::{Person, join, price};
use crate::house::body_of;
use crate::leaving::World;

const PATIENCE: Duration = Duration::from_secs(20);

pub struct Elsewhere {
    /// Pays for a month by PayPal.
    mary: Person,
    marys_agreement: String,
    /// What somebody has opened at Platron, and not paid yet.
    open_platron: String,
    rouble_gift: String,
    once_price: String,
    /// What is paid for a trial, and for what begins with it.
    trial_price: String,
    trial_starts: String,
}

impl Elsewhere {
    pub async fn of(world: &World) -> Self {
        let mut mary = join(world, "mary@example.com").await;
        let marys_agreement = agree(world, &mut mary).await;
        let rouble_gift = ask(
            world,
            &json!({"campaign": "gift-year", "language": "ru", "country": "RU"}),
        )
        .await;
        let rouble_gift = text(&rouble_gift["price_id"]);
        let trial = ask(world, &json!({"campaign": "paid-trial", "language": "tr"})).await;
        Self {
            mary,
            marys_agreement,
            open_platron: open_gift(world, &rouble_gift).await,
            once_price: price(world, "live-program").await,
            trial_price: text(&trial["trial_prices"]["stripe"][0]["price_id"]),
            trial_starts: text(&trial["price_id"]),
            rouble_gift,
        }
    }

    pub fn names(&self) -> [(&'static str, &str); 8] {
        [
            ("$mary_id", &self.mary.user_id),
            ("$mary_subscription", &self.mary.subscription_id),
            ("$mary_paypal", &self.marys_agreement),
            ("$open_platron", &self.open_platron),
            ("$rouble_gift", &self.rouble_gift),
            ("$once_price", &self.once_price),
            ("$trial_price", &self.trial_price),
            ("$trial_starts", &self.trial_starts),
        ]
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

async fn ask(world: &World, asked: &Value) -> Value {
    let request = world.house.post("/api/web-campaign-landing", asked);
    body_of(request.send().await.unwrap()).await["data"].clone()
}

/// Mary presses PayPal's button, agrees, and tells us.
async fn agree(world: &World, mary: &mut Person) -> String {
    let asked = json!({"campaign": "web-monthly", "language": "en", "country": "US"});
    let plan = tokio::time::timeout(PATIENCE, async {
        loop {
            let offer = ask(world, &asked).await;
            if let Some(plan) = offer["providers"]["paypal"]["price_id"].as_str() {
                return plan.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let wanted = json!({"plan_id": plan.await.unwrap(), "custom_id": mary.user_id});
    let agreement = subscribe_in_browser(world, &wanted).await;
    let now = world.sandbox.now().timestamp();
    let decision = Decision::Approve(Buyer::Rich);
    world.sandbox.paypal().decide(&agreement, decision, now).unwrap();
    let told = json!({"subscription_id": agreement, "country": "US", "language": "en"});
    let linked = world.house.post("/api/paypal/customers/subscription", &told);
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

/// With the client's id, and no secret.
async fn subscribe_in_browser(world: &World, wanted: &Value) -> String {
    let (http, base) = (Client::new(), world.sandbox.paypal_base());
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

/// Platron's number of a page on which anybody could pay.
async fn open_gift(world: &World, price_id: &str) -> String {
    let fields = [
        ("full_name", "A Stranger"),
        ("email", "stranger@example.com"),
        ("price_id", price_id),
    ];
    let request = world
        .house
        .request("POST", "/api/platron/transaction/create-gift");
    let opened = body_of(request.form(&fields).send().await.unwrap()).await;
    assert!(opened["redirect_url"].is_string(), "{opened}");
    assert!(opened["confirmation_token"].is_string(), "{opened}");
    let number =
        "select provider_payment_id from checkout.hosted_checkout where provider = 'platron' and state = 'open'";
    sqlx::query_scalar(number).fetch_one(&world.pool).await.unwrap()
}
