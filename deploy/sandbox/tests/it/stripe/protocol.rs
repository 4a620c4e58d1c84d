use serde_json::json;

use crate::support::{Client, Fixture, answer};

#[tokio::test]
async fn a_request_without_a_key_or_with_a_wrong_one_is_refused() {
    let fixture = Fixture::start().await;
    let base = fixture.sandbox.stripe_base();
    let none = Client::new(&base, "").get("/v1/customers").await;
    assert_eq!(
        none.error(),
        (401, "invalid_request_error".into(), String::new(), String::new())
    );
    let wrong = Client::new(&base, "sk_test_wrongwrongwrong")
        .get("/v1/customers")
        .await;
    assert_eq!(wrong.status, 401);
    assert_eq!(
        wrong.body["error"]["message"],
        "Invalid API Key provided: sk_test_***********rong"
    );
}

#[tokio::test]
async fn key_may_be_the_user_of_basic_authentication() {
    let fixture = Fixture::start().await;
    let base = fixture.sandbox.stripe_base();
    let ask = async |key: &str, password: Option<&str>| {
        let request = reqwest::Client::new().get(format!("{base}/v1/customers"));
        answer(request.basic_auth(key, password)).await.unwrap()
    };
    for password in [None, Some(""), Some("ignored")] {
        let found = ask("sk_test_stillpoint", password).await;
        assert_eq!(found.status, 200, "{}", found.body);
    }
    let wrong = ask("sk_test_wrongwrongwrong", None).await;
    assert_eq!(wrong.status, 401);
    assert_eq!(
        wrong.body["error"]["message"],
        "Invalid API Key provided: sk_test_***********rong"
    );
    assert_eq!(ask("", Some("sk_test_stillpoint")).await.status, 401);
}

#[tokio::test]
async fn the_browsers_key_reaches_only_what_a_browser_needs() {
    let fixture = Fixture::start().await;
    let refused = fixture.browser().get("/v1/customers").await;
    assert_eq!(
        refused.error(),
        (
            401,
            "invalid_request_error".into(),
            "secret_key_required".into(),
            String::new()
        )
    );
    fixture.card("4242424242424242").await;
}

#[tokio::test]
async fn unknown_things_are_named() {
    let fixture = Fixture::start().await;
    let cases = [
        (fixture.stripe.get("/v1/nonsense").await, 404, "", ""),
        (
            fixture.stripe.get("/v1/customers/cus_none").await,
            404,
            "resource_missing",
            "id",
        ),
        (
            fixture.stripe.get("/v1/payment_intents/pi_none").await,
            404,
            "resource_missing",
            "intent",
        ),
        (
            fixture.stripe.post("/v1/customers", &[("colour", "red")]).await,
            400,
            "parameter_unknown",
            "colour",
        ),
        (
            fixture
                .stripe
                .post("/v1/subscriptions", &[("customer", "cus_1"), ("coupon", "X")])
                .await,
            400,
            "parameter_unknown",
            "coupon",
        ),
        (
            fixture.stripe.post("/v1/prices", &[]).await,
            400,
            "parameter_missing",
            "currency",
        ),
        (
            fixture.stripe.get("/v1/customers?limit=500").await,
            400,
            "parameter_invalid_integer",
            "limit",
        ),
    ];
    for (answer, status, code, param) in cases {
        let expected = (
            status,
            "invalid_request_error".to_owned(),
            code.to_owned(),
            param.to_owned(),
        );
        assert_eq!(answer.error(), expected, "{}", answer.body);
        assert!(answer.headers.contains_key("request-id"));
    }
}

#[tokio::test]
async fn only_forms_of_the_pinned_version_are_understood() {
    let fixture = Fixture::start().await;
    let url = format!("{}/v1/customers", fixture.sandbox.stripe_base());
    let http = reqwest::Client::new();
    let post = || http.post(&url).bearer_auth("sk_test_stillpoint");
    let as_json = answer(post().json(&json!({"email": "a@b.c"}))).await.unwrap();
    assert_eq!(as_json.status, 400);
    let older = answer(post().header("stripe-version", "2024-06-20"))
        .await
        .unwrap();
    assert_eq!(older.status, 400);
    assert_eq!(older.headers["stripe-version"], "2026-10-28.endive");
}

#[tokio::test]
async fn stripes_own_libraries_find_the_api_at_the_root() {
    let fixture = Fixture::start().await;
    let at_root = Client::new(&fixture.sandbox.base(), "sk_test_stillpoint");
    let made = at_root.post("/v1/customers", &[]).await.ok();
    let path = format!("/v1/customers/{}", made["id"].as_str().unwrap());
    assert_eq!(fixture.stripe.get(&path).await.ok(), made);
}

#[tokio::test]
async fn lists_are_paged_by_cursor_in_both_directions() {
    let fixture = Fixture::start().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.insert(0, fixture.customer().await);
    }
    let page = async |query: &str| {
        let list = fixture.stripe.get(&format!("/v1/customers?{query}")).await.ok();
        let found: Vec<_> = list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["id"].clone())
            .collect();
        (found, list["has_more"].as_bool().unwrap())
    };
    assert_eq!(page("limit=2").await, (vec![json!(ids[0]), json!(ids[1])], true));
    let after = format!("limit=2&starting_after={}", ids[1]);
    assert_eq!(page(&after).await, (vec![json!(ids[2]), json!(ids[3])], true));
    let after = format!("limit=2&starting_after={}", ids[3]);
    assert_eq!(page(&after).await, (vec![json!(ids[4])], false));
    let before = format!("limit=2&ending_before={}", ids[4]);
    assert_eq!(page(&before).await, (vec![json!(ids[2]), json!(ids[3])], true));
    assert_eq!(page("created[gt]=9999999999").await, (vec![], false));
    assert_eq!(page("email=ada@example.com&limit=1").await.0.len(), 1);
    assert_eq!(page("email=unknown@example.com").await, (vec![], false));
}

#[tokio::test]
async fn expansion_goes_four_levels_deep_and_no_further() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4242424242424242", &[]).await.ok();
    let id = subscription["id"].as_str().unwrap();
    let get = async |path: &str| {
        fixture
            .stripe
            .get(&format!("/v1/subscriptions/{id}?expand[]={path}"))
            .await
    };

    let deep = get("latest_invoice.payments.data.payment.payment_intent")
        .await
        .ok();
    let intent = &deep["latest_invoice"]["payments"]["data"][0]["payment"]["payment_intent"];
    assert_eq!(intent["object"], "payment_intent");
    assert_eq!(
        get("items.data.price.product").await.ok()["items"]["data"][0]["price"]["product"]["object"],
        "product"
    );
    assert_eq!(
        get("latest_invoice.payments.data.payment.payment_intent.customer")
            .await
            .status,
        400
    );
    assert_eq!(get("status").await.status, 400);
    assert_eq!(get("latest_invoice.payment_intent").await.status, 400);
}

#[tokio::test]
async fn fields_removed_at_this_version_are_absent() {
    let fixture = Fixture::start().await;
    let subscription = fixture.subscribe("4242424242424242", &[]).await.ok();
    let invoice = &subscription["latest_invoice"];
    for (object, gone) in [
        (
            &subscription,
            ["coupon", "discount", "current_period_end", "current_period_start"],
        ),
        (invoice, ["payment_intent", "charge", "paid", "subscription"]),
    ] {
        for name in gone {
            assert!(object.get(name).is_none(), "{name}");
        }
    }
    assert!(subscription["items"]["data"][0]["current_period_end"].is_i64());
    let plain = fixture
        .stripe
        .get(&format!("/v1/invoices/{}", invoice["id"].as_str().unwrap()))
        .await
        .ok();
    assert!(plain.get("confirmation_secret").is_none() && plain.get("payments").is_none());
}
