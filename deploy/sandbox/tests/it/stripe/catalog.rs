use crate::support::Fixture;

const KEYED: [(&str, &str); 5] = [
    ("currency", "try"),
    ("unit_amount", "119900"),
    ("recurring[interval]", "year"),
    ("product_data[name]", "Stillpoint annual"),
    ("lookup_key", "web-annual-try"),
];

#[tokio::test]
async fn a_price_is_found_by_its_lookup_key() {
    let fixture = Fixture::start().await;
    let made = fixture.stripe.post("/v1/prices", &KEYED).await.ok();
    let found = fixture
        .stripe
        .get("/v1/prices?lookup_keys[]=web-annual-try&lookup_keys[]=other&expand[]=data.product")
        .await
        .ok();
    assert_eq!(found["data"][0]["id"], made["id"]);
    assert_eq!(found["data"][0]["product"]["name"], "Stillpoint annual");
    assert_eq!(found["data"][0]["recurring"]["interval"], "year");
}

#[tokio::test]
async fn a_lookup_key_moves_only_when_asked_to() {
    let fixture = Fixture::start().await;
    let first = fixture.stripe.post("/v1/prices", &KEYED).await.ok();
    let refused = fixture.stripe.post("/v1/prices", &KEYED).await;
    assert_eq!(
        refused.error(),
        (
            400,
            "invalid_request_error".into(),
            String::new(),
            "lookup_key".into()
        )
    );

    let mut form = KEYED.to_vec();
    form.push(("transfer_lookup_key", "true"));
    let second = fixture.stripe.post("/v1/prices", &form).await.ok();
    assert_eq!(second["lookup_key"], "web-annual-try");
    let path = format!("/v1/prices/{}", first["id"].as_str().unwrap());
    assert!(fixture.stripe.get(&path).await.ok()["lookup_key"].is_null());
}

#[tokio::test]
async fn customers_are_updated_and_deleted() {
    let fixture = Fixture::start().await;
    let id = fixture.customer().await;
    let path = format!("/v1/customers/{id}");
    let form = [("name", "Ada"), ("metadata[user]", "usr_1"), ("description", "")];
    let updated = fixture.stripe.post(&path, &form).await.ok();
    assert_eq!(
        (&updated["name"], &updated["metadata"]["user"]),
        (&"Ada".into(), &"usr_1".into())
    );
    assert_eq!(fixture.stripe.delete(&path).await.ok()["deleted"], true);
    assert_eq!(fixture.stripe.get(&path).await.ok()["deleted"], true);
    let missing = (
        404,
        "invalid_request_error".into(),
        "resource_missing".into(),
        "id".into(),
    );
    assert_eq!(fixture.stripe.post(&path, &form).await.error(), missing);
    assert_eq!(fixture.stripe.delete(&path).await.error(), missing);
}

#[expect(clippy::too_many_lines, reason = "one coupon from its creation to its end")]
#[tokio::test]
async fn coupons_are_created_changed_listed_and_deleted() {
    let fixture = Fixture::start().await;
    let spring = [("id", "SPRING"), ("percent_off", "12.5"), ("name", "Spring")];
    let made = fixture.stripe.post("/v1/coupons", &spring).await.ok();
    assert_eq!(
        (
            &made["percent_off"],
            &made["duration"],
            &made["valid"],
            &made["amount_off"]
        ),
        (
            &12.5.into(),
            &"once".into(),
            &true.into(),
            &serde_json::Value::Null
        )
    );
    let again = fixture.stripe.post("/v1/coupons", &spring).await;
    assert_eq!(again.error().2, "resource_already_exists");

    let amount = [
        ("amount_off", "500"),
        ("currency", "USD"),
        ("duration", "repeating"),
        ("duration_in_months", "3"),
    ];
    let other = fixture.stripe.post("/v1/coupons", &amount).await.ok();
    assert_eq!(
        (&other["currency"], &other["duration_in_months"]),
        (&"usd".into(), &3.into())
    );
    let listed = fixture.stripe.get("/v1/coupons").await.ok();
    assert_eq!(
        (&listed["url"], listed["data"].as_array().unwrap().len()),
        (&"/v1/coupons".into(), 2)
    );

    let changed = fixture
        .stripe
        .post(
            "/v1/coupons/SPRING",
            &[("name", ""), ("metadata[season]", "spring")],
        )
        .await
        .ok();
    assert!(changed["name"].is_null());
    assert_eq!(changed["metadata"]["season"], "spring");
    assert_eq!(
        fixture.stripe.delete("/v1/coupons/SPRING").await.ok()["deleted"],
        true
    );
    let missing = fixture.stripe.get("/v1/coupons/SPRING").await.error();
    assert_eq!(
        (missing.0, missing.2, missing.3),
        (404, "resource_missing".into(), "coupon".into())
    );
    assert_eq!(
        fixture.events().await,
        [
            "coupon.created",
            "coupon.created",
            "coupon.updated",
            "coupon.deleted"
        ]
    );
}

#[expect(clippy::type_complexity, reason = "a table of forms and refusals")]
#[tokio::test]
async fn coupon_without_one_clear_reduction_is_refused() {
    let fixture = Fixture::start().await;
    let cases: [(&[(&str, &str)], &str, &str); 6] = [
        (&[], "parameter_missing", "percent_off"),
        (&[("amount_off", "500")], "parameter_missing", "currency"),
        (&[("percent_off", "120")], "", "percent_off"),
        (
            &[("percent_off", "10"), ("amount_off", "5"), ("currency", "usd")],
            "",
            "",
        ),
        (
            &[("percent_off", "10"), ("duration", "repeating")],
            "parameter_missing",
            "duration_in_months",
        ),
        (
            &[("percent_off", "10"), ("redeem_by", "1700000000")],
            "",
            "redeem_by",
        ),
    ];
    for (form, code, param) in cases {
        let (status, _, seen_code, seen_param) = fixture.stripe.post("/v1/coupons", form).await.error();
        assert_eq!(
            (status, seen_code.as_str(), seen_param.as_str()),
            (400, code, param),
            "{form:?}"
        );
    }
}

#[tokio::test]
async fn coupon_is_valid_until_its_last_moment() {
    let fixture = Fixture::start().await;
    let until = (crate::support::start_time() + chrono::TimeDelta::days(2))
        .timestamp()
        .to_string();
    let form = [
        ("id", "SOON"),
        ("percent_off", "10"),
        ("redeem_by", until.as_str()),
    ];
    assert_eq!(
        fixture.stripe.post("/v1/coupons", &form).await.ok()["valid"],
        true
    );
    fixture.days(1).await;
    assert_eq!(fixture.stripe.get("/v1/coupons/SOON").await.ok()["valid"], true);
    fixture.days(1).await;
    assert_eq!(fixture.stripe.get("/v1/coupons/SOON").await.ok()["valid"], false);
}
