//! Survey orders: visitors may create them.
use serde_json::{Value, json};

use crate::site::{Site, body_of, problem};

async fn begun(site: &Site, body: &Value) -> proto::checkout::v1::CreateSurveyOrderRequest {
    let response = site.post("/api/survey/orders", body).send().await.unwrap();
    assert_eq!(response.status(), 201);
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(body_of(response).await, json!({"orderid": "svo_1"}));
    site.services.survey_begun.lock().unwrap().clone().unwrap()
}

#[tokio::test]
async fn survey_order_is_opened_with_the_page_parameters() {
    let site = Site::start().await;
    let body = json!({
        "flow": 2, "variant": "79", "abgroup": "b", "producttype": "coaching", "lang": "tr",
        "utm_source": "mail", "adid": 7, "token": "secret", "userid": "usr_2",
    });
    let asked = begun(&site, &body).await;
    assert_eq!((asked.flow, asked.variant), (Some(2), Some(79)));
    assert_eq!(
        (
            asked.ab_group.as_str(),
            asked.product_type.as_str(),
            asked.lang.as_str()
        ),
        ("b", "coaching", "tr")
    );
    let tracking = asked.tracking.unwrap().parameters;
    let names: Vec<_> = tracking.keys().map(String::as_str).collect();
    assert_eq!(names, ["adid", "utm_source"], "only the eleven are handed on");
}

#[tokio::test]
async fn what_is_left_out_is_left_to_the_service() {
    let site = Site::start().await;
    let asked = begun(&site, &json!({"lang": "en"})).await;
    assert_eq!(
        (asked.flow, asked.variant, asked.ab_group.as_str()),
        (None, None, "")
    );
}

#[tokio::test]
async fn key_travels_inwards_and_a_conflict_comes_back() {
    let site = Site::start().await;
    let post = |key: &'static str| {
        site.post("/api/survey/orders", &json!({"lang": "en"}))
            .header("idempotency-key", key)
    };
    assert_eq!(post("fresh").send().await.unwrap().status(), 201);
    let asked = site.services.survey_begun.lock().unwrap().clone().unwrap();
    assert_eq!(asked.idempotency_key, "fresh");
    assert_eq!(problem(post("used")).await, (409, "IDEMPOTENCY_CONFLICT".into()));
}

#[tokio::test]
async fn number_that_is_none_is_named() {
    let site = Site::start().await;
    let response = site
        .post("/api/survey/orders", &json!({"flow": "many", "lang": "en"}))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(body_of(response).await["code"], "MALFORMED_BODY");
}

/// What a browser sends back.
async fn cookie_of_a_survey(site: &Site) -> String {
    let response = site
        .post("/api/survey/orders", &json!({"lang": "en"}))
        .send()
        .await
        .unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    let (held, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(held, "stillpoint_survey=svo_1.key1");
    assert!(
        attributes.contains("HttpOnly")
            && attributes.contains("SameSite=Lax")
            && attributes.contains("Max-Age=2592000"),
        "{attributes}"
    );
    held.to_owned()
}

#[tokio::test]
async fn answers_travel_with_the_cookie_that_opens_them() {
    let site = Site::start().await;
    let cookie = cookie_of_a_survey(&site).await;
    let answers = json!({"answers": {"categories": ["101"], "nights": ["slowly"]}, "program": "sleep"});
    let put = || site.request("PUT", "/api/survey/answers").json(&answers);
    assert_eq!(problem(put()).await, (404, "UNKNOWN_ORDER".into()));
    let other = put().header("cookie", "stillpoint_survey=svo_2.key1");
    assert_eq!(problem(other).await, (404, "UNKNOWN_ORDER".into()));

    let saved = put().header("cookie", &cookie).send().await.unwrap();
    assert_eq!(saved.status(), 204);
    let asked = site.services.survey_saved.lock().unwrap().clone().unwrap();
    let kept: Vec<_> = asked
        .answers
        .iter()
        .map(|answer| (answer.question.as_str(), answer.options[0].as_str()))
        .collect();
    assert_eq!(kept, [("categories", "101"), ("nights", "slowly")]);
    assert_eq!((asked.program.as_str(), asked.user_id.as_str()), ("sleep", ""));
}

#[tokio::test]
async fn survey_is_read_only_with_its_cookie_or_by_its_member() {
    let site = Site::start().await;
    let read = async |path: &str, cookie: &str| {
        let response = site.get(path).header("cookie", cookie).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["cache-control"], "no-store");
        body_of(response).await["survey"].clone()
    };
    let cookie = cookie_of_a_survey(&site).await;
    for path in ["/api/survey", "/api/survey?orderid=svo_1"] {
        let survey = read(path, &cookie).await;
        assert_eq!(survey["orderid"], "svo_1");
        assert_eq!(survey["answers"], json!({"nights": ["slowly"]}));
        assert_eq!(survey["program"], Value::Null);
        assert_eq!(read(path, "").await, Value::Null, "without the cookie");
    }
    assert_eq!(read("/api/survey?orderid=svo_2", &cookie).await, Value::Null);
    // A member finds the own survey, whatever survey was begun at this browser.
    let members = format!("{}; stillpoint_survey=svo_2.key2", crate::site::COOKIE);
    assert_eq!(read("/api/survey", &members).await["orderid"], "svo_members");
}

#[tokio::test]
async fn on_https_a_survey_cookie_without_the_prefix_is_ignored() {
    let site = Site::with(&[("PUBLIC_URL", "https://stillpoint.example")]).await;
    let opened = site.post("/api/survey/orders", &json!({"lang": "en"}));
    let opened = opened.send().await.unwrap();
    let cookie = opened.headers()["set-cookie"].to_str().unwrap();
    assert!(
        cookie.starts_with("__Host-stillpoint_survey=svo_1.key1; "),
        "{cookie}"
    );
    let read = async |cookie: &str| {
        let response = site.get("/api/survey").header("cookie", cookie).send();
        body_of(response.await.unwrap()).await["survey"]["orderid"].clone()
    };
    assert_eq!(read("stillpoint_survey=svo_1.key1").await, Value::Null);
    assert_eq!(read("__Host-stillpoint_survey=svo_1.key1").await, "svo_1");
}

#[tokio::test]
async fn survey_form_is_stored_and_redirects() {
    let site = Site::start().await;
    let form = "flow=0&variant=15&producttype=programme&nextPage=%2Fcreating-program&q.nights=slowly&q.when=morning&q.when=evening";
    let post = |form: &'static str| {
        site.request("POST", "/api/survey/answers")
            .header("content-type", "application/x-www-form-urlencoded")
            .header(
                "referer",
                format!("{}/de/survey/?categories=101,103&flow=2&variant=80", site.origin),
            )
            .body(form)
    };
    let response = post(form).send().await.unwrap();
    assert_eq!(response.status(), 303);
    assert_eq!(response.headers()["location"], "/de/creating-program/");
    assert!(
        response.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .starts_with("stillpoint_survey=svo_1.key1; ")
    );
    let begun = site.services.survey_begun.lock().unwrap().clone().unwrap();
    assert_eq!(
        (begun.flow, begun.variant, begun.lang.as_str()),
        (Some(2), Some(80), "de")
    );
    assert_eq!(begun.product_type, "programme");
    let saved = site.services.survey_saved.lock().unwrap().clone().unwrap();
    let answers: Vec<_> = saved
        .answers
        .iter()
        .map(|answer| (answer.question.as_str(), answer.options.join(",")))
        .collect();
    assert_eq!(
        answers,
        [
            ("categories", "101,103".into()),
            ("nights", "slowly".into()),
            ("when", "morning,evening".to_owned())
        ]
    );

    let elsewhere = post("nextPage=%2F%2Fevil.example&q.nights=slowly")
        .send()
        .await
        .unwrap();
    assert_eq!(elsewhere.headers()["location"], "/de/");
}

#[tokio::test]
async fn survey_form_with_a_closed_order_opens_another() {
    let site = Site::start().await;
    let response = site
        .request("POST", "/api/survey/answers")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("cookie", "stillpoint_survey=svo_old.gone")
        .body("nextPage=%2Fcreating-program&q.nights=slowly")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 303);
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("stillpoint_survey=svo_1.key1; "), "{cookie}");
    assert_eq!(
        site.services
            .survey_saved
            .lock()
            .unwrap()
            .clone()
            .unwrap()
            .order_id,
        "svo_1"
    );
}

#[tokio::test]
async fn member_claims_a_survey_with_its_key_and_gets_its_playlist() {
    let site = Site::start().await;
    let cookie = format!("{}; {}", crate::site::COOKIE, cookie_of_a_survey(&site).await);
    let claim = site.post("/specialprogram/idupdate", &json!({"orderid": "svo_1"}));
    assert_eq!(
        claim.header("cookie", &cookie).send().await.unwrap().status(),
        200
    );
    let asked = site.services.survey_claimed.lock().unwrap().clone().unwrap();
    assert_eq!(asked.access_key, "key1");

    let playlist = |order: &str| {
        site.get(&format!("/specialprogram/createsurveyplaylist?orderid={order}"))
            .header("cookie", &cookie)
    };
    let made = body_of(playlist("svo_1").send().await.unwrap()).await;
    assert_eq!(made["data"], json!({"orderid": "svo_1", "playlist_id": "pls_1"}));
    let refused = playlist("svo_2").send().await.unwrap();
    assert_eq!(refused.status(), 422);
    assert_eq!(body_of(refused).await["error_code"], "NO_PLAYLIST");
    let by_token = site.get("/specialprogram/createsurveyplaylist?orderid=svo_1");
    let refused = by_token.bearer_auth("signed").send().await.unwrap();
    assert_eq!(refused.status(), 403, "a call that writes needs the session");
    assert_eq!(body_of(refused).await["error_code"], "SESSION_REQUIRED");
}
