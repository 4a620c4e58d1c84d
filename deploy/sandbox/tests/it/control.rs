use serde_json::{Value, json};

use crate::support::{Fixture, answer};

async fn call(fixture: &Fixture, method: reqwest::Method, path: &str, body: Option<Value>) -> (u16, Value) {
    let request = reqwest::Client::new().request(method, format!("{}{path}", fixture.sandbox.base()));
    let request = match body {
        Some(body) => request.json(&body),
        None => request,
    };
    let response = request.send().await.unwrap();
    (
        response.status().as_u16(),
        response.json().await.unwrap_or_default(),
    )
}

#[tokio::test]
async fn the_clock_is_read_and_moved_forward_only() {
    let fixture = Fixture::start().await;
    let post = reqwest::Method::POST;
    let (_, clock) = call(&fixture, reqwest::Method::GET, "/sandbox/clock", None).await;
    assert_eq!(clock["now"], "2026-11-20T12:00:00Z");
    let (status, clock) = call(
        &fixture,
        post.clone(),
        "/sandbox/clock",
        Some(json!({"advance_secs": 60})),
    )
    .await;
    assert_eq!((status, &clock["offset_ms"]), (200, &json!(60_000)));
    let set = json!({"set": "2026-12-01T00:00:00Z"});
    let (_, clock) = call(&fixture, post.clone(), "/sandbox/clock", Some(set)).await;
    assert_eq!(clock["now"], "2026-12-01T00:00:00Z");
    for bad in [
        json!({"advance_secs": -1}),
        json!({}),
        json!({"set": "2026-11-01T00:00:00Z"}),
    ] {
        let (status, problem) = call(&fixture, post.clone(), "/sandbox/clock", Some(bad)).await;
        assert_eq!(status, 400);
        assert!(problem["detail"].is_string());
    }
}

#[tokio::test]
async fn faults_are_scripted_over_http() {
    let fixture = Fixture::start().await;
    let fault = json!({
        "match": {"method": "POST", "path": "/stripe/v1/customers"},
        "action": {"type": "error", "status": 503},
    });
    let (status, added) = call(&fixture, reqwest::Method::POST, "/sandbox/faults", Some(fault)).await;
    assert_eq!(status, 201);
    assert_eq!(fixture.stripe.post("/v1/customers", &[]).await.status, 503);
    assert_eq!(fixture.stripe.post("/v1/customers", &[]).await.status, 200);
    let (_, script) = call(&fixture, reqwest::Method::GET, "/sandbox/faults", None).await;
    assert_eq!(
        (&script[0]["calls_matched"], &script[0]["calls_affected"]),
        (&json!(2), &json!(1))
    );
    let path = format!("/sandbox/faults/{}", added["ids"][0]);
    assert_eq!(call(&fixture, reqwest::Method::DELETE, &path, None).await.0, 204);
    assert_eq!(call(&fixture, reqwest::Method::DELETE, &path, None).await.0, 404);
}

#[tokio::test]
async fn requests_are_shown_without_secrets() {
    let fixture = Fixture::start().await;
    fixture.card("4242424242424242").await;
    fixture
        .stripe
        .post_with_key("/v1/customers", "k1", &[("email", "a@b.c")])
        .await
        .unwrap();
    let (_, all) = call(&fixture, reqwest::Method::GET, "/sandbox/requests?path=*", None).await;
    assert_eq!(all[0]["params"]["email"], "a@b.c");
    assert_eq!(all[0]["headers"]["idempotency-key"], "k1");
    assert_eq!(all[1]["params"]["card"]["number"], "…4242");
    let log = all.to_string();
    assert!(!log.contains("sk_test_stillpoint") && !log.contains("4242424242424242"));
    assert_eq!(
        call(&fixture, reqwest::Method::DELETE, "/sandbox/requests", None)
            .await
            .0,
        204
    );
    assert!(fixture.sandbox.requests().is_empty());
}

#[tokio::test]
async fn the_page_and_its_parts_are_there() {
    let fixture = Fixture::start().await;
    fixture.customer().await;
    for path in ["/sandbox/", "/sandbox/page.js", "/healthz"] {
        let response = reqwest::get(format!("{}{path}", fixture.sandbox.base()))
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 200);
    }
    let overview =
        answer(reqwest::Client::new().get(format!("{}/sandbox/overview", fixture.sandbox.base()))).await;
    assert_eq!(overview.unwrap().body["kinds"][0]["kind"], "customer");
}

#[tokio::test]
async fn outside_sites_show_where_a_visitor_arrives_and_with_which_parameters() {
    let fixture = Fixture::start().await;
    let get = async |path: &str| {
        let url = format!("{}{path}", fixture.sandbox.base());
        let response = reqwest::get(url).await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    for (path, arrived_at) in [
        ("/outside/marketing/de/individuals/", "/de/individuals/"),
        ("/outside/marketing/eu/terms/", "/eu/terms/"),
        ("/outside/therapy/en/therapy/?token=secret", "/en/therapy/"),
        ("/outside/partner", "/"),
    ] {
        let (status, page) = get(path).await;
        assert_eq!(status, 200, "{path}");
        assert!(
            page.contains(&format!("<code data-path>{arrived_at}</code>")),
            "{path}: {page}"
        );
        assert_eq!(
            page.contains("<code>token</code>"),
            path.contains("token"),
            "{path}"
        );
        assert!(!page.contains("secret"), "{path}");
    }
    assert_eq!(get("/outside/other/").await.0, 404);
    assert!(get("/outside/analytics.js").await.1.contains("sandboxAnalytics"));
}
