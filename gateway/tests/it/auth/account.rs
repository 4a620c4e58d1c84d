//! Accounts of members, and the way back into them.
use serde_json::{Value, json};

use crate::site::{COOKIE, Site, body_of, header, problem};

fn cookies(response: &reqwest::Response) -> Vec<&str> {
    let lines = response.headers().get_all("set-cookie");
    lines.iter().map(|line| line.to_str().unwrap()).collect()
}

#[tokio::test]
async fn device_cookie_is_set_at_sign_in_and_sent_again() {
    let site = Site::start().await;
    let form = json!({"email": "ada@example.org", "password": "right"});
    let response = site
        .post("/api/auth/login", &form)
        .header("user-agent", "Firefox/144.0")
        .send()
        .await
        .unwrap();
    let cookies = cookies(&response);
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("stillpoint_session=alive; "))
    );
    let mark = cookies
        .iter()
        .find(|cookie| cookie.starts_with("stillpoint_device=a-mark; "))
        .unwrap();
    for flag in ["HttpOnly", "SameSite=Strict", "Path=/api/auth"] {
        assert!(mark.contains(flag), "{mark} lacks {flag}");
    }

    let again = site
        .post("/api/auth/login", &form)
        .header("cookie", "stillpoint_device=a-mark");
    again.send().await.unwrap();
    let caller = site
        .services
        .signed_in
        .lock()
        .unwrap()
        .clone()
        .unwrap()
        .caller
        .unwrap();
    assert_eq!(
        (caller.address.as_str(), caller.device_cookie.as_str()),
        ("127.0.0.1", "a-mark")
    );
}

#[tokio::test]
async fn throttled_sign_in_has_retry_after() {
    let site = Site::start().await;
    let form = json!({"email": "ada@example.org", "password": "throttled"});
    let response = site.post("/api/auth/login", &form).send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "retry-after")),
        (429, "600")
    );
    assert_eq!(body_of(response).await["code"], "TOO_MANY_ATTEMPTS");
}

#[tokio::test]
async fn redirect_page_comes_back_only_where_it_stays_on_the_site() {
    let site = Site::start().await;
    let form = json!({"name": "Ada", "email": "ada@example.org", "password": "right"});
    for call in ["/api/auth/login", "/api/auth/register", "/api/auth/email-signup"] {
        let led = async |wanted: &str| -> Value {
            let wanted: String = url::form_urlencoded::byte_serialize(wanted.as_bytes()).collect();
            let request = site.post(&format!("{call}?redirectPage={wanted}"), &form);
            body_of(request.send().await.unwrap()).await["redirectPage"].clone()
        };
        assert_eq!(
            led("/en/payment/annual/?coupon=A").await,
            "/en/payment/annual/?coupon=A"
        );
        for way_out in [
            "https://evil.example/",
            "//evil.example",
            "/\\evil.example",
            "javascript:alert(1)",
            "/%2f%2fevil.example",
        ] {
            assert_eq!(led(way_out).await, Value::Null, "{call} {way_out}");
        }
    }
}

#[tokio::test]
async fn session_check_replaces_a_token_that_is_due() {
    let site = Site::start().await;
    let check = async |cookie: &'static str| {
        site.get("/api/auth/session")
            .header("cookie", cookie)
            .send()
            .await
            .unwrap()
    };
    let renewed = check("stillpoint_session=old").await;
    assert!(header(&renewed, "set-cookie").starts_with("stillpoint_session=alive; "));
    assert_eq!(body_of(renewed).await["logged_in"], true);
    assert_eq!(header(&check(COOKIE).await, "set-cookie"), "");

    let by_machine = site
        .get("/api/auth/session")
        .bearer_auth("old")
        .send()
        .await
        .unwrap();
    assert_eq!(header(&by_machine, "set-cookie"), "");
    assert_eq!(body_of(by_machine).await["logged_in"], true);
}

#[tokio::test]
async fn address_alone_signs_up_and_what_else_is_sent_is_ignored() {
    let site = Site::start().await;
    let form = json!({"email": "ada@example.org", "lang": "tr", "name": "User", "password": "placeholder"});
    let response = site.post("/api/auth/email-signup", &form).send().await.unwrap();
    assert_eq!(response.status(), 201);
    assert!(cookies(&response)[0].starts_with("stillpoint_session=alive; "));
    let asked = site.services.registered_by_email.lock().unwrap().clone().unwrap();
    assert_eq!(
        (asked.email.as_str(), asked.lang.as_str()),
        ("ada@example.org", "tr")
    );
    let taken = site.post("/api/auth/email-signup", &json!({"email": "taken@example.org"}));
    assert_eq!(problem(taken).await, (409, "R100".into()));
}

#[tokio::test]
async fn forgotten_password_answers_alike_for_known_and_unknown_addresses() {
    let site = Site::start().await;
    let ask = async |email: &str| {
        let response = site.post(
            "/api/auth/forgot-password",
            &json!({"email": email, "lang": "de"}),
        );
        let response = response.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    assert_eq!(ask("ada@example.org").await, (202, String::new()));
    assert_eq!(ask("unknown@example.org").await, (202, String::new()));
    assert_eq!(
        site.services.forgotten.lock().unwrap().clone().unwrap().lang,
        "de"
    );
}

#[tokio::test]
async fn mailed_link_sets_a_password_and_opens_no_session() {
    let site = Site::start().await;
    let reset = |token: &str| {
        site.post(
            "/api/auth/reset-password",
            &json!({"token": token, "password": "another place"}),
        )
    };
    let response = reset("mailed").send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "set-cookie")),
        (204, "")
    );
    assert_eq!(problem(reset("used")).await, (422, "LINK_EXPIRED".into()));
}

#[tokio::test]
async fn profile_is_read_and_changed_by_its_owner() {
    let site = Site::start().await;
    let response = site
        .get("/api/profile")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    assert_eq!(header(&response, "cache-control"), "no-store");
    let expected = json!({
        "user_id": "usr_1", "fullname": "Ada Yılmaz", "email": "ada@example.org",
        "isCoachingUser": false, "isTherapyUser": true,
    });
    assert_eq!(body_of(response).await, expected);

    let change = |body: Value| {
        let request = site.request("PUT", "/api/profile").json(&body);
        request.header("cookie", COOKIE).header("origin", &site.origin)
    };
    let mut form = json!({"fullname": "Ada King", "email": "king@example.org", "password": "another place"});
    let unproven = change(form.clone());
    assert_eq!(problem(unproven).await, (403, "STEP_UP_REQUIRED".into()));
    form["currentPassword"] = json!("right");
    let changed = body_of(change(form).send().await.unwrap()).await;
    assert_eq!(
        (&changed["fullname"], &changed["email"], &changed["pendingEmail"]),
        (
            &json!("Ada King"),
            &json!("ada@example.org"),
            &json!("king@example.org")
        ),
        "the address waits for its link"
    );
    let taken = change(json!({"fullname": "Ada", "email": "taken@example.org", "password": "another place"}));
    assert_eq!(problem(taken).await, (409, "R100".into()));
    let blank = body_of(change(json!({})).send().await.unwrap()).await;
    assert_eq!(blank["errors"][0]["field"], "fullname");
}

#[tokio::test]
async fn mailed_link_confirms_an_address_with_any_session() {
    let site = Site::start().await;
    let confirm = |token: &str| site.post("/api/auth/confirm-email", &json!({"token": token}));
    let response = confirm("mailed").send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "set-cookie")),
        (204, "")
    );
    assert_eq!(problem(confirm("used")).await, (422, "LINK_EXPIRED".into()));
    assert_eq!(problem(confirm("taken")).await, (409, "R100".into()));
}

#[tokio::test]
async fn sign_in_names_the_session_that_ends_with_it() {
    let site = Site::start().await;
    let form = json!({"email": "ada@example.org", "password": "right", "joinProvider": "facebook"});
    let request = site.post("/api/auth/login", &form).header("cookie", COOKIE);
    request.send().await.unwrap();
    let asked = site.services.signed_in.lock().unwrap().clone().unwrap();
    assert_eq!(asked.join_provider, "facebook");
    assert_eq!(asked.caller.unwrap().session, "alive");
}

#[tokio::test]
async fn access_token_reads_and_confirms_an_addition_and_does_nothing_else() {
    let site = Site::start().await;
    let ask = |method: &str, path: &str| {
        let request = site.request(method, path).bearer_auth("signed");
        if method == "GET" {
            request
        } else {
            request.json(&json!({}))
        }
    };
    for path in [
        "/api/profile",
        "/api/subscriptions",
        "/api/users/details",
        "/api/auth/session",
    ] {
        assert_eq!(ask("GET", path).send().await.unwrap().status(), 200, "{path}");
    }
    for (method, path) in [
        ("PUT", "/api/profile"),
        ("POST", "/api/subscriptions/sub_1/cancel"),
        ("POST", "/api/subscriptions/sub_1/card"),
        ("POST", "/api/subscriptions/sub_1/plan"),
        ("POST", "/api/create-subscription-fixed"),
        ("POST", "/api/create-payment-intent"),
        ("POST", "/api/auth/access-tokens"),
        ("POST", "/api/auth/handoff-tokens"),
        ("POST", "/api/auth/logout-everywhere"),
        ("DELETE", "/api/auth/devices/ses_1"),
    ] {
        // Payment calls say it in their envelope, the others as a problem: the code is the same.
        let refused = ask(method, path).send().await.unwrap();
        assert_eq!(refused.status(), 403, "{method} {path}");
        assert_eq!(
            body_of(refused).await["code"],
            "SESSION_REQUIRED",
            "{method} {path}"
        );
    }
    let addition = ask("POST", "/api/addition/confirm").send().await.unwrap();
    assert_ne!(body_of(addition).await["code"], "SESSION_REQUIRED");
    assert!(site.services.signed_out.lock().unwrap().is_empty());
}

#[tokio::test]
async fn on_https_a_session_cookie_without_the_prefix_is_ignored() {
    let site = Site::with(&[("PUBLIC_URL", "https://stillpoint.example")]).await;
    let who = async |cookie: &str| {
        let request = site.get("/api/auth/session").header("cookie", cookie);
        body_of(request.send().await.unwrap()).await["logged_in"].clone()
    };
    assert_eq!(who("stillpoint_session=alive").await, false);
    assert_eq!(who("__Host-stillpoint_session=alive").await, true);
    let form = json!({"email": "ada@example.org", "password": "right"});
    let request = site.request("POST", "/api/auth/login").json(&form);
    let response = request
        .header("origin", "https://stillpoint.example")
        .send()
        .await
        .unwrap();
    let cookies = cookies(&response);
    for name in [
        "__Host-stillpoint_session=alive; ",
        "__Host-stillpoint_device=a-mark; ",
    ] {
        assert!(
            cookies.iter().any(|cookie| cookie.starts_with(name)),
            "{cookies:?}"
        );
    }
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("stillpoint_member=1; "))
    );
}

#[tokio::test]
async fn devices_are_listed_and_signed_out() {
    let site = Site::start().await;
    let list = site
        .get("/api/auth/devices")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    let device = &body_of(list).await["devices"][0];
    assert_eq!(
        (
            &device["id"],
            &device["browser"],
            &device["last_seen_at"],
            &device["is_current"]
        ),
        (
            &json!("ses_1"),
            &json!("Firefox"),
            &json!("2026-11-20T12:00:00Z"),
            &json!(true)
        )
    );
    let one = site
        .request("DELETE", "/api/auth/devices/ses_1")
        .header("cookie", COOKIE);
    assert_eq!(
        one.header("origin", &site.origin).send().await.unwrap().status(),
        204
    );
    let all = site
        .post_as_member("/api/auth/logout-everywhere", &json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(all.status(), 204);
    assert!(header(&all, "set-cookie").contains("Max-Age=0"));
    assert_eq!(*site.services.signed_out.lock().unwrap(), ["ses_1", "everywhere"]);
}

#[tokio::test]
async fn another_site_cannot_change_an_account() {
    let site = Site::start().await;
    for (method, path) in [
        ("PUT", "/api/profile"),
        ("DELETE", "/api/auth/devices/ses_1"),
        ("POST", "/api/auth/logout-everywhere"),
        ("POST", "/api/auth/email-signup"),
        ("POST", "/api/auth/reset-password"),
        ("POST", "/api/auth/confirm-email"),
    ] {
        let request = site
            .request(method, path)
            .json(&json!({}))
            .header("cookie", COOKIE);
        let crossed = request.header("sec-fetch-site", "cross-site");
        assert_eq!(
            problem(crossed).await,
            (403, "CROSS_SITE".into()),
            "{method} {path}"
        );
    }
    assert!(site.services.signed_out.lock().unwrap().is_empty());
}
