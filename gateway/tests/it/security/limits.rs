//! Limits of requests.
use futures::future::join_all;
use serde_json::json;

use crate::site::{COOKIE, Site, body_of, header, problem};

#[tokio::test]
async fn guessing_passwords_is_slowed_down() {
    let site = Site::with(&[("AUTH_RATE_PER_MINUTE", "3")]).await;
    let guess = || {
        site.post(
            "/api/auth/login",
            &json!({"email": "ada@example.org", "password": "wrong"}),
        )
    };
    for _ in 0..3 {
        assert_eq!(problem(guess()).await.0, 401);
    }
    let response = guess().send().await.unwrap();
    assert_eq!(response.status(), 429);
    let wait: u64 = header(&response, "retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(body_of(response).await["code"], "RATE_LIMITED");
    assert_eq!(
        site.get("/api/auth/session").send().await.unwrap().status(),
        200,
        "other calls go on"
    );
}

#[tokio::test]
async fn rate_limit_counts_all_requests_but_cached_pages() {
    let site = Site::with(&[("RATE_PER_SECOND", "1"), ("RATE_BURST", "5")]).await;
    // To make the page counts as asking, what is kept of it does not. Of this one nothing is published meanwhile.
    assert_eq!(site.get("/en/calm/").send().await.unwrap().status(), 200);
    let statuses =
        join_all((0..20).map(|_| async { site.get("/api/country").send().await.unwrap().status().as_u16() }))
            .await;
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    let limited = site
        .post("/api/web-campaign-landing", &json!({"campaign": "web-annual"}))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (limited.status().as_u16(), header(&limited, "content-type")),
        (429, "application/json")
    );
    assert_eq!(
        body_of(limited).await["status"],
        false,
        "in the envelope of payment calls"
    );
    for _ in 0..20 {
        assert_eq!(site.get("/en/calm/").send().await.unwrap().status(), 200);
    }
}

#[tokio::test]
async fn clients_behind_a_trusted_proxy_are_distinguished() {
    let site = Site::with(&[("AUTH_RATE_PER_MINUTE", "1"), ("TRUSTED_PROXY_HOPS", "1")]).await;
    let from = |addresses: &'static str| {
        let request = site.post("/api/auth/login", &json!({"email": "a", "password": "right"}));
        let request = request.header("x-forwarded-for", addresses);
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(from("10.1.1.1").await, 200);
    assert_eq!(from("10.1.1.1").await, 429);
    assert_eq!(
        from("6.6.6.6, 10.1.1.1").await,
        429,
        "what the client writes itself does not help"
    );
    assert_eq!(from("10.1.1.2").await, 200);
}

#[tokio::test]
async fn too_many_at_once_are_refused_at_once() {
    let site = Site::with(&[("MAX_CONCURRENT_REQUESTS", "1")]).await;
    site.renderer.hold("/en/slow/");
    let (_, response) = tokio::join!(site.text("/en/slow/"), async {
        site.renderer.until_made(1).await;
        let response = site.get("/api/country").send().await.unwrap();
        site.renderer.release();
        response
    });
    assert_eq!(
        (response.status().as_u16(), header(&response, "retry-after")),
        (503, "1")
    );
    assert_eq!(body_of(response).await["code"], "OVERLOADED");
}

#[tokio::test]
async fn other_sites_cannot_write_with_our_cookie() {
    let site = Site::start().await;
    for path in ["/api/auth/logout", "/api/auth/login"] {
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let request = site
                .post(path, &json!({}))
                .header("cookie", COOKIE)
                .header(name, value);
            assert_eq!(
                problem(request).await,
                (403, "CROSS_SITE".into()),
                "{path} {name} {value}"
            );
        }
    }
    let payment = site
        .post("/api/create-subscription-fixed", &json!({}))
        .header("cookie", COOKIE)
        .header("origin", "https://evil.example");
    let response = payment.send().await.unwrap();
    assert_eq!(response.status(), 403);
    assert_eq!(body_of(response).await["code"], "CROSS_SITE");
    assert!(site.services.signed_out.lock().unwrap().is_empty());
    assert!(site.services.bought.lock().unwrap().is_none());
    let own = site
        .post("/api/auth/logout", &json!({}))
        .header("cookie", COOKIE)
        .header("sec-fetch-site", "same-origin");
    assert_eq!(own.send().await.unwrap().status(), 204);
}

#[tokio::test]
async fn every_answer_has_a_name_and_the_callers_trace() {
    let site = Site::start().await;
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for path in [
        "/api/country",
        "/api/nothing",
        "/en/",
        "/en/",
        "/graphql",
        "/nowhere",
        "/robots.txt",
    ] {
        let response = site.get(path).header("traceparent", trace).send().await.unwrap();
        assert_eq!(
            header(&response, "x-request-id"),
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "{path}"
        );
        assert!(
            header(&response, "traceparent").starts_with(&trace[..36]),
            "{path}"
        );
        assert_eq!(header(&response, "x-content-type-options"), "nosniff", "{path}");
    }
}
