//! GraphQL, and GraphQL over HTTP.
use std::sync::atomic::Ordering;

use reqwest::header::{ACCEPT, HeaderValue};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::site::{PRODUCTION, PRODUCTION_READ_TOKEN, READ_TOKEN, Site, body_of, header};

const RESPONSE: &str = "application/graphql-response+json; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const HOME: &str = r#"query Home($locale: String!) {
  page(urlPath: "/", locale: $locale) {
    locale contentLocale template pageType snapshotId publishedAt availableLocales seo { title noindex }
    sections { id componentName ... on PlanList { plans { title price { campaignName
      offer { priceId currency price defaultPrice discountAmount discountRate trialDays periodMonths minorPrice exponent } } } } }
  }
  chrome(locale: $locale) { navigation { logo { url } } footer { logo { alt } } }
}"#;

pub fn post(site: &Site, body: &Value) -> RequestBuilder {
    site.post("/graphql", body).header("authorization", READ_TOKEN)
}

pub fn home_question() -> Value {
    json!({"query": HOME, "variables": {"locale": "tr"}, "operationName": "Home"})
}

pub async fn home(site: &Site) -> Value {
    body_of(post(site, &home_question()).send().await.unwrap()).await
}

/// As a client that names the media type of GraphQL, unless the request says otherwise.
pub async fn status_and_type(request: RequestBuilder) -> (u16, String, Value) {
    let (client, request) = request.build_split();
    let mut request = request.unwrap();
    let accept = HeaderValue::from_static("application/graphql-response+json");
    request.headers_mut().entry(ACCEPT).or_insert(accept);
    let response = client.execute(request).await.unwrap();
    let kind = header(&response, "content-type").to_owned();
    (response.status().as_u16(), kind, body_of(response).await)
}

pub fn is_request_error(body: &Value) -> bool {
    body.get("data").is_none() && !body["errors"].as_array().unwrap().is_empty()
}

#[tokio::test]
async fn page_has_its_blocks_and_all_their_prices_in_one_call() {
    let site = Site::start().await;
    let body = home(&site).await;
    let page = &body["data"]["page"];
    assert_eq!(
        (&page["locale"], &page["contentLocale"]),
        (&json!("tr"), &json!("en")),
        "{body}"
    );
    let names: Vec<&str> = page["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["componentName"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Hero", "PlanList"], "an unknown block is left out");
    let plans = &page["sections"][1]["plans"];
    let offer = &plans[1]["price"]["offer"];
    assert_eq!(
        (&offer["priceId"], &offer["minorPrice"], &offer["exponent"]),
        (&json!("prc_1"), &json!(95_920), &json!(2))
    );
    assert_eq!(
        (offer["price"].as_f64(), offer["defaultPrice"].as_f64()),
        (Some(959.2), Some(1199.0))
    );
    assert_eq!(plans[2]["price"]["offer"], Value::Null);
    assert_eq!(body["data"]["chrome"]["footer"]["logo"]["alt"], "Stillpoint");
    assert_eq!(site.services.quotes.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn turkish_offer_has_turkish_prices_in_every_language() {
    let site = Site::start().await;
    for path in ["/offers/Turkcell", "/"] {
        // The resolvers answer the first, the plan the second.
        for _ in 0..2 {
            let query = HOME.replace(r#"urlPath: "/""#, &format!("urlPath: {path:?}"));
            let request = post(&site, &json!({"query": query, "variables": {"locale": "en"}}));
            let body = body_of(request.header("cache-control", "no-cache").send().await.unwrap()).await;
            assert_eq!(body["data"]["page"]["locale"], "en", "{body}");
        }
    }
    assert_eq!(*site.services.quoted_in.lock().unwrap(), ["tr", "tr", "en", "en"]);
}

#[tokio::test]
async fn page_is_whole_but_for_its_prices_when_checkout_is_down() {
    let site = Site::start().await;
    site.services.checkout_down.store(true, Ordering::SeqCst);
    let body = home(&site).await;
    assert_eq!(body.get("errors"), None);
    assert_eq!(
        body["data"]["page"]["sections"][1]["plans"][0]["price"]["offer"],
        Value::Null
    );
    assert_eq!(
        site.services.quotes.load(Ordering::SeqCst),
        1,
        "one question, not one per plan"
    );
}

#[tokio::test]
async fn page_that_is_not_there_is_null_and_one_that_fails_is_an_error_without_detail() {
    let site = Site::start().await;
    let ask = |path: &str| {
        post(
            &site,
            &json!({"query": format!("{{ page(urlPath: \"{path}\", locale: \"en\") {{ locale }} }}")}),
        )
    };
    let (status, _, body) = status_and_type(ask("/nowhere")).await;
    assert_eq!((status, body), (200, json!({"data": {"page": null}})));
    let (status, _, body) = status_and_type(ask("/broken")).await;
    assert_eq!((status, &body["data"]), (200, &json!({"page": null})), "{body}");
    assert_eq!(body["errors"][0]["extensions"]["code"], "INTERNAL");
    assert!(!body.to_string().contains("relation"), "{body}");
}

#[tokio::test]
async fn pages_are_listed_with_a_cursor() {
    let site = Site::start().await;
    let (_, _, body) = status_and_type(post(
        &site,
        &json!({"query": "{ pages(first: 2) { nodes { urlPath locale } endCursor } }"}),
    ))
    .await;
    assert_eq!(body["data"]["pages"]["endCursor"], "2");
    let (_, _, body) = status_and_type(post(
        &site,
        &json!({"query": "{ pages(after: \"2\") { nodes { urlPath } endCursor } }"}),
    ))
    .await;
    assert_eq!(
        body["data"]["pages"],
        json!({"nodes": [{"urlPath": "/pricing"}], "endCursor": null})
    );
}

#[tokio::test]
async fn records_are_asked_by_their_id() {
    let site = Site::start().await;
    let query = r#"{
      mdB2bBookADemo(id: "demo", locale: "tr") { id componentName sideImage { url } sideColTitle iconRedirect
        whatsYourInterest { id value label tooltipText } }
      mdHeroComponent(id: "home") { section { id componentName ... on Hero { title } } }
      scrollThrough(id: "steps") { id sections { id title description image { url } } }
      none: scrollThrough(id: "nothing") { id }
      footer(locale: "en") { logo { alt } }
    }"#;
    let expected = json!({
        "mdB2bBookADemo": {"id": "demo", "componentName": "B2bBookADemo", "sideImage": {"url": "/art/orb/team.svg"},
            "sideColTitle": "Calm teams", "iconRedirect": "/business",
            "whatsYourInterest": [{"id": "sleep", "value": "sleep", "label": "Sleep", "tooltipText": "Nights"}]},
        "mdHeroComponent": {"section": {"id": "home", "componentName": "Hero", "title": "Breathe"}},
        "scrollThrough": {"id": "steps", "sections": [
            {"id": "one", "title": "One", "description": "First", "image": {"url": "/art/waves/one.svg"}}]},
        "none": null,
        "footer": {"logo": {"alt": "Stillpoint"}},
    });
    for _ in 0..3 {
        let (_, _, body) = status_and_type(post(&site, &json!({"query": query}))).await;
        assert_eq!(body["data"], expected, "{body}");
    }
}

#[tokio::test]
async fn without_the_read_token_there_is_nothing() {
    let site = Site::start().await;
    for token in [None, Some("Bearer wrong"), Some("Basic read-published")] {
        let mut request = site.post("/graphql", &json!({"query": "{ __typename }"}));
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        let response = request.send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), header(&response, "www-authenticate")),
            (401, "Bearer")
        );
        assert_eq!(header(&response, "content-type"), JSON);
        let body = body_of(response).await;
        assert!(is_request_error(&body));
        assert_eq!(body["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn media_type_and_status_are_what_the_client_reads() {
    let site = Site::start().await;
    let ask =
        |query: &str, accept: &'static str| post(&site, &json!({"query": query})).header("accept", accept);
    let check = async |query: &str, accept: &'static str, status: u16, kind: &str| {
        let (seen, seen_kind, body) = status_and_type(ask(query, accept)).await;
        assert_eq!(
            (seen, seen_kind.as_str()),
            (status, kind),
            "{query} {accept} {body}"
        );
        body
    };
    check(
        "{ __typename }",
        "application/graphql-response+json",
        200,
        RESPONSE,
    )
    .await;
    check("{ __typename }", "application/json", 200, JSON).await;
    check("{ __typename }", "*/*", 200, JSON).await;
    for broken in [
        "{",
        "{ nothing }",
        "query($x: Int!) { __typename }",
        "query A { __typename } query B { __typename }",
    ] {
        assert!(
            is_request_error(&check(broken, "application/graphql-response+json", 400, RESPONSE).await),
            "{broken}"
        );
        assert!(
            is_request_error(&check(broken, "application/json", 200, JSON).await),
            "{broken}"
        );
    }
    check("{ __typename }", "text/html", 406, JSON).await;
}

#[tokio::test]
async fn what_is_no_graphql_request_is_refused() {
    let site = Site::start().await;
    for body in [
        "{",
        "[]",
        "\"x\"",
        "{}",
        "{\"query\": 1}",
        "{\"query\": \"{ __typename }\", \"variables\": [1]}",
        "[{\"query\": \"{ __typename }\"}]",
    ] {
        let request = site
            .request("POST", "/graphql")
            .header("authorization", READ_TOKEN);
        let request = request.header("content-type", "application/json").body(body);
        let (status, _, answer) = status_and_type(request).await;
        assert_eq!((status, is_request_error(&answer)), (400, true), "{body}");
    }
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin1",
    ] {
        let request = site
            .request("POST", "/graphql")
            .header("authorization", READ_TOKEN)
            .header("content-type", kind);
        assert_eq!(status_and_type(request.body("{}")).await.0, 415, "{kind}");
    }
}

#[tokio::test]
async fn get_accepts_queries_only() {
    let site = Site::start().await;
    let get = |pairs: &[(&str, &str)]| {
        site.get("/graphql")
            .query(pairs)
            .header("authorization", READ_TOKEN)
    };
    let (status, kind, body) = status_and_type(get(&[
        (
            "query",
            "query Q($l: String!) { navigation(locale: $l) { logo { url } } }",
        ),
        ("variables", "{\"l\": \"en\"}"),
    ]))
    .await;
    assert_eq!(
        (status, kind.as_str(), &body["data"]["navigation"]["logo"]["url"]),
        (200, RESPONSE, &json!("/favicon.svg"))
    );
    let mutation: Response = get(&[("query", "mutation { x }")]).send().await.unwrap();
    assert_eq!(
        (mutation.status().as_u16(), header(&mutation, "allow")),
        (405, "POST")
    );
    assert_eq!(status_and_type(get(&[])).await.0, 400);
    assert_eq!(
        status_and_type(get(&[("query", "{ __typename }"), ("variables", "nope")]))
            .await
            .0,
        400
    );
    let put = site
        .request("PUT", "/graphql")
        .header("authorization", READ_TOKEN)
        .send()
        .await
        .unwrap();
    assert_eq!(put.status(), 405);
}

#[tokio::test]
async fn introspection_is_enabled_in_development_only() {
    let query = json!({"query": "{ __schema { queryType { name } } }"});
    let open = Site::start().await;
    assert_eq!(
        status_and_type(post(&open, &query)).await.2["data"]["__schema"]["queryType"]["name"],
        "Query"
    );
    let closed = Site::with(&PRODUCTION).await;
    let request = closed
        .post("/graphql", &query)
        .header("authorization", PRODUCTION_READ_TOKEN);
    let body = status_and_type(request).await.2;
    assert_eq!(body["data"]["__schema"], Value::Null, "{body}");
}
