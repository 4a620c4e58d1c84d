//! Going to another place, and coming from one.
use serde_json::{Value, json};

use crate::site::{COOKIE, Site, body_of, header, problem};

async fn validate(site: &Site, token: &str, cookie: &str) -> reqwest::Response {
    let request = site.post("/validate-token", &json!({"token": token}));
    request.header("cookie", cookie).send().await.unwrap()
}

#[tokio::test]
async fn token_signs_its_owner_in() {
    let site = Site::start().await;
    let response = validate(&site, "handed", "").await;
    assert_eq!(response.status(), 200);
    let cookies: Vec<_> = response.headers().get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 3);
    assert!(
        cookies[0]
            .to_str()
            .unwrap()
            .starts_with("stillpoint_session=alive; ")
    );
    let body = body_of(response).await;
    assert_eq!(
        (&body["data"]["user_id"], &body["data"]["email"]),
        (&json!("usr_1"), &json!("grace@example.org"))
    );
    assert_eq!(
        (&body["error"], &body["error_code"], &body["already_signed_in"]),
        (&Value::Null, &Value::Null, &json!(false))
    );
}

#[tokio::test]
async fn refusals_differ_by_a_text_code() {
    let site = Site::start().await;
    for (token, code) in [("used", "2"), ("made up", "1"), ("", "1")] {
        let response = validate(&site, token, "").await;
        assert_eq!(
            (response.status().as_u16(), header(&response, "set-cookie")),
            (200, "")
        );
        let body = body_of(response).await;
        assert_eq!(
            (&body["data"], &body["error_code"]),
            (&Value::Null, &json!(code)),
            "{token}"
        );
        assert!(!body["error"].as_str().unwrap().is_empty());
    }
    let form = site.request("POST", "/validate-token").form(&[("token", "used")]);
    assert_eq!(body_of(form.send().await.unwrap()).await["error_code"], "2");
    let unreadable = body_of(
        site.post("/validate-token", &json!({"token": 5}))
            .send()
            .await
            .unwrap(),
    )
    .await;
    assert_eq!(
        (&unreadable["data"], &unreadable["error_code"]),
        (&Value::Null, &json!("MALFORMED_BODY"))
    );
}

#[tokio::test]
async fn handoff_token_of_another_member_keeps_the_session() {
    let site = Site::start().await;
    let response = validate(&site, "handed", COOKIE).await;
    assert_eq!(header(&response, "set-cookie"), "");
    let body = body_of(response).await;
    assert_eq!((&body["data"], &body["error_code"]), (&Value::Null, &json!("3")));
}

#[tokio::test]
async fn invalid_token_beside_a_session_is_refused_and_the_own_one_accepted() {
    let site = Site::start().await;
    for (token, code) in [("rubbish", "1"), ("used", "2"), ("", "1")] {
        let body = body_of(validate(&site, token, COOKIE).await).await;
        assert_eq!(
            (&body["data"], &body["error_code"]),
            (&Value::Null, &json!(code)),
            "{token}"
        );
    }
    let own = validate(&site, "own", COOKIE).await;
    assert_eq!(header(&own, "set-cookie"), "", "the session stays");
    let body = body_of(own).await;
    assert_eq!(
        (&body["data"]["email"], &body["already_signed_in"]),
        (&json!("ada@example.org"), &json!(true)),
        "no sign-in"
    );
}

#[tokio::test]
async fn redirect_page_of_a_handoff_is_checked() {
    let site = Site::start().await;
    for (wanted, led) in [
        ("/en/payment/annual/", json!("/en/payment/annual/")),
        ("https://evil.example/", Value::Null),
    ] {
        let path = format!("/validate-token?redirectPage={wanted}");
        let request = site.post(&path, &json!({"token": "handed"}));
        let body = body_of(request.send().await.unwrap()).await;
        assert_eq!(body["redirectPage"], led, "{wanted}");
        assert_eq!(body["data"]["user_id"], "usr_1");
    }
}

#[tokio::test]
async fn handoff_tokens_share_the_sign_in_rate() {
    let site = Site::with(&[("AUTH_RATE_PER_MINUTE", "2")]).await;
    for _ in 0..2 {
        assert_eq!(validate(&site, "made up", "").await.status(), 200);
    }
    let limited = validate(&site, "made up", "").await;
    assert_eq!(limited.status(), 429);
    assert_eq!(body_of(limited).await["error_code"], "RATE_LIMITED");
}

#[tokio::test]
async fn member_gets_a_handoff_token() {
    let site = Site::start().await;
    let issue = |purpose: &str| site.post_as_member("/api/auth/handoff-tokens", &json!({"purpose": purpose}));
    let response = issue("autologin").send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "cache-control")),
        (201, "no-store")
    );
    let expected = json!({"token": "handed", "expires_at": "2026-12-20T12:00:00Z"});
    assert_eq!(body_of(response).await, expected);
    assert_eq!(problem(issue("admin")).await, (422, "VALIDATION_FAILED".into()));
}

#[tokio::test]
async fn temporary_premium_redirects_only_to_allowed_hosts() {
    let site = Site::with(&[("REDIRECT_HOSTS", "soul.example, app.partner.example")]).await;
    let ask = async |url: &str| {
        let url: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
        let path = format!("/users/temporary-premium?subscriptionType=soul&soul_redirection_url={url}");
        body_of(
            site.get(&path)
                .bearer_auth("alive")
                .header("lang", "en")
                .send()
                .await
                .unwrap(),
        )
        .await
    };
    let expected = json!({
        "subscriptionType": "soul", "until": "2026-12-20T12:00:00Z", "redirectUrl": "https://soul.example/in",
    });
    assert_eq!(ask("https://soul.example/in/").await, expected);
    for way_out in [
        "https://evil.example/",
        "http://soul.example/",
        "https://soul.example@evil.example",
        "javascript:alert(1)",
    ] {
        assert_eq!(ask(way_out).await["redirectUrl"], Value::Null, "{way_out}");
    }
    let other = site
        .get("/users/temporary-premium?subscriptionType=gold")
        .header("cookie", COOKIE);
    assert_eq!(problem(other).await, (422, "VALIDATION_FAILED".into()));
}

#[tokio::test]
async fn member_gets_a_signed_token_and_its_keys_are_public() {
    let site = Site::start().await;
    let response = site
        .post_as_member("/api/auth/access-tokens", &json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "cache-control")),
        (201, "no-store")
    );
    let expected = json!({"access_token": "a.b.c", "token_type": "Bearer", "expires_in": 900});
    assert_eq!(body_of(response).await, expected);

    let keys = site.get("/.well-known/jwks.json").send().await.unwrap();
    assert_eq!(header(&keys, "cache-control"), "public, max-age=3600");
    let expected = json!({
        "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig",
        "kid": "k-1", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    });
    assert_eq!(body_of(keys).await["keys"][0], expected);
}
