use crate::support::World;

const KEYED: [(&str, &str); 5] = [
    ("currency", "try"),
    ("unit_amount", "119900"),
    ("recurring[interval]", "year"),
    ("product_data[name]", "Stillpoint annual"),
    ("lookup_key", "web-annual-try"),
];

#[tokio::test]
async fn a_price_is_found_by_its_lookup_key() {
    let world = World::start().await;
    let made = world.stripe.post("/v1/prices", &KEYED).await.ok();
    let found = world
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
    let world = World::start().await;
    let first = world.stripe.post("/v1/prices", &KEYED).await.ok();
    let refused = world.stripe.post("/v1/prices", &KEYED).await;
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
    let second = world.stripe.post("/v1/prices", &form).await.ok();
    assert_eq!(second["lookup_key"], "web-annual-try");
    let path = format!("/v1/prices/{}", first["id"].as_str().unwrap());
    assert!(world.stripe.get(&path).await.ok()["lookup_key"].is_null());
}

#[tokio::test]
async fn customers_are_updated_and_deleted() {
    let world = World::start().await;
    let id = world.customer().await;
    let path = format!("/v1/customers/{id}");
    let form = [("name", "Ada"), ("metadata[user]", "usr_1"), ("description", "")];
    let updated = world.stripe.post(&path, &form).await.ok();
    assert_eq!(
        (&updated["name"], &updated["metadata"]["user"]),
        (&"Ada".into(), &"usr_1".into())
    );
    assert_eq!(world.stripe.delete(&path).await.ok()["deleted"], true);
    assert_eq!(world.stripe.get(&path).await.ok()["deleted"], true);
    let missing = (
        404,
        "invalid_request_error".into(),
        "resource_missing".into(),
        "id".into(),
    );
    assert_eq!(world.stripe.post(&path, &form).await.error(), missing);
    assert_eq!(world.stripe.delete(&path).await.error(), missing);
}
