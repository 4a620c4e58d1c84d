//! Tampered input: requests and webhooks with forged ids, prices, states or signatures have no effect: no payment, no entitlement,
//! no event.
mod fixture;
mod other_providers;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::stack::body_of;
use crate::test_env::TestEnv;
use fixture::{APPROVED, Fixture, MONTH_MINOR, WEBHOOK_SECRET, card, join, merged, purchase, query, stripe};

/// One line per tampered request.
const REQUESTS: &str = include_str!("tampered_input/requests.txt");

struct TamperedRequest {
    claim: String,
    request: RequestBuilder,
    code: String,
}

fn parse_row(fixture: &Fixture, line: &str) -> TamperedRequest {
    let columns: Vec<String> = line
        .split('|')
        .map(|column| fixture.resolve_names(column.trim()))
        .collect();
    let [claim, caller, call, body, code] = columns.try_into().unwrap();
    let body = serde_json::from_str(&body).unwrap();
    TamperedRequest {
        request: match call.split_once(' ') {
            None => fixture.purchase_by(&caller, body),
            Some((method, path)) => fixture.call(&caller, method, path, &body),
        },
        claim,
        code,
    }
}

/// Forged and replayed webhooks, and another member's idempotency key.
fn forged_webhooks_and_replays(fixture: &Fixture) -> Vec<TamperedRequest> {
    let (true_event, invented) = (&fixture.graces_event, &fixture.invoice_paid());
    let signed = |event: &Value, secret: &str, age_secs: i64| fixture.signature(event, secret, age_secs);
    let webhook = |claim: &str, event: &Value, signature: String, code: &str| TamperedRequest {
        claim: claim.to_owned(),
        request: fixture.webhook(event, &signature),
        code: code.to_owned(),
    };
    let forged = "BAD_SIGNATURE";
    let real = WEBHOOK_SECRET;
    let with_her_card = json!({"payment_method_id": fixture.graces_card});
    vec![
        webhook("webhook without a signature", invented, String::new(), forged),
        webhook(
            "webhook signed with a foreign secret",
            invented,
            signed(invented, "whsec_mine", 0),
            forged,
        ),
        webhook(
            "webhook with the signature of another",
            invented,
            signed(true_event, real, 0),
            forged,
        ),
        webhook(
            "webhook signed six minutes ago",
            true_event,
            signed(true_event, real, 360),
            forged,
        ),
        webhook(
            "webhook signed six minutes ahead",
            true_event,
            signed(true_event, real, -360),
            forged,
        ),
        webhook("repeated webhook", true_event, signed(true_event, real, 0), ""),
        // A validly signed event only triggers a query of Stripe.
        webhook(
            "validly signed webhook of an unknown invoice",
            invented,
            signed(invented, real, 0),
            "",
        ),
        TamperedRequest {
            claim: "idempotency key of another member".to_owned(),
            request: fixture
                .purchase_by("eve", with_her_card)
                .header("idempotency-key", "graces-click"),
            code: "invalid_request_error".to_owned(),
        },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn tampered_requests_have_no_effect() {
    let fixture = Box::pin(Fixture::start()).await;
    fixture.env.due_work_done().await;
    let mut expected = fixture.side_effects().await;
    let rows = REQUESTS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows_with_code = rows.map(|line| parse_row(&fixture, line));
    let mut wrong = Vec::new();
    for TamperedRequest { claim, request, code } in
        rows_with_code.chain(forged_webhooks_and_replays(&fixture))
    {
        let response = request.send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        // The data/error envelope uses `error_code`.
        let actual_code = [&answer["code"], &answer["error_code"]];
        let actual_code = actual_code
            .into_iter()
            .find_map(Value::as_str)
            .unwrap_or_default();
        let is_unrouted = matches!(status.as_u16(), 404 | 405) && actual_code.is_empty();
        if actual_code != code || status.is_server_error() || is_unrouted {
            wrong.push(format!("{claim}: expected {code:?}, got {status} {text}"));
        }
        let side_effects = fixture.side_effects().await;
        if side_effects != expected {
            wrong.push(format!(
                "{claim}: had effects: {expected:?} became {side_effects:?}"
            ));
            expected = side_effects;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    fixture.env.due_work_done().await;
    assert_eq!(
        fixture.side_effects().await,
        expected,
        "a request had a delayed effect"
    );
    fixture.check_invariants().await;
}

/// Extra fields of a valid purchase, which must be ignored.
fn extra_purchase_fields(fixture: &Fixture) -> Vec<Value> {
    vec![
        json!({"price": 0.01, "amount": 1, "unit_amount": 1, "amount_minor": 1}),
        json!({"currency": "JPY", "default_price_currency": "JPY"}),
        json!({"discount_rate": 100, "discount_amount": 199.99, "discounts": [{"coupon": "FREE100"}]}),
        json!({"trial_days": 365, "trial_end": 4_102_444_800_i64, "trial_period_days": 365}),
        json!({"user_id": fixture.grace.user_id, "customer_id": fixture.graces_customer, "email": "grace@example.com"}),
        json!({"status": "active", "paymentStatus": "succeeded", "subscription_id": fixture.grace.subscription_id, "orderid": fixture.grace.order_id}),
        json!({"quantity": 0, "items": [], "expand": ["customer"], "metadata": {"order_id": fixture.grace.order_id}}),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn extra_fields_change_neither_price_nor_buyer() {
    let fixture = Box::pin(Fixture::start()).await;
    let env = &fixture.env;
    for (number, extra_fields) in extra_purchase_fields(&fixture).into_iter().enumerate() {
        let mut buyer = join(env, &format!("buyer{number}@example.com")).await;
        let body = merged(
            purchase(&fixture.price_id, &card(env, APPROVED).await),
            extra_fields.clone(),
        );
        let request = fixture.post(&buyer, "/api/create-subscription-fixed", &body);
        // Headers about the location are ignored too.
        let request = request.header("cf-ipcountry", "RU").header("x-country", "RU");
        let bought = body_of(request.send().await.unwrap()).await;
        assert_eq!(bought["data"]["status"], "active", "{extra_fields}: {bought}");
        buyer.subscription_id = bought["data"]["subscription_id"].as_str().unwrap().into();
        assert_ne!(
            buyer.subscription_id, fixture.grace.subscription_id,
            "{extra_fields}"
        );

        let customer = query(
            env,
            "select stripe_customer_id from checkout.customer where user_id = $1",
            &buyer,
        )
        .await;
        assert_ne!(customer, fixture.graces_customer, "{extra_fields}");
        let charges = stripe(env, &format!("charges?limit=100&customer={customer}")).await;
        let taken: Vec<_> = charges["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|charge| (charge["amount"].as_i64(), charge["currency"].as_str()))
            .collect();
        assert_eq!(taken, [(Some(MONTH_MINOR), Some("try"))], "{extra_fields}");
    }
    let graces_subscriptions = body_of(
        fixture
            .get(&fixture.grace, "/api/subscriptions")
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(graces_subscriptions["subscriptions"].as_array().unwrap().len(), 1);
    fixture.check_invariants().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn survey_order_keeps_its_first_owner() {
    let env = TestEnv::start().await;
    let survey = json!({"flow": 1, "variant": 15, "lang": "tr"});
    let order = body_of(
        env.stack
            .post("/api/survey/orders", &survey)
            .send()
            .await
            .unwrap(),
    )
    .await;
    for email in ["grace@example.com", "ada@example.com"] {
        let form = json!({"name": "A Member", "email": email, "password": crate::stack::PASSWORD, "orderid": order["orderid"]});
        let joined = env.stack.post("/api/auth/register", &form).send().await.unwrap();
        assert_eq!(joined.status(), 201);
        env.eventually(
            "select count(*) from checkout.survey_order where user_id is not null",
            1,
        )
        .await;
    }
    env.due_work_done().await;
    let graces_subscriptions = "select count(*) from checkout.survey_order o join auth.account a
        on o.user_id = 'usr_' || replace(a.user_id::text, '-', '') where a.email = 'grace@example.com'";
    assert_eq!(env.count(graces_subscriptions).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_to_other_sites_are_rejected() {
    let env = TestEnv::start().await;
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
            let asked = env
                .stack
                .get("/api/redirects")
                .query(&[("parameter", parameter), ("to", to)]);
            let decided = body_of(asked.send().await.unwrap()).await;
            assert_eq!(decided["to"], Value::Null, "{parameter}={to}");
        }
    }
}
