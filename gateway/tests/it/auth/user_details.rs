//! What the chat asks about whom it speaks with.
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::site::{COOKIE, Site, body_of, header, problem};

#[tokio::test]
async fn details_come_in_both_spellings() {
    let site = Site::start().await;
    let response = site
        .get("/api/users/details?locale=tr")
        .bearer_auth("alive")
        .send()
        .await
        .unwrap();
    assert_eq!(header(&response, "cache-control"), "no-store");
    let expected = json!({
        "userID": "usr_1", "user_id": "usr_1",
        "fullName": "Ada Yılmaz", "firstName": "Ada", "lastName": "Yılmaz", "email": "ada@example.org",
        "isCoachingUser": false, "coachingready": false, "isTherapyUser": true, "istherapyuser": true,
        "locale": "tr",
    });
    assert_eq!(body_of(response).await, expected);
}

#[tokio::test]
async fn locale_is_one_of_ours_whatever_is_asked_for() {
    let site = Site::start().await;
    let locale_of = async |request: RequestBuilder| -> Value {
        let request = request
            .header("cookie", COOKIE)
            .header("accept-language", "de-AT");
        body_of(request.send().await.unwrap()).await["locale"].clone()
    };
    let ask = |query: &str| site.get(&format!("/api/users/details{query}"));
    assert_eq!(locale_of(ask("?locale=pt-BR")).await, "pt");
    for query in ["", "?locale=", "?locale=xx", "?locale=tr&locale=ja"] {
        assert_eq!(locale_of(ask(query)).await, "de", "{query}");
    }
}

#[tokio::test]
async fn details_need_a_session() {
    let site = Site::start().await;
    for token in ["", "dead"] {
        let request = site.get("/api/users/details?locale=en").bearer_auth(token);
        assert_eq!(problem(request).await, (401, "V100".into()), "{token}");
    }
}
