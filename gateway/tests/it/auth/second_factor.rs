//! The second factor: its state, its enrolment, and sign-ins that wait for it.
use serde_json::json;

use crate::site::{COOKIE, Site, body_of, header, problem};

const SECOND_FACTOR: &str = "/api/account/second-factor";

#[tokio::test]
async fn member_sets_up_a_second_factor() {
    let site = Site::start().await;
    let state = site.get(SECOND_FACTOR).header("cookie", COOKIE);
    let response = state.send().await.unwrap();
    assert_eq!(header(&response, "cache-control"), "no-store");
    assert_eq!(
        body_of(response).await,
        json!({"enabled": true, "required": false, "recovery_codes_left": 9})
    );

    let enrol = site.post_as_member("/api/account/second-factor/enrol", &json!({}));
    let response = enrol.send().await.unwrap();
    assert_eq!(header(&response, "cache-control"), "no-store");
    let enrolment = body_of(response).await;
    assert_eq!(enrolment["secret"], "JBSWY3DP");
    assert!(enrolment["uri"].as_str().unwrap().starts_with("otpauth://totp/"));

    let confirm =
        |code: &str| site.post_as_member("/api/account/second-factor/confirm", &json!({"code": code}));
    let expected = json!({"recovery_codes": ["0a1b-2c3d-4e5f"]});
    let confirmed = confirm("123456").send().await.unwrap();
    assert_eq!(header(&confirmed, "cache-control"), "no-store");
    assert_eq!(body_of(confirmed).await, expected);
    let wrong = confirm("654321").send().await.unwrap();
    assert_eq!(wrong.status(), 422);
    assert_eq!(body_of(wrong).await["errors"][0]["code"], "SECOND_FACTOR_WRONG");

    let replace = site.post_as_member("/api/account/second-factor/recovery-codes", &json!({}));
    assert_eq!(body_of(replace.send().await.unwrap()).await, expected);
}

#[tokio::test]
async fn second_factor_of_a_role_is_not_disabled() {
    let site = Site::start().await;
    let disable = |cookie: &'static str| {
        site.request("DELETE", SECOND_FACTOR)
            .header("cookie", cookie)
            .header("origin", &site.origin)
    };
    assert_eq!(disable(COOKIE).send().await.unwrap().status(), 204);
    let refused = disable("stillpoint_session=old");
    assert_eq!(problem(refused).await, (403, "SECOND_FACTOR_REQUIRED".into()));
}

#[tokio::test]
async fn sign_in_waits_for_the_second_factor() {
    let site = Site::start().await;
    for (call, form) in [
        (
            "/api/auth/login",
            json!({"email": "ada@example.org", "password": "first"}),
        ),
        (
            "/api/auth/social/google",
            json!({"googleID": "1", "token": "first"}),
        ),
    ] {
        let response = site.post(call, &form).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), header(&response, "set-cookie")),
            (403, ""),
            "{call}"
        );
        let body = body_of(response).await;
        assert_eq!(body["code"], "SECOND_FACTOR_REQUIRED", "{call}");
        assert_eq!(body["data"], json!({"challenge": "challenged"}), "{call}");
    }
}

#[tokio::test]
async fn verified_sign_in_answers_like_one_without_a_second_factor() {
    let site = Site::start().await;
    let verify = |challenge: &str, code: &str| {
        let form = json!({"challenge": challenge, "code": code});
        site.post("/api/account/second-factor/verify?redirectPage=/en/coach/", &form)
    };
    let response = verify("challenged", "123456").send().await.unwrap();
    assert_eq!(response.status(), 200);
    let cookies: Vec<_> = response.headers().get_all("set-cookie").iter().collect();
    assert_eq!(cookies.len(), 3, "session, its mark and device");
    let body = body_of(response).await;
    assert_eq!(
        (&body["user"]["user_id"], &body["redirectPage"]),
        (&json!("usr_1"), &json!("/en/coach/"))
    );

    let wrong = verify("challenged", "000000").send().await.unwrap();
    assert_eq!((wrong.status().as_u16(), header(&wrong, "set-cookie")), (422, ""));
    let error = body_of(wrong).await["errors"][0].clone();
    assert_eq!(
        (&error["field"], &error["code"]),
        (&json!("code"), &json!("SECOND_FACTOR_WRONG"))
    );
    let expired = verify("gone", "123456");
    assert_eq!(problem(expired).await, (401, "CHALLENGE_EXPIRED".into()));
}
