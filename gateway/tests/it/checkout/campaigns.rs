//! Campaigns, subscriptions and the envelope of payment calls.
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::site::{COOKIE, Site, body_of, problem};

async fn envelope(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    assert_eq!(response.headers()["content-type"], "application/json");
    (status, body_of(response).await)
}

/// A refusal: its HTTP status and code, with no data.
async fn refusal(request: RequestBuilder) -> (u16, String) {
    let (status, body) = envelope(request).await;
    assert_eq!(
        (&body["status"], &body["data"]),
        (&json!(false), &Value::Null),
        "{body}"
    );
    assert!(!body["message"].as_str().unwrap().is_empty());
    (status, body["code"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn visitor_gets_v100_before_other_errors() {
    let site = Site::start().await;
    for path in [
        "/api/web-campaign",
        "/api/create-subscription-fixed",
        "/api/subscriptions/confirm",
    ] {
        assert_eq!(
            refusal(site.post(path, &json!({}))).await,
            (200, "V100".into()),
            "{path}"
        );
        let dead = site
            .post(path, &json!({}))
            .header("cookie", "stillpoint_session=dead");
        assert_eq!(refusal(dead).await, (200, "V100".into()), "{path}");
    }
}

#[tokio::test]
async fn campaign_is_quoted_in_major_units() {
    let site = Site::start().await;
    let asked = json!({
        "campaign": "web-annual", "coupon_code": "WELCOME20", "language": "tr", "country": "tr", "ip": "127.0.0.1",
        "user_id": "usr_another",
    });
    let (status, body) = envelope(site.post_as_member("/api/web-campaign", &asked)).await;
    assert_eq!(status, 200);
    let expected = json!({
        "customer_id": "cus_1", "price_id": "prc_1", "currency": "TRY", "price": 959.20, "discount_rate": 20,
        "default_price": 1199, "default_price_currency": "TRY", "discount_amount": 239.80, "trial_days": 7,
        "campaign_id": "cmp_1",
        "providers": {
            "stripe": {"customer_id": "cus_1", "price_id": "price_1"}, "paypal": null, "yookassa": null, "platron": null,
            "unavailable": [],
        },
        "has_trial_price": true,
        "trial_prices": {"stripe": [{"price_id": "prc_trial", "id": "prc_1", "customer_id": "cus_1", "price": 1.0}]},
        "period_months": 12, "product": "premium", "opens": ["premium"], "kind": "subscription", "quote": "quote_1",
        "quote_expires_at": body["data"]["quote_expires_at"],
    });
    assert!(body["data"]["quote_expires_at"].is_string(), "{body}");
    let same = |key: &str| body["data"][key].as_f64() == expected[key].as_f64();
    assert!(
        ["price", "default_price", "discount_amount"]
            .into_iter()
            .all(same),
        "{body}"
    );
    let without_amounts = |mut data: Value| {
        for key in ["price", "default_price", "discount_amount"] {
            data.as_object_mut().unwrap().remove(key);
        }
        data
    };
    assert_eq!(without_amounts(body["data"].clone()), without_amounts(expected));
    assert_eq!(
        (&body["status"], &body["code"], &body["message"]),
        (&json!(true), &Value::Null, &Value::Null)
    );

    let asked = site.services.resolved.lock().unwrap().clone().unwrap();
    assert_eq!(
        (asked.user_id.as_str(), asked.country.as_str()),
        ("usr_1", "TR"),
        "the session says who, not the body"
    );
}

#[tokio::test]
async fn landing_quotes_visitors_from_form_or_json() {
    let site = Site::start().await;
    let form = site.request("POST", "/api/web-campaign-landing").form(&[
        ("campaign", "web-annual"),
        ("language", "tr"),
        ("customer_name", "Ada"),
        ("customer_email", "ada@example.org"),
    ]);
    let (status, body) = envelope(form).await;
    assert_eq!(
        (status, &body["data"]["price_id"], &body["data"]["customer_id"]),
        (200, &json!("prc_1"), &Value::Null)
    );
    let (status, _) =
        envelope(site.post("/api/web-campaign-landing", &json!({"campaign": "web-annual"}))).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn refusals_of_the_business_are_200_with_their_code() {
    let site = Site::start().await;
    let landing = |body: Value| site.post("/api/web-campaign-landing", &body);
    assert_eq!(
        refusal(landing(json!({"campaign": "x"}))).await,
        (200, "UNKNOWN_CAMPAIGN".into())
    );
    let coupon = json!({"campaign": "web-annual", "coupon_code": "NOPE"});
    assert_eq!(refusal(landing(coupon)).await, (200, "UNKNOWN_COUPON".into()));
    let declined = json!({"price_id": "prc_1", "payment_method_id": "pm_declined"});
    let (status, body) = envelope(site.post_as_member("/api/create-subscription-fixed", &declined)).await;
    assert_eq!(
        (status, &body["code"], &body["message"]),
        (200, &json!("card_declined"), &json!("Your card was declined."))
    );
}

#[tokio::test]
async fn broken_bodies_are_refused_in_the_envelope_too() {
    let site = Site::start().await;
    let (status, body) = envelope(site.post("/api/web-campaign-landing", &json!({"campaign": 7}))).await;
    assert_eq!(
        (status, &body["status"], &body["errors"][0]["field"]),
        (400, &json!(false), &json!("campaign"))
    );
    let text = site
        .request("POST", "/api/web-campaign-landing")
        .header("content-type", "application/json")
        .body("{");
    assert_eq!(refusal(text).await, (400, "MALFORMED_BODY".into()));
    let large = site.post(
        "/api/web-campaign-landing",
        &json!({"campaign": "a".repeat(80_000)}),
    );
    assert_eq!(refusal(large).await, (413, "BODY_TOO_LARGE".into()));
}

#[tokio::test]
async fn subscription_is_bought_for_the_session_user() {
    let site = Site::start().await;
    let purchase = json!({
        "customer_id": "cus_of_another", "price_id": "prc_1", "coupon_code": null, "payment_method_id": "pm_card_visa",
        "payment_source": "stripe", "country": "TR", "language": "tr", "utm_source": "mail", "utm": {"cpid": "7"},
        "quote": "quote_1", "card_network": "cartes_bancaires",
    });
    let request = site
        .post_as_member("/api/create-subscription-fixed", &purchase)
        .header("idempotency-key", "fresh");
    let (status, body) = envelope(request).await;
    let state = json!({
        "status": "active", "paymentStatus": "succeeded", "clientSecret": "pi_1_secret", "setupIntentSecret": null,
        "paymentIntentId": "pi_1", "quantity": 1, "subscription_id": "sub_1",
    });
    assert_eq!((status, &body["data"]), (200, &state));
    assert_eq!(
        (&body["status"], &body["paymentStatus"], &body["code"]),
        (&json!("active"), &json!("succeeded"), &Value::Null)
    );

    let asked = site.services.bought.lock().unwrap().clone().unwrap();
    assert_eq!(
        (asked.user_id.as_str(), asked.email.as_str()),
        ("usr_1", "ada@example.org")
    );
    assert_eq!(
        (asked.idempotency_key.as_str(), asked.quote.as_str()),
        ("fresh", "quote_1")
    );
    assert_eq!(asked.card_network, "cartes_bancaires");
    let tracking = asked.tracking.unwrap().parameters;
    assert_eq!(
        (
            tracking["utm_source"].as_str(),
            tracking["cpid"].as_str(),
            tracking.len()
        ),
        ("mail", "7", 2)
    );
}

#[tokio::test]
async fn used_key_with_another_body_is_a_conflict() {
    let site = Site::start().await;
    let request = site
        .post_as_member("/api/create-subscription-fixed", &json!({}))
        .header("idempotency-key", "used");
    assert_eq!(refusal(request).await, (409, "IDEMPOTENCY_CONFLICT".into()));
    let long = site
        .post_as_member("/api/create-subscription-fixed", &json!({}))
        .header("idempotency-key", "k".repeat(300));
    assert_eq!(refusal(long).await, (422, "INVALID_IDEMPOTENCY_KEY".into()));
}

#[tokio::test]
async fn deadlines_travel_inwards() {
    let site = Site::start().await;
    envelope(site.post_as_member(
        "/api/create-subscription-fixed",
        &json!({"payment_method_id": "pm"}),
    ))
    .await;
    site.get("/api/subscriptions")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    let timeouts = site.services.grpc_timeouts.lock().unwrap().clone();
    let millis = |call: &str| timeouts[call].trim_end_matches('m').parse::<u64>().unwrap();
    assert!(
        (10_000..=12_000).contains(&millis("create_subscription")),
        "{timeouts:?}"
    );
    assert!((1..=2_000).contains(&millis("authenticate")), "{timeouts:?}");
}

#[tokio::test]
async fn confirmation_answers_like_the_purchase() {
    let site = Site::start().await;
    let known = site.post_as_member("/api/subscriptions/confirm", &json!({"subscription_id": "sub_1"}));
    let (status, body) = envelope(known).await;
    assert_eq!(
        (status, &body["data"]["status"], &body["clientSecret"]),
        (200, &json!("active"), &Value::Null)
    );
    let unknown = site.post_as_member("/api/subscriptions/confirm", &json!({"subscription_id": "sub_2"}));
    assert_eq!(refusal(unknown).await, (200, "UNKNOWN_SUBSCRIPTION".into()));
}

#[tokio::test]
async fn member_sees_their_subscriptions() {
    let site = Site::start().await;
    let response = site
        .get("/api/subscriptions")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    let body = body_of(response).await;
    let owned = &body["subscriptions"][0];
    assert_eq!(
        (owned["price"].as_f64(), &owned["currency"]),
        (Some(59.99), &json!("TRY"))
    );
    assert_eq!(owned["created_at"], "2026-12-20T12:00:00Z");
    assert_eq!(owned["renews"], true);
    assert_eq!(
        problem(site.get("/api/subscriptions")).await,
        (401, "V100".into())
    );
}

#[tokio::test]
async fn member_sees_what_was_paid_once_with_its_receipt() {
    let site = Site::start().await;
    let response = site
        .get("/api/purchases")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store");
    let at = "2026-12-20T12:00:00Z";
    let receipt = json!({
        "payment_id": "pay_2", "paid_at": at, "amount": 4999.99, "currency": "TRY", "reason": "first",
    });
    let expected = json!({"purchases": [{
        "order_id": "ord_2", "kind": "lifetime", "product": "premium", "price": 4999.99, "currency": "TRY",
        "provider": "yookassa", "paid_at": at, "refunded": 100.0, "receipts": [receipt],
    }]});
    assert_eq!(body_of(response).await, expected);
}

#[tokio::test]
async fn webhook_reaches_checkout_byte_for_byte() {
    let site = Site::start().await;
    let send = |signature: &'static str| {
        let body = "{ \"id\":  \"evt_1\" }";
        site.request("POST", "/webhooks/stripe")
            .body(body)
            .header("stripe-signature", signature)
    };
    let response = send("signs { \"id\":  \"evt_1\" }").send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), body_of(response).await),
        (200, json!({"received": true}))
    );
    assert_eq!(
        problem(send("signs {\"id\":\"evt_1\"}")).await,
        (400, "BAD_SIGNATURE".into())
    );
    let unsigned = site.request("POST", "/webhooks/stripe").body("{}");
    assert_eq!(problem(unsigned).await, (400, "BAD_SIGNATURE".into()));
}

fn change(site: &Site, id: &str, action: &str, body: &Value) -> RequestBuilder {
    site.post_as_member(&format!("/api/subscriptions/{id}/{action}"), body)
}

#[tokio::test]
async fn change_returns_the_subscription() {
    let site = Site::start().await;
    for plain in ["cancel", "keep", "resume"] {
        let body = body_of(change(&site, "sub_1", plain, &json!({})).send().await.unwrap()).await;
        assert_eq!(body["subscription_id"], "sub_1", "{plain}");
    }
    let keep_plan = change(&site, "sub_1", "keep_plan", &json!({}));
    let kept = body_of(keep_plan.send().await.unwrap()).await;
    assert_eq!(kept["scheduled_plan"], Value::Null);
    let until = json!({"until": "2027-01-10T12:00:00Z"});
    let paused = body_of(change(&site, "sub_1", "pause", &until).send().await.unwrap()).await;
    assert_eq!(paused["paused_until"], "2027-01-10T12:00:00Z");
    let scheduled = &paused["scheduled_plan"];
    assert_eq!(
        (scheduled["price"].as_f64(), &scheduled["starts_at"]),
        (Some(199.99), &json!("2026-12-20T12:00:00Z"))
    );
    let card = json!({"payment_method_id": "pm_1"});
    assert_eq!(
        change(&site, "sub_1", "card", &card)
            .send()
            .await
            .unwrap()
            .status(),
        200
    );
}

#[tokio::test]
async fn rejected_changes_are_problems() {
    let site = Site::start().await;
    let plan = json!({"price_id": "prc_2", "prorated_at": "2026-12-20T12:00:00Z", "due_now_minor": 1, "currency": "TRY"});
    let (_, code) = problem(change(&site, "sub_1", "plan", &plan)).await;
    assert_eq!(code, "PREVIEW_EXPIRED");
    let foreign = problem(change(&site, "sub_2", "cancel", &json!({}))).await;
    assert_eq!(foreign, (404, "UNKNOWN_SUBSCRIPTION".into()));
    let unknown = problem(change(&site, "sub_1", "explode", &json!({}))).await;
    assert_eq!(unknown, (404, "UNKNOWN_ACTION".into()));
}

#[tokio::test]
async fn plan_preview_states_the_charges() {
    let site = Site::start().await;
    let asked = json!({"price_id": "prc_2"});
    let preview = body_of(
        change(&site, "sub_1", "plan-preview", &asked)
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(
        (preview["due_now"].as_f64(), &preview["due_now_minor"]),
        (Some(49.5), &json!(4950))
    );
    let foreign = problem(change(&site, "sub_2", "plan-preview", &asked)).await;
    assert_eq!(foreign, (404, "UNKNOWN_SUBSCRIPTION".into()));
}
