//! Accounts and sessions.
use serde_json::json;

use crate::site::{COOKIE, Site, body_of, header, problem};

fn ada() -> serde_json::Value {
    json!({"name": "Ada Yılmaz", "email": "ada@example.org", "password": "right", "country": "tr", "orderid": "ord_9"})
}

#[tokio::test]
async fn registration_sets_a_cookie_that_scripts_cannot_read() {
    let site = Site::start().await;
    let response = site
        .post("/api/auth/register", &ada())
        .header("idempotency-key", "k-1")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 201);
    let cookie = header(&response, "set-cookie");
    assert!(cookie.starts_with("stillpoint_session=alive; "), "{cookie}");
    for flag in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"] {
        assert!(cookie.contains(flag), "{cookie} lacks {flag}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let user = &body_of(response).await["user"];
    assert_eq!(user["fullName"], "Ada Yılmaz");
    assert_eq!(
        (&user["isCoachingUser"], &user["isTherapyUser"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        (&user["firstName"], &user["lastName"]),
        (&json!("Ada"), &json!("Yılmaz"))
    );

    let asked = site.services.registered.lock().unwrap().clone().unwrap();
    assert_eq!(
        (
            asked.country.as_str(),
            asked.order_id.as_str(),
            asked.idempotency_key.as_str()
        ),
        ("TR", "ord_9", "k-1")
    );
}

#[tokio::test]
async fn cookie_is_secure_where_the_site_is() {
    let site = Site::with(&[("PUBLIC_URL", "https://stillpoint.example")]).await;
    let response = site.post("/api/auth/login", &ada()).send().await.unwrap();
    assert!(header(&response, "set-cookie").contains("; Secure"));
    assert_eq!(
        header(&response, "strict-transport-security"),
        "max-age=31536000; includeSubDomains"
    );
}

#[tokio::test]
async fn refusals_are_problems_with_stable_codes() {
    let site = Site::start().await;
    let taken = json!({"email": "taken@example.org"});
    assert_eq!(
        problem(site.post("/api/auth/register", &taken)).await,
        (409, "R100".into())
    );
    let wrong = json!({"email": "ada@example.org", "password": "wrong"});
    assert_eq!(
        problem(site.post("/api/auth/login", &wrong)).await,
        (401, "INVALID_CREDENTIALS".into())
    );

    let response = site.post("/api/auth/register", &json!({})).send().await.unwrap();
    assert_eq!(response.status(), 422);
    let body = body_of(response).await;
    assert_eq!(body["code"], "VALIDATION_FAILED");
    assert_eq!(body["errors"][0]["field"], "email");
}

#[tokio::test]
async fn session_returns_the_signed_in_user() {
    let site = Site::start().await;
    let signed_out = body_of(site.get("/api/auth/session").send().await.unwrap()).await;
    assert_eq!(signed_out, json!({"logged_in": false, "user": null}));
    let response = site
        .get("/api/auth/session")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    assert_eq!(header(&response, "cache-control"), "no-store");
    assert_eq!(body_of(response).await["user"]["email"], "ada@example.org");
}

#[tokio::test]
async fn expired_session_is_cleared_from_the_browser() {
    let site = Site::start().await;
    let response = site
        .get("/api/auth/session")
        .header("cookie", "stillpoint_session=dead")
        .send()
        .await
        .unwrap();
    assert!(header(&response, "set-cookie").contains("Max-Age=0"));
    assert_eq!(body_of(response).await["logged_in"], false);
}

#[tokio::test]
async fn logout_ends_the_session_and_clears_the_cookie() {
    let site = Site::start().await;
    let response = site
        .post_as_member("/api/auth/logout", &json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 204);
    assert!(header(&response, "set-cookie").contains("Max-Age=0"));
    assert_eq!(*site.services.signed_out.lock().unwrap(), ["alive"]);
    let without = site.post("/api/auth/logout", &json!({})).send().await.unwrap();
    assert_eq!(without.status(), 204);
}

#[tokio::test]
async fn member_cookie_exists_as_long_as_the_session() {
    let site = Site::start().await;
    let mark_of = |response: &reqwest::Response| {
        let mut lines = response.headers().get_all("set-cookie").iter();
        let mark = lines.find_map(|line| line.to_str().ok()?.strip_prefix("stillpoint_member="));
        mark.unwrap_or_default().to_owned()
    };
    let opened = site.post("/api/auth/login", &ada()).send().await.unwrap();
    assert_eq!(mark_of(&opened), "1; Path=/; SameSite=Lax; Max-Age=2592000");
    let dead = site
        .get("/api/auth/session")
        .header("cookie", "stillpoint_session=dead");
    for ended in [site.post_as_member("/api/auth/logout", &json!({})), dead] {
        let ended = ended.send().await.unwrap();
        assert_eq!(mark_of(&ended), "; Path=/; SameSite=Lax; Max-Age=0");
    }
    let refused = site
        .post("/api/auth/login", &json!({"email": "x", "password": "wrong"}))
        .send()
        .await
        .unwrap();
    assert_eq!(mark_of(&refused), "");
}

#[tokio::test]
async fn service_being_down_is_not_being_signed_out() {
    let site = Site::start().await;
    site.services
        .auth_down
        .store(true, std::sync::atomic::Ordering::SeqCst);
    let response = site
        .get("/api/auth/session")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 503);
    assert_eq!(header(&response, "retry-after"), "1");
    let body = response.text().await.unwrap();
    assert!(!body.contains("10.0.0.7"), "inside detail in {body}");
}

#[tokio::test]
async fn body_that_cannot_be_read_names_its_field() {
    let site = Site::start().await;
    let response = site
        .post("/api/auth/login", &json!({"email": 5, "password": "x"}))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(body_of(response).await["errors"][0]["field"], "email");
    let text = site
        .request("POST", "/api/auth/login")
        .header("content-type", "application/json")
        .body("{nope");
    assert_eq!(problem(text).await, (400, "MALFORMED_BODY".into()));
    let plain = site
        .request("POST", "/api/auth/login")
        .header("content-type", "text/plain")
        .body("email=a");
    assert_eq!(problem(plain).await, (415, "UNSUPPORTED_MEDIA_TYPE".into()));
    let large = site.post("/api/auth/login", &json!({"email": "a".repeat(20_000)}));
    assert_eq!(problem(large).await, (413, "BODY_TOO_LARGE".into()));
}
