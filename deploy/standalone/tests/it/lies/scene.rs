//! Three members and a provider, what they may send, and what would show that a lie was believed.
use std::time::Duration;

use checkout::domain::invariants::violations;
use checkout::store::accounts;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sha2::Sha256;
use sqlx::postgres::{PgConnectOptions, PgPool};

use super::elsewhere::Elsewhere;
use crate::house::{Browser, body_of};
use crate::leaving::World;

pub const APPROVED: &str = "4242424242424242";
pub const ASKS_FOR_3DS: &str = "4000000000003220";
pub const DECLINED: &str = "4000000000000002";
pub const WEBHOOK_SECRET: &str = "whsec_stillpoint";
/// What a month costs in Turkish, in kurus.
pub const MONTH_MINOR: i64 = 19999;

/// What would show that a lie was believed: none of these may move.
const SIGNS: &[&str] = &[
    "select count(*) from checkout.orders where state in ('paid', 'on_trial')",
    "select count(*) from checkout.subscription where state in ('trialing', 'active', 'past_due')",
    "select count(*) from checkout.payment where state = 'succeeded'",
    "select count(*) from checkout.ledger_entry",
    "select count(*) from checkout.refund",
    "select count(*) from checkout.survey_order where paid_at is not null",
    "select count(*) from checkout.subscription_change",
    "select count(*) from checkout.hosted_checkout where state in ('paid', 'expired')",
    "select count(*) from checkout.coupon_claim where state = 'redeemed'",
    // That somebody asked, tried and failed may be told.
    "select count(*) from checkout.outbox
     where event->>'type' not similar to '%(campaign.resolved|.created|.payment_failed)'",
    "select count(*) from auth.temporary_premium where granted_at is not null",
    "select count(*) from auth.outbox",
    "select count(*) from auth.mail_outbox",
];

pub struct Person {
    pub browser: Browser,
    pub user_id: String,
    pub subscription_id: String,
    pub order_id: String,
}

/// Grace has paid, Mary has by PayPal, Ada's bank still asks, Eve has nothing.
pub struct Scene {
    pub world: World,
    pub grace: Person,
    pub ada: Person,
    pub eve: Person,
    pub graces_card: String,
    pub graces_customer: String,
    pub graces_intent: String,
    /// What the twin told us of Grace's payment.
    pub graces_event: Value,
    /// A card that nobody has used, and one that no bank will charge.
    pub good_card: String,
    pub bad_card: String,
    pub price_id: String,
    pub quote: String,
    annual_price: String,
    gift_price: String,
    addition_price: String,
    /// Surveys: one that Grace has answered, and one of Eve's that is not paid.
    grace_survey: String,
    open_survey: String,
    elsewhere: Elsewhere,
}

impl Scene {
    pub async fn start() -> Self {
        let world = World::start().await;
        let [mut grace, mut ada, eve] = [
            join(&world, "grace@example.com").await,
            join(&world, "ada@example.com").await,
            join(&world, "eve@example.com").await,
        ];
        let offer = offer(&world, "web-monthly", "").await;
        let price_id = offer["price_id"].as_str().unwrap().to_owned();
        let graces_card = card(&world, APPROVED).await;
        let paid = buy(
            &world,
            &mut grace,
            purchase(&price_id, &graces_card),
            "graces-click",
        )
        .await;
        assert_eq!(paid["data"]["status"], "active", "{paid}");
        let asked = purchase(&price_id, &card(&world, ASKS_FOR_3DS).await);
        let asked = buy(&world, &mut ada, asked, "adas-click").await;
        assert_eq!(asked["data"]["status"], "incomplete", "{asked}");

        let graces_customer = query(
            &world,
            "select stripe_customer_id from checkout.customer where user_id = $1",
            &grace,
        )
        .await;
        let events = stripe(&world, "events?limit=100&type=invoice.paid").await;
        Self {
            graces_intent: paid["data"]["paymentIntentId"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            graces_event: events["data"][0].clone(),
            good_card: card(&world, APPROVED).await,
            bad_card: card(&world, DECLINED).await,
            quote: offer["quote"].as_str().unwrap().to_owned(),
            annual_price: price(&world, "web-annual").await,
            gift_price: price(&world, "gift-year").await,
            addition_price: price(&world, "addition-therapy").await,
            grace_survey: survey(&world, Some(&grace)).await,
            open_survey: survey(&world, Some(&eve)).await,
            elsewhere: Elsewhere::of(&world).await,
            grace,
            ada,
            eve,
            graces_card,
            graces_customer,
            price_id,
            world,
        }
    }

    pub fn post(&self, who: &Person, path: &str, body: &Value) -> RequestBuilder {
        self.world
            .house
            .post(path, body)
            .header("cookie", &who.browser.session)
    }

    pub fn get(&self, who: &Person, path: &str) -> RequestBuilder {
        self.world.house.get(path).header("cookie", &who.browser.session)
    }

    /// A call of somebody's, by the name they have in the table.
    pub fn call(&self, who: &str, method: &str, path: &str, body: &Value) -> RequestBuilder {
        let request = self.world.house.request(method, path);
        let request = if method == "GET" {
            request
        } else {
            request.json(body)
        };
        let person = match who {
            "grace" => &self.grace,
            "ada" => &self.ada,
            "eve" => &self.eve,
            _ => return request,
        };
        request.header("cookie", &person.browser.session)
    }

    /// An honest purchase with more in its body, or with something else in it.
    pub fn purchase_by(&self, who: &str, more: Value) -> RequestBuilder {
        let body = with(purchase(&self.price_id, &self.good_card), more);
        self.call(who, "POST", "/api/create-subscription-fixed", &body)
    }

    /// The text with what the scene has in the place of its names.
    pub fn named(&self, text: &str) -> String {
        let cut = &self.quote[..self.quote.len() - 20];
        let now = self.world.sandbox.now().to_rfc3339();
        [
            ("$now", now.as_str()),
            ("$eve_id", &self.eve.user_id),
            ("$grace_survey", &self.grace_survey),
            ("$open_survey", &self.open_survey),
            ("$annual_price", &self.annual_price),
            ("$gift_price", &self.gift_price),
            ("$addition_price", &self.addition_price),
            ("$quote", &self.quote),
            ("$good_card", &self.good_card),
            ("$grace_id", &self.grace.user_id),
            ("$grace_subscription", &self.grace.subscription_id),
            ("$grace_order", &self.grace.order_id),
            ("$grace_customer", &self.graces_customer),
            ("$grace_card", &self.graces_card),
            ("$grace_intent", &self.graces_intent),
            ("$ada_subscription", &self.ada.subscription_id),
            ("$ada_order", &self.ada.order_id),
            ("$bad_card", &self.bad_card),
            ("$price", &self.price_id),
            ("$tampered_quote", &tampered(&self.quote)),
            ("$cut_quote", cut),
        ]
        .into_iter()
        .chain(self.elsewhere.names())
        .fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    pub fn webhook(&self, event: &Value, signature: &str) -> RequestBuilder {
        self.world
            .house
            .request("POST", "/webhooks/stripe")
            .header("stripe-signature", signature)
            .body(event.to_string())
    }

    pub fn signature(&self, event: &Value, secret: &str, age_secs: i64) -> String {
        let at = self.world.sandbox.now().timestamp() - age_secs;
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        let mac = mac.chain_update(format!("{at}.{event}")).finalize().into_bytes();
        format!("t={at},v1={}", hex::encode(mac))
    }

    /// Ada's invoice is said to be paid.
    pub fn invoice_paid(&self) -> Value {
        json!({"id": "evt_lie", "object": "event", "type": "invoice.paid", "data": {"object": {
            "id": "in_lie", "object": "invoice", "status": "paid", "amount_paid": MONTH_MINOR,
            "parent": {"subscription_details": {"subscription": self.ada.subscription_id}},
        }}})
    }

    /// Captures, refunds and running subscriptions at Stripe belong to the signs too.
    pub async fn signs(&self) -> Vec<i64> {
        let mut signs = Vec::new();
        for query in SIGNS {
            signs.push(self.world.count(query).await);
        }
        for list in [
            "charges?limit=100",
            "refunds?limit=100",
            "subscriptions?limit=100",
        ] {
            let list = stripe(&self.world, list).await;
            let rows = list["data"].as_array().unwrap().iter();
            let done = rows.filter(|row| row["status"] != "failed" && row["status"] != "incomplete");
            signs.push(i64::try_from(done.count()).unwrap());
        }
        signs
    }

    /// Whatever was set going has ended.
    pub async fn quiet(&self) {
        for query in [
            "select count(*) from auth.outbox where published_at is null",
            "select count(*) from checkout.outbox where published_at is null",
        ] {
            self.world.eventually(query, 0).await;
        }
        // A consumer or the reconciler would by now have done what it was led to do.
        tokio::time::sleep(Duration::from_millis(700)).await;
    }

    pub async fn check_rules(&self) {
        let options: PgConnectOptions = self.world.house.host.database_url().parse().unwrap();
        let pool = PgPool::connect_with(options.options([("search_path", "checkout")]))
            .await
            .unwrap();
        let begin = "begin isolation level repeatable read read only";
        let mut snapshot = pool.begin_with(begin).await.unwrap();
        let accounts = accounts::page(&mut snapshot, None, i64::MAX).await.unwrap();
        assert_eq!(violations(&accounts), []);
    }
}

pub async fn join(world: &World, email: &str) -> Person {
    let browser = world.house.register(email).await;
    let session = world
        .house
        .get("/api/auth/session")
        .header("cookie", &browser.session);
    let session = body_of(session.send().await.unwrap()).await;
    Person {
        user_id: session["user"]["user_id"].as_str().unwrap().to_owned(),
        browser,
        subscription_id: String::new(),
        order_id: String::new(),
    }
}

pub async fn price(world: &World, campaign: &str) -> String {
    offer(world, campaign, "").await["price_id"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn survey(world: &World, of: Option<&Person>) -> String {
    let asked = json!({"flow": 1, "variant": 15, "lang": "tr"});
    let opened = world.house.post("/api/survey/orders", &asked);
    let opened = body_of(opened.send().await.unwrap()).await;
    let claim = world.house.post("/specialprogram/idupdate", &opened);
    if let Some(person) = of {
        let claimed = claim
            .header("cookie", &person.browser.session)
            .send()
            .await
            .unwrap();
        assert_eq!(claimed.status(), 200);
    }
    opened["orderid"].as_str().unwrap().to_owned()
}

pub async fn offer(world: &World, campaign: &str, coupon: &str) -> Value {
    let asked = json!({"campaign": campaign, "language": "tr", "coupon_code": coupon});
    let answer = body_of(
        world
            .house
            .post("/api/web-campaign-landing", &asked)
            .send()
            .await
            .unwrap(),
    )
    .await;
    answer["data"].clone()
}

pub fn purchase(price_id: &str, card: &str) -> Value {
    json!({"price_id": price_id, "payment_method_id": card, "country": "TR", "language": "tr"})
}

pub async fn buy(world: &World, buyer: &mut Person, purchase: Value, key: &str) -> Value {
    let request = world.house.post("/api/create-subscription-fixed", &purchase);
    let request = request
        .header("cookie", &buyer.browser.session)
        .header("idempotency-key", key);
    let bought = body_of(request.send().await.unwrap()).await;
    let owned = world
        .house
        .get("/api/subscriptions")
        .header("cookie", &buyer.browser.session);
    let owned = body_of(owned.send().await.unwrap()).await;
    let newest = &owned["subscriptions"][0];
    buyer.subscription_id = newest["subscription_id"].as_str().unwrap().into();
    buyer.order_id = newest["order_id"].as_str().unwrap().into();
    bought
}

pub async fn card(world: &World, number: &str) -> String {
    let url = format!("{}/v1/payment_methods", world.sandbox.stripe_base());
    let form = [
        ("type", "card"),
        ("card[number]", number),
        ("card[exp_month]", "12"),
        ("card[exp_year]", "2034"),
        ("card[cvc]", "123"),
    ];
    let request = reqwest::Client::new()
        .request(Method::POST, url)
        .bearer_auth("pk_test_stillpoint");
    let card = body_of(request.form(&form).send().await.unwrap()).await;
    card["id"].as_str().unwrap().to_owned()
}

pub async fn stripe(world: &World, path: &str) -> Value {
    let url = format!("{}/v1/{path}", world.sandbox.stripe_base());
    let request = reqwest::Client::new().get(url).bearer_auth("sk_test_stillpoint");
    body_of(request.send().await.unwrap()).await
}

pub async fn query(world: &World, query: &'static str, of: &Person) -> String {
    sqlx::query_scalar(query)
        .bind(&of.user_id)
        .fetch_one(&world.pool)
        .await
        .unwrap()
}

pub fn with(mut body: Value, more: Value) -> Value {
    let Value::Object(more) = more else { return body };
    for (name, value) in more {
        body[name] = value;
    }
    body
}

/// One letter of what is signed is another.
pub fn tampered(quote: &str) -> String {
    let mut letters: Vec<char> = quote.chars().collect();
    letters[10] = if letters[10] == 'a' { 'b' } else { 'a' };
    letters.into_iter().collect()
}
