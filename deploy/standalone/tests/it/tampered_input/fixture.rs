//! Members, their requests and webhooks, and the queries that detect effects.

use checkout::domain::invariants::violations;
use checkout::store::order::order_aggregates;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sha2::Sha256;
use sqlx::postgres::{PgConnectOptions, PgPool};

use super::other_providers::OtherProviders;
use crate::stack::{Browser, body_of};
use crate::test_env::TestEnv;

pub const APPROVED: &str = "4242424242424242";
pub const ASKS_FOR_3DS: &str = "4000000000003220";
pub const DECLINED: &str = "4000000000000002";
pub const WEBHOOK_SECRET: &str = "whsec_stillpoint";
/// What a month costs in Turkish, in kurus.
pub const MONTH_MINOR: i64 = 19999;

/// Counts that tampered input must not change.
const SIDE_EFFECT_QUERIES: &[&str] = &[
    "select count(*) from checkout.orders where state in ('paid', 'on_trial')",
    "select count(*) from checkout.subscription where state in ('trialing', 'active', 'past_due')",
    "select count(*) from checkout.payment where state = 'succeeded'",
    "select count(*) from checkout.ledger_entry",
    "select count(*) from checkout.refund",
    "select count(*) from checkout.survey_order where paid_at is not null",
    "select count(*) from checkout.subscription_change",
    "select count(*) from checkout.hosted_checkout where state in ('paid', 'expired')",
    "select count(*) from checkout.coupon_claim where state = 'redeemed'",
    // Events of requests and failed attempts are allowed.
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

/// Grace has paid by card, Mary by PayPal, Ada's payment waits for 3-D Secure, Eve has no order.
pub struct Fixture {
    pub env: TestEnv,
    pub grace: Person,
    pub ada: Person,
    pub eve: Person,
    pub graces_card: String,
    pub graces_customer: String,
    pub graces_intent: String,
    /// The simulator's webhook event of Grace's payment.
    pub graces_event: Value,
    /// An unused card, and one that is declined.
    pub good_card: String,
    pub bad_card: String,
    pub price_id: String,
    pub quote: String,
    annual_price: String,
    gift_price: String,
    addition_price: String,
    /// Grace's survey order, and an unpaid one of Eve.
    grace_survey: String,
    open_survey: String,
    other_providers: OtherProviders,
}

impl Fixture {
    pub async fn start() -> Self {
        let env = TestEnv::start().await;
        let [mut grace, mut ada, eve] = [
            join(&env, "grace@example.com").await,
            join(&env, "ada@example.com").await,
            join(&env, "eve@example.com").await,
        ];
        let offer = offer(&env, "web-monthly", "").await;
        let price_id = offer["price_id"].as_str().unwrap().to_owned();
        let graces_card = card(&env, APPROVED).await;
        let paid = buy(
            &env,
            &mut grace,
            purchase(&price_id, &graces_card),
            "graces-click",
        )
        .await;
        assert_eq!(paid["data"]["status"], "active", "{paid}");
        let pending = purchase(&price_id, &card(&env, ASKS_FOR_3DS).await);
        let pending = buy(&env, &mut ada, pending, "adas-click").await;
        assert_eq!(pending["data"]["status"], "incomplete", "{pending}");

        let graces_customer = query(
            &env,
            "select stripe_customer_id from checkout.customer where user_id = $1",
            &grace,
        )
        .await;
        let events = stripe(&env, "events?limit=100&type=invoice.paid").await;
        Self {
            graces_intent: paid["data"]["paymentIntentId"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            graces_event: events["data"][0].clone(),
            good_card: card(&env, APPROVED).await,
            bad_card: card(&env, DECLINED).await,
            quote: offer["quote"].as_str().unwrap().to_owned(),
            annual_price: price(&env, "web-annual").await,
            gift_price: price(&env, "gift-year").await,
            addition_price: price(&env, "addition-therapy").await,
            grace_survey: survey(&env, Some(&grace)).await,
            open_survey: survey(&env, Some(&eve)).await,
            other_providers: OtherProviders::start(&env).await,
            grace,
            ada,
            eve,
            graces_card,
            graces_customer,
            price_id,
            env,
        }
    }

    pub fn post(&self, caller: &Person, path: &str, body: &Value) -> RequestBuilder {
        self.env
            .stack
            .post(path, body)
            .header("cookie", &caller.browser.session)
    }

    pub fn get(&self, caller: &Person, path: &str) -> RequestBuilder {
        self.env.stack.get(path).header("cookie", &caller.browser.session)
    }

    /// A request by a caller named in `requests.txt`; other names are anonymous.
    pub fn call(&self, caller: &str, method: &str, path: &str, body: &Value) -> RequestBuilder {
        let request = self.env.stack.request(method, path);
        let request = if method == "GET" {
            request
        } else {
            request.json(body)
        };
        let person = match caller {
            "grace" => &self.grace,
            "ada" => &self.ada,
            "eve" => &self.eve,
            _ => return request,
        };
        request.header("cookie", &person.browser.session)
    }

    /// A valid purchase with added or replaced fields.
    pub fn purchase_by(&self, caller: &str, more: Value) -> RequestBuilder {
        let body = merged(purchase(&self.price_id, &self.good_card), more);
        self.call(caller, "POST", "/api/create-subscription-fixed", &body)
    }

    /// Replaces `$names` by values of the fixture.
    pub fn resolve_names(&self, text: &str) -> String {
        let cut = &self.quote[..self.quote.len() - 20];
        let now = self.env.sandbox.now().to_rfc3339();
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
        .chain(self.other_providers.names())
        .fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    pub fn webhook(&self, event: &Value, signature: &str) -> RequestBuilder {
        self.env
            .stack
            .request("POST", "/webhooks/stripe")
            .header("stripe-signature", signature)
            .body(event.to_string())
    }

    pub fn signature(&self, event: &Value, secret: &str, age_secs: i64) -> String {
        let at = self.env.sandbox.now().timestamp() - age_secs;
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        let mac = mac.chain_update(format!("{at}.{event}")).finalize().into_bytes();
        format!("t={at},v1={}", hex::encode(mac))
    }

    /// Ada's invoice is said to be paid.
    pub fn invoice_paid(&self) -> Value {
        json!({"id": "evt_forged", "object": "event", "type": "invoice.paid", "data": {"object": {
            "id": "in_forged", "object": "invoice", "status": "paid", "amount_paid": MONTH_MINOR,
            "parent": {"subscription_details": {"subscription": self.ada.subscription_id}},
        }}})
    }

    /// Captures, refunds and running subscriptions at Stripe belong to the counts too.
    pub async fn side_effects(&self) -> Vec<i64> {
        let mut counts = Vec::new();
        for query in SIDE_EFFECT_QUERIES {
            counts.push(self.env.count(query).await);
        }
        for list in [
            "charges?limit=100",
            "refunds?limit=100",
            "subscriptions?limit=100",
        ] {
            let list = stripe(&self.env, list).await;
            let rows = list["data"].as_array().unwrap().iter();
            let done = rows.filter(|row| row["status"] != "failed" && row["status"] != "incomplete");
            counts.push(i64::try_from(done.count()).unwrap());
        }
        counts
    }

    pub async fn check_invariants(&self) {
        let options: PgConnectOptions = self.env.stack.host.database_url().parse().unwrap();
        let pool = PgPool::connect_with(options.options([("search_path", "checkout")]))
            .await
            .unwrap();
        let begin = "begin isolation level repeatable read read only";
        let mut snapshot = pool.begin_with(begin).await.unwrap();
        let accounts = order_aggregates::page(&mut snapshot, None, i64::MAX)
            .await
            .unwrap();
        assert_eq!(violations(&accounts), []);
    }
}

pub async fn join(env: &TestEnv, email: &str) -> Person {
    let browser = env.stack.register(email).await;
    let session = env
        .stack
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

pub async fn price(env: &TestEnv, campaign: &str) -> String {
    offer(env, campaign, "").await["price_id"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn survey(env: &TestEnv, of: Option<&Person>) -> String {
    let pending = json!({"flow": 1, "variant": 15, "lang": "tr"});
    let opened = env.stack.post("/api/survey/orders", &pending);
    let opened = body_of(opened.send().await.unwrap()).await;
    let claim = env.stack.post("/specialprogram/idupdate", &opened);
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

pub async fn offer(env: &TestEnv, campaign: &str, coupon: &str) -> Value {
    let pending = json!({"campaign": campaign, "language": "tr", "coupon_code": coupon});
    let answer = body_of(
        env.stack
            .post("/api/web-campaign-landing", &pending)
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

pub async fn buy(env: &TestEnv, buyer: &mut Person, purchase: Value, key: &str) -> Value {
    let request = env.stack.post("/api/create-subscription-fixed", &purchase);
    let request = request
        .header("cookie", &buyer.browser.session)
        .header("idempotency-key", key);
    let bought = body_of(request.send().await.unwrap()).await;
    let owned = env
        .stack
        .get("/api/subscriptions")
        .header("cookie", &buyer.browser.session);
    let owned = body_of(owned.send().await.unwrap()).await;
    let newest = &owned["subscriptions"][0];
    buyer.subscription_id = newest["subscription_id"].as_str().unwrap().into();
    buyer.order_id = newest["order_id"].as_str().unwrap().into();
    bought
}

pub async fn card(env: &TestEnv, number: &str) -> String {
    let url = format!("{}/v1/payment_methods", env.sandbox.stripe_base());
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

pub async fn stripe(env: &TestEnv, path: &str) -> Value {
    let url = format!("{}/v1/{path}", env.sandbox.stripe_base());
    let request = reqwest::Client::new().get(url).bearer_auth("sk_test_stillpoint");
    body_of(request.send().await.unwrap()).await
}

pub async fn query(env: &TestEnv, query: &'static str, of: &Person) -> String {
    sqlx::query_scalar(query)
        .bind(&of.user_id)
        .fetch_one(&env.pool)
        .await
        .unwrap()
}

pub fn merged(mut body: Value, more: Value) -> Value {
    let Value::Object(more) = more else { return body };
    for (name, value) in more {
        body[name] = value;
    }
    body
}

/// Changes one signed character.
pub fn tampered(quote: &str) -> String {
    let mut letters: Vec<char> = quote.chars().collect();
    letters[10] = if letters[10] == 'a' { 'b' } else { 'a' };
    letters.into_iter().collect()
}
