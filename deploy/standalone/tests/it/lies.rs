//! What a browser may say, and what it is worth: every claim that only a provider, or nobody, may make is told once, and
//! nothing is paid, nobody gets anything, no event is written.
mod elsewhere;
mod scene;

use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::house::body_of;
use crate::leaving::World;
use scene::{APPROVED, MONTH_MINOR, Scene, WEBHOOK_SECRET, card, join, purchase, query, stripe, with};

/// One line for each lie that is a call with a body.
const TABLE: &str = include_str!("lies/table.txt");

struct Lie {
    claim: String,
    tell: RequestBuilder,
    code: String,
}

fn told_in_a_body(scene: &Scene, line: &str) -> Lie {
    let columns: Vec<String> = line.split('|').map(|column| scene.named(column.trim())).collect();
    let [claim, who, call, body, code] = columns.try_into().unwrap();
    let body = serde_json::from_str(&body).unwrap();
    Lie {
        tell: match call.split_once(' ') {
            None => scene.purchase_by(&who, body),
            Some((method, path)) => scene.call(&who, method, path, &body),
        },
        claim,
        code,
    }
}

/// What a provider is said to have said, and a click of somebody else's.
fn told_otherwise(scene: &Scene) -> Vec<Lie> {
    let (true_event, invented) = (&scene.graces_event, &scene.invoice_paid());
    let signed = |event: &Value, secret: &str, age_secs: i64| scene.signature(event, secret, age_secs);
    let webhook = |claim: &str, event: &Value, signature: String, code: &str| Lie {
        claim: claim.to_owned(),
        tell: scene.webhook(event, &signature),
        code: code.to_owned(),
    };
    let forged = "BAD_SIGNATURE";
    let real = WEBHOOK_SECRET;
    let with_her_card = json!({"payment_method_id": scene.graces_card});
    vec![
        webhook("Stripe says so, unsigned", invented, String::new(), forged),
        webhook(
            "Stripe says so, signed by me",
            invented,
            signed(invented, "whsec_mine", 0),
            forged,
        ),
        webhook(
            "Stripe said it of another",
            invented,
            signed(true_event, real, 0),
            forged,
        ),
        webhook(
            "Stripe said it six minutes ago",
            true_event,
            signed(true_event, real, 360),
            forged,
        ),
        webhook(
            "Stripe will say it in six minutes",
            true_event,
            signed(true_event, real, -360),
            forged,
        ),
        webhook(
            "Stripe says it twice",
            true_event,
            signed(true_event, real, 0),
            "",
        ),
        // Even who knows the secret only gives a reason to ask Stripe.
        webhook(
            "Stripe says so, with the real secret",
            invented,
            signed(invented, real, 0),
            "",
        ),
        Lie {
            claim: "Grace's click was mine".to_owned(),
            tell: scene
                .purchase_by("eve", with_her_card)
                .header("idempotency-key", "graces-click"),
            code: "invalid_request_error".to_owned(),
        },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn no_lie_has_an_effect() {
    let scene = Scene::start().await;
    scene.quiet().await;
    let mut honest = scene.signs().await;
    let rows = TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lies = rows.map(|line| told_in_a_body(&scene, line));
    let mut wrong = Vec::new();
    for Lie { claim, tell, code } in lies.chain(told_otherwise(&scene)) {
        let response = tell.send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        // The lab's envelope has another name for it.
        let told = [&answer["code"], &answer["error_code"]];
        let told = told.into_iter().find_map(Value::as_str).unwrap_or_default();
        let unheard = matches!(status.as_u16(), 404 | 405) && told.is_empty();
        if told != code || status.is_server_error() || unheard {
            wrong.push(format!("{claim}: expected {code:?}, got {status} {text}"));
        }
        let signs = scene.signs().await;
        if signs != honest {
            wrong.push(format!("{claim}: was believed: {honest:?} became {signs:?}"));
            honest = signs;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    scene.quiet().await;
    assert_eq!(scene.signs().await, honest, "one was believed later");
    scene.check_rules().await;
}

/// What stands beside an honest purchase. It goes through, as if nothing had been said.
fn embellishments(scene: &Scene) -> Vec<Value> {
    vec![
        json!({"price": 0.01, "amount": 1, "unit_amount": 1, "amount_minor": 1}),
        json!({"currency": "JPY", "default_price_currency": "JPY"}),
        json!({"discount_rate": 100, "discount_amount": 199.99, "discounts": [{"coupon": "FREE100"}]}),
        json!({"trial_days": 365, "trial_end": 4_102_444_800_i64, "trial_period_days": 365}),
        json!({"user_id": scene.grace.user_id, "customer_id": scene.graces_customer, "email": "grace@example.com"}),
        json!({"status": "active", "paymentStatus": "succeeded", "subscription_id": scene.grace.subscription_id, "orderid": scene.grace.order_id}),
        json!({"quantity": 0, "items": [], "expand": ["customer"], "metadata": {"order_id": scene.grace.order_id}}),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_pays_another_price_or_for_another_by_saying_so() {
    let scene = Scene::start().await;
    let world = &scene.world;
    for (number, lie) in embellishments(&scene).into_iter().enumerate() {
        let mut buyer = join(world, &format!("buyer{number}@example.com")).await;
        let body = with(
            purchase(&scene.price_id, &card(world, APPROVED).await),
            lie.clone(),
        );
        let request = scene.post(&buyer, "/api/create-subscription-fixed", &body);
        // Nor by where they say they are.
        let request = request.header("cf-ipcountry", "RU").header("x-country", "RU");
        let bought = body_of(request.send().await.unwrap()).await;
        assert_eq!(bought["data"]["status"], "active", "{lie}: {bought}");
        buyer.subscription_id = bought["data"]["subscription_id"].as_str().unwrap().into();
        assert_ne!(buyer.subscription_id, scene.grace.subscription_id, "{lie}");

        let customer = query(
            world,
            "select stripe_customer_id from checkout.customer where user_id = $1",
            &buyer,
        )
        .await;
        assert_ne!(customer, scene.graces_customer, "{lie}");
        let charges = stripe(world, &format!("charges?limit=100&customer={customer}")).await;
        let taken: Vec<_> = charges["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|charge| (charge["amount"].as_i64(), charge["currency"].as_str()))
            .collect();
        assert_eq!(taken, [(Some(MONTH_MINOR), Some("try"))], "{lie}");
    }
    let hers = body_of(
        scene
            .get(&scene.grace, "/api/subscriptions")
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(hers["subscriptions"].as_array().unwrap().len(), 1);
    scene.check_rules().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_somebody_elses_survey_stays_theirs() {
    let world = World::start().await;
    let survey = json!({"flow": 1, "variant": 15, "lang": "tr"});
    let order = body_of(
        world
            .house
            .post("/api/survey/orders", &survey)
            .send()
            .await
            .unwrap(),
    )
    .await;
    for email in ["grace@example.com", "ada@example.com"] {
        let form = json!({"name": "A Member", "email": email, "password": crate::house::PASSWORD, "orderid": order["orderid"]});
        let joined = world
            .house
            .post("/api/auth/register", &form)
            .send()
            .await
            .unwrap();
        assert_eq!(joined.status(), 201);
        world
            .eventually(
                "select count(*) from checkout.survey_order where user_id is not null",
                1,
            )
            .await;
    }
    tokio::time::sleep(Duration::from_millis(700)).await;
    let hers = "select count(*) from checkout.survey_order o join auth.account a
        on o.user_id = 'usr_' || replace(a.user_id::text, '-', '') where a.email = 'grace@example.com'";
    assert_eq!(world.count(hers).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_address_leads_away_from_here() {
    let world = World::start().await;
    for to in [
        "https://evil.example/",
        "//evil.example/",
        "/./\\evil.example/",
        "/\\evil.example/",
        "/%2F%2Fevil.example/../..//evil.example",
        "javascript:alert(1)",
        " https://evil.example/",
        "/en/\r\nlocation: https://evil.example/",
        "https://127.0.0.1@evil.example/",
    ] {
        for parameter in ["redirectPage", "nextPage", "soul_redirection_url", "url"] {
            let asked = world
                .house
                .get("/api/redirects")
                .query(&[("parameter", parameter), ("to", to)]);
            let decided = body_of(asked.send().await.unwrap()).await;
            assert_eq!(decided["to"], Value::Null, "{parameter}={to}");
        }
    }
}
