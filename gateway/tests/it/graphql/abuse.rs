//! Abusive queries are rejected fast and reveal nothing.
use std::fmt::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::graphql::queries::{is_request_error, post, status_and_type};
use crate::site::{PRODUCTION, PRODUCTION_READ_TOKEN, READ_TOKEN, Site};

/// A machine that is busy with other tests is slow; a query that doubles at every step is slower.
const FAST: Duration = Duration::from_millis(1500);

async fn refused(site: &Site, query: String) -> Value {
    let began = Instant::now();
    let excerpt: String = query.chars().take(60).collect();
    let (status, _, body) = status_and_type(post(site, &json!({"query": query}))).await;
    assert_eq!(status, 400, "{excerpt}: {body}");
    assert!(is_request_error(&body), "{excerpt}: {body}");
    assert!(began.elapsed() < FAST, "{excerpt} took {:?}", began.elapsed());
    body
}

fn page(alias: usize) -> String {
    format!(
        "a{alias}: page(urlPath: \"/\", locale: \"en\") {{ sections {{ id componentName }} locale template }} "
    )
}

#[tokio::test]
async fn deep_queries_are_refused() {
    let site = Site::start().await;
    let introspection = format!(
        "{{ __schema {}{} }}",
        "{ types { fields { type ".repeat(8),
        "} } }".repeat(8)
    );
    refused(&site, introspection).await;
    for opening in ["{ page ", "{ page(urlPath: [", "{ page(urlPath: {a: "] {
        refused(&site, opening.repeat(3_000)).await;
    }
}

#[tokio::test]
async fn wide_queries_are_refused() {
    let site = Site::start().await;
    let pages: String = (0..400).map(page).collect();
    refused(&site, format!("{{ {pages} }}")).await;
    let list = |count: usize, one: &str| {
        (0..count).fold(String::new(), |mut all, number| {
            write!(all, "a{number}:{one} ").unwrap();
            all
        })
    };
    let (lists, ids) = (list(1_000, "sections{...F}"), list(50, "id"));
    refused(
        &site,
        format!("{{ page(urlPath: \"/\", locale: \"en\") {{ {lists} }} }} fragment F on Block {{ {ids} }}"),
    )
    .await;
    assert_eq!(
        site.services.page_reads.load(std::sync::atomic::Ordering::SeqCst),
        0
    );
}

#[tokio::test]
async fn fragments_in_circles_and_doubling_fragments_are_refused() {
    let site = Site::start().await;
    let circle = "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }";
    refused(&site, circle.into()).await;
    refused(&site, "{ ...a } fragment a on Query { ...a }".into()).await;
    let mut doubling = String::from("{ ...f0 } fragment f27 on Query { __typename }");
    for number in 0..27 {
        let next = number + 1;
        write!(
            doubling,
            " fragment f{number} on Query {{ ...f{next} ...f{next} }}"
        )
        .unwrap();
    }
    refused(&site, doubling).await;
}

#[tokio::test]
async fn wrong_types_and_unknown_names_are_refused() {
    let site = Site::start().await;
    for query in [
        "{ page(urlPath: 7, locale: \"en\") { locale } }",
        "{ page(urlPath: \"/\") { locale } }",
        "{ page(urlPath: \"/\", locale: [\"en\"]) { locale } }",
        "{ page(urlPath: \"/\", locale: \"en\") }",
        "{ page(urlPath: \"/\", locale: \"en\") { locale { deeper } } }",
        "{ page(urlPath: \"/\", locale: \"en\") { ... on Nothing { id } } }",
        "{ page(urlPath: $p, locale: \"en\") { locale } }",
        "subscription { page }",
        "{ page @nothing { locale } }",
        "{ pages(first: 1001) { endCursor } }",
        "{ pages(first: -1) { endCursor } }",
    ] {
        let (status, _, body) = status_and_type(post(&site, &json!({"query": query}))).await;
        let is_out_of_bounds = body["errors"][0]["path"] == json!(["pages"]);
        assert!(status == 400 || is_out_of_bounds, "{query}: {status} {body}");
    }
    let query = "query($p: String!) { page(urlPath: $p, locale: \"en\") { locale } }";
    for variables in [
        json!({"p": 7}),
        json!({"p": null}),
        json!({"p": ["/"]}),
        json!({}),
        json!({"p": {"a": 1}}),
    ] {
        let asked = json!({"query": query, "variables": variables});
        let (status, _, body) = status_and_type(post(&site, &asked)).await;
        assert_eq!(status, 400, "{variables}: {body}");
    }
    // The same, once the operation is known well.
    let good = json!({"query": query, "variables": {"p": "/"}});
    for _ in 0..3 {
        assert_eq!(status_and_type(post(&site, &good)).await.0, 200);
    }
    let bad = json!({"query": query, "variables": {"p": 7}});
    assert_eq!(status_and_type(post(&site, &bad)).await.0, 400);
}

#[tokio::test]
async fn large_bodies_are_refused_whatever_is_in_them() {
    let site = Site::start().await;
    for body in [vec![b' '; 1 << 20], vec![b'['; 1 << 20], vec![0xff; 1 << 20]] {
        let request = site
            .request("POST", "/graphql")
            .header("authorization", READ_TOKEN)
            .header("content-type", "application/json");
        assert_eq!(request.body(body).send().await.unwrap().status(), 413);
    }
    for body in [
        vec![b'['; 60_000],
        vec![0xff; 60_000],
        b"{\"query\":".repeat(6_000),
    ] {
        let request = site
            .request("POST", "/graphql")
            .header("authorization", READ_TOKEN)
            .header("content-type", "application/json");
        assert_eq!(request.body(body).send().await.unwrap().status(), 400);
    }
}

#[tokio::test]
async fn errors_reveal_no_internal_details() {
    let site = Site::with(&PRODUCTION).await;
    let ask = async |query: &str| {
        let request = site.post("/graphql", &json!({"query": query}));
        status_and_type(request.header("authorization", PRODUCTION_READ_TOKEN))
            .await
            .2
            .to_string()
    };
    let misspelt = ask("{ pag(urlPath: \"/\", locale: \"en\") { locale } }").await;
    assert!(!misspelt.contains("Did you mean"), "{misspelt}");
    let broken = ask("{ page(urlPath: \"/broken\", locale: \"en\") { locale } }").await;
    assert!(!broken.contains("relation"), "{broken}");
    for query in [
        "{ __schema { types { name } } }",
        "{ __type(name: \"Query\") { name } }",
    ] {
        let answer: Value = serde_json::from_str(&ask(query).await).unwrap();
        let is_revealed = answer["data"]
            .as_object()
            .into_iter()
            .flatten()
            .any(|(_, value)| !value.is_null());
        assert!(!is_revealed, "{answer}");
    }
}
