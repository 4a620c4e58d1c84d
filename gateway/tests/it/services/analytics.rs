//! Events of browsers and figures for operators.
use serde_json::json;

use crate::site::{Site, body_of, problem};

#[tokio::test]
async fn events_are_taken_with_their_scalar_fields() {
    let site = Site::start().await;
    let events = json!({"events": [
        {"id": "0199f0a4-6c1e-7cc0-9f3a-2b1d5f8a7c11", "name": "page_view", "occurred_at": "2026-11-20T12:00:00Z",
         "fields": {"path": "/en/", "depth": 3, "first": true, "referrer": null}},
        {"id": "0199f0a4-6c1e-7cc0-9f3a-2b1d5f8a7c12", "name": "click"},
    ]});
    let request = site
        .post("/api/analytics/events", &events)
        .header("accept-language", "tr-TR,tr;q=0.9");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 202);
    assert_eq!(body_of(response).await, json!({"accepted": 2}));
    let asked = site.services.recorded.lock().unwrap().clone().unwrap();
    assert_eq!((asked.lang.as_str(), asked.country.as_str()), ("tr", "TR"));
    let fields = &asked.events[0].fields;
    assert_eq!(
        (
            fields["path"].as_str(),
            fields["depth"].as_str(),
            fields["first"].as_str(),
            fields.len()
        ),
        ("/en/", "3", "true", 3)
    );
}

#[tokio::test]
async fn language_of_the_page_precedes_the_browsers() {
    let site = Site::start().await;
    let events = json!({"events": [{"id": "0199f0a4-6c1e-7cc0-9f3a-2b1d5f8a7c11", "name": "page_view"}]});
    let request = site
        .post("/api/analytics/events", &events)
        .header("referer", format!("{}/de/plans/", site.origin))
        .header("accept-language", "tr-TR,tr;q=0.9");
    assert_eq!(request.send().await.unwrap().status(), 202);
    let asked = site.services.recorded.lock().unwrap().clone().unwrap();
    assert_eq!(asked.lang, "de");
}

#[tokio::test]
async fn field_that_is_no_scalar_is_named() {
    let site = Site::start().await;
    let events = json!({"events": [{"id": "x", "name": "y", "fields": {"deep": {"a": 1}}}]});
    let response = site.post("/api/analytics/events", &events).send().await.unwrap();
    assert_eq!(response.status(), 400);
    assert_eq!(
        body_of(response).await["errors"][0]["field"],
        "events[0].fields.deep"
    );
}

#[tokio::test]
async fn page_view_of_a_special_programme_has_five_fields() {
    let site = Site::start().await;
    let view = |user_id: &str| json!({"fullPath": "/en/plans/", "pageType": "landing", "event": "pageload", "orderid": "svo_1", "userid": user_id});
    let reported = async |request: reqwest::RequestBuilder| {
        assert_eq!(request.send().await.unwrap().status(), 202);
        site.services
            .recorded
            .lock()
            .unwrap()
            .clone()
            .unwrap()
            .events
            .remove(0)
    };
    let path = "/api/analytics/special-program-events";

    let event = reported(site.post_as_member(path, &view("usr_1"))).await;
    let fields: Vec<_> = event
        .fields
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    let expected = [
        ("fullPath", "/en/plans/"),
        ("orderid", "svo_1"),
        ("pageType", "landing"),
        ("userid", "usr_1"),
    ];
    assert_eq!(
        (event.name.as_str(), fields.as_slice()),
        ("pageload", expected.as_slice())
    );

    for request in [
        site.post_as_member(path, &view("usr_of_another")),
        site.post(path, &view("usr_1")),
    ] {
        assert_eq!(
            reported(request).await.fields.get("userid"),
            None,
            "a claimed user id is not trusted"
        );
    }
    let key = "0199f0a4-6c1e-7cc0-9f3a-2b1d5f8a7c11";
    let again = site.post(path, &view("")).header("idempotency-key", key);
    assert_eq!(reported(again).await.event_id, key);
}

#[tokio::test]
async fn figures_are_for_operators() {
    let site = Site::start().await;
    let ask = |query: &str, token: &str| {
        site.get(&format!("/api/analytics/summary{query}"))
            .header("authorization", token)
    };
    assert_eq!(
        problem(ask("", "Bearer wrong")).await,
        (401, "UNAUTHENTICATED".into())
    );
    let response = ask("?days=7", "Bearer operate").send().await.unwrap();
    assert_eq!(
        body_of(response).await,
        json!({"counts": [{"day": "2026-11-20", "event": "e", "count": 7}]})
    );
    assert_eq!(problem(ask("?days=many", "Bearer operate")).await.0, 422);
}

#[tokio::test]
async fn country_is_the_proxys_word_or_the_browsers_language() {
    let site = Site::with(&[("COUNTRY_HEADER", "cf-ipcountry")]).await;
    let ask = async |name: &'static str, value: &'static str| {
        body_of(site.get("/api/country").header(name, value).send().await.unwrap()).await
    };
    assert_eq!(ask("cf-ipcountry", "DE").await, json!({"countryCode": "DE"}));
    assert_eq!(
        ask("accept-language", "tr-TR").await,
        json!({"countryCode": "TR"})
    );
    assert_eq!(
        ask("x-forwarded-for", "1.2.3.4").await,
        json!({"countryCode": "US"})
    );
}

#[tokio::test]
async fn countries_are_named_in_the_language_that_is_asked_for_with_turkey_first() {
    let site = Site::start().await;
    let countries = async |path: &str| {
        let response = site
            .get(path)
            .header("accept-language", "de")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
        body_of(response).await["countries"].clone()
    };
    let turkish = countries("/api/countries?lang=tr").await;
    assert_eq!(turkish[0], serde_json::json!({"code": "TR", "name": "Türkiye"}));
    let named = |list: &serde_json::Value, code: &str| {
        let found = list
            .as_array()
            .unwrap()
            .iter()
            .find(|country| country["code"] == code);
        found.unwrap()["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(named(&turkish, "DE"), "Almanya");
    let german = countries("/api/countries").await;
    assert_eq!(
        (named(&german, "TR"), named(&german, "FR")),
        ("Türkei".into(), "Frankreich".into())
    );
    assert_eq!(countries("/api/countries?lang=xx").await, german);
}
