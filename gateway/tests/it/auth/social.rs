//! Signing in with Apple, Google and Facebook: what reaches auth, and what comes back.
use serde_json::{Value, json};

use crate::site::{Site, body_of, header, problem};

const BROWSER: &str = "stillpoint_social=this-one";

fn apple(token: &str) -> Value {
    json!({"lang": "tr", "email": "ada@example.org", "appleID": "001.a", "token": token})
}

fn facebook(token: &str) -> Value {
    json!({"name": "Ada", "email": "ada@example.org", "facebookID": "101", "token": token})
}

fn google(token: &str) -> Value {
    json!({
        "name": "Ada", "email": "ada@example.org", "googleID": "117", "picturePath": "https://lh3.example/a",
        "fullName": "Ada Yılmaz", "token": token,
    })
}

#[tokio::test]
async fn nonce_comes_with_a_cookie_that_scripts_cannot_read() {
    let site = Site::start().await;
    let response = site
        .post("/api/auth/social/nonce", &json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "cache-control")),
        (201, "no-store")
    );
    let cookie = header(&response, "set-cookie").to_owned();
    assert!(cookie.starts_with("stillpoint_social=fresh; "), "{cookie}");
    for flag in ["HttpOnly", "SameSite=Lax", "Path=/api/auth;", "Max-Age=600"] {
        assert!(cookie.contains(flag), "{cookie} lacks {flag}");
    }
    let body = body_of(response).await;
    assert_eq!(
        body,
        json!({"nonce": "n-1", "expires_at": "2026-11-20T12:10:00Z"})
    );

    let again = site
        .post("/api/auth/social/nonce", &json!({}))
        .header("cookie", BROWSER)
        .send()
        .await
        .unwrap();
    assert!(header(&again, "set-cookie").starts_with("stillpoint_social=this-one; "));
}

#[tokio::test]
async fn nonces_do_not_use_up_the_attempts_to_sign_in() {
    let site = Site::with(&[("AUTH_RATE_PER_MINUTE", "1")]).await;
    for _ in 0..3 {
        let response = site
            .post("/api/auth/social/nonce", &json!({}))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 201);
    }
    let first = site
        .post("/api/auth/social/apple", &apple("known"))
        .send()
        .await
        .unwrap();
    assert_eq!(first.status().as_u16(), 200);
    let limited = site.post("/api/auth/social/google", &google("known"));
    assert_eq!(problem(limited).await, (429, "RATE_LIMITED".into()));
}

#[tokio::test]
async fn each_provider_has_its_own_fields() {
    let site = Site::start().await;
    for (path, body, provider, id) in [
        ("/api/auth/social/apple", apple("known"), "apple", "001.a"),
        ("/api/auth/social/facebook", facebook("known"), "facebook", "101"),
        ("/api/auth/social/google", google("known"), "google", "117"),
    ] {
        let response = site
            .post(path, &body)
            .header("cookie", BROWSER)
            .header("idempotency-key", "k-1")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 200, "{path}");
        let asked = site.services.signed_in_socially.lock().unwrap().clone().unwrap();
        assert_eq!(
            (asked.provider.as_str(), asked.claimed_id.as_str()),
            (provider, id)
        );
        assert_eq!(
            (asked.claimed_email.as_str(), asked.social_browser.as_str()),
            ("ada@example.org", "this-one")
        );
        assert_eq!(asked.idempotency_key, "k-1");
        assert!(!asked.caller.unwrap().address.is_empty());
    }
}

#[tokio::test]
async fn language_and_survey_order_come_in_the_address_as_the_payloads_are_specified() {
    let site = Site::start().await;
    for (path, body) in [
        ("/api/auth/social/facebook", facebook("new")),
        ("/api/auth/social/google", google("new")),
    ] {
        for order in ["orderid", "orderId"] {
            let path = format!("{path}?lang=ja&{order}=md-7&redirectPage=/ja/");
            site.post(&path, &body).send().await.unwrap();
            let asked = site.services.signed_in_socially.lock().unwrap().take().unwrap();
            assert_eq!(
                (asked.lang.as_str(), asked.order_id.as_str()),
                ("ja", "md-7"),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn a_page_without_consents_asks_for_existing_accounts_only() {
    let site = Site::start().await;
    for (query, existing_only) in [
        ("?existingOnly=true", true),
        ("?existingOnly=false", false),
        ("", false),
    ] {
        let path = format!("/api/auth/social/apple{query}");
        site.post(&path, &apple("known")).send().await.unwrap();
        let asked = site.services.signed_in_socially.lock().unwrap().take().unwrap();
        assert_eq!(asked.existing_only, existing_only, "{query}");
    }
}

#[tokio::test]
async fn apple_name_reaches_auth() {
    let site = Site::start().await;
    let mut body = apple("new");
    body["name"] = "Ada Yılmaz".into();
    site.post("/api/auth/social/apple", &body).send().await.unwrap();
    let asked = site.services.signed_in_socially.lock().unwrap().clone().unwrap();
    assert_eq!((asked.name.as_str(), asked.lang.as_str()), ("Ada Yılmaz", "tr"));
}

#[tokio::test]
async fn new_account_answers_201_and_a_known_one_200() {
    let site = Site::start().await;
    for (token, status) in [("new", 201), ("known", 200)] {
        let response = site
            .post(
                "/api/auth/social/google?redirectPage=/en/profile/",
                &google(token),
            )
            .send()
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), status);
        assert!(header(&response, "set-cookie").starts_with("stillpoint_session=alive; "));
        let body = body_of(response).await;
        assert_eq!(body["user"]["email"], "ada@example.org");
        assert_eq!(body["redirectPage"], "/en/profile/");
    }
}

#[tokio::test]
async fn refusals_are_problems_with_stable_codes() {
    let site = Site::start().await;
    for (token, status, code) in [
        ("forged", 401, "SOCIAL_TOKEN_INVALID"),
        ("taken", 409, "SOCIAL_LINK_REQUIRED"),
        ("unconfirmed", 422, "SOCIAL_EMAIL_UNVERIFIED"),
        ("elsewhere", 404, "SOCIAL_NOT_OFFERED"),
    ] {
        let answer = problem(site.post("/api/auth/social/google", &google(token))).await;
        assert_eq!(answer, (status, code.into()));
    }
    let down = site
        .post("/api/auth/social/facebook", &facebook("unanswered"))
        .send()
        .await
        .unwrap();
    assert_eq!((down.status().as_u16(), header(&down, "retry-after")), (503, "5"));
    let unreadable = site.post("/api/auth/social/apple", &json!({"token": 5}));
    assert_eq!(problem(unreadable).await, (400, "MALFORMED_BODY".into()));
}

#[tokio::test]
async fn social_sign_in_from_another_site_is_refused() {
    let site = Site::start().await;
    for path in [
        "/api/auth/social/apple",
        "/api/auth/social/google",
        "/api/auth/social/facebook",
        "/api/auth/social/nonce",
    ] {
        let request = site
            .post(path, &google("known"))
            .header("sec-fetch-site", "cross-site");
        assert_eq!(problem(request).await, (403, "CROSS_SITE".into()), "{path}");
    }
}

#[tokio::test]
async fn sign_in_by_password_links_the_pending_identity() {
    let site = Site::start().await;
    let credentials = json!({"email": "ada@example.org", "password": "right"});
    site.post("/api/auth/login", &credentials)
        .header("cookie", BROWSER)
        .send()
        .await
        .unwrap();
    let asked = site.services.signed_in.lock().unwrap().clone().unwrap();
    assert_eq!(asked.social_browser, "this-one");
}

#[tokio::test]
async fn page_may_run_the_scripts_of_configured_providers() {
    let site = Site::with(&[
        ("STRIPE_JS_URL", "http://localhost:8090/stripe/js/stripe.js"),
        ("APPLE_CLIENT_ID", "us"),
        (
            "APPLE_JS_URL",
            "http://apple.localhost:8090/apple/appleid.auth.js",
        ),
        ("GOOGLE_JS_URL", "http://google.localhost:8090/google/gsi/client"),
    ])
    .await;
    let page = site.get("/en/").send().await.unwrap();
    let policy = header(&page, "content-security-policy");
    assert!(
        policy.contains("script-src 'self' http://localhost:8090 http://apple.localhost:8090 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("google"), "{policy}");
}
