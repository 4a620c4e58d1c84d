//! Answers from memory, and answers straight from stored documents.
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use crate::graphql::queries::{home, home_question, post};
use crate::site::{READ_TOKEN, Site, body_of, header, until};

const QUERY: &str =
    "query($path: String!) { page(urlPath: $path, locale: \"en\") { seo { title } sections { id } } }";

fn question() -> Value {
    json!({"query": QUERY, "variables": {"path": "/"}})
}

async fn title(site: &Site) -> Value {
    let response = post(site, &question()).send().await.unwrap();
    assert_eq!(response.status(), 200);
    body_of(response).await["data"]["page"]["seo"]["title"].take()
}

/// Asks until the answer comes from memory.
async fn warm_up(site: &Site, question: &Value) {
    until("the answer is stored", async || {
        let response = post(site, question).send().await.unwrap();
        header(&response, "cache-status") == "stillpoint; hit"
    })
    .await;
}

async fn until_title(site: &Site, wanted: &str) {
    until(wanted, async || title(site).await == wanted).await;
}

#[tokio::test]
async fn plan_resolvers_and_cache_answer_alike() {
    let site = Site::start().await;
    let first = home(&site).await;
    for _ in 0..6 {
        assert_eq!(home(&site).await, first);
    }
    warm_up(&site, &home_question()).await;
    let reads = site.services.page_reads.load(Ordering::SeqCst);
    assert_eq!(home(&site).await, first);
    assert_eq!(
        first["data"]["page"]["sections"][1]["plans"][0]["price"]["offer"]["priceId"],
        "prc_1"
    );
    assert_eq!(
        site.services.page_reads.load(Ordering::SeqCst),
        reads,
        "the last one came from memory"
    );
}

#[tokio::test]
async fn published_page_is_seen_at_once() {
    let site = Site::start().await;
    *site.services.title.lock().unwrap() = "One".into();
    warm_up(&site, &question()).await;
    *site.services.title.lock().unwrap() = "Two".into();
    assert_eq!(title(&site).await, "One");
    site.publish(
        "stillpoint.content.page.published",
        json!({"urlPath": "/pricing", "locale": "en"}),
    )
    .await;
    site.publish(
        "stillpoint.content.page.published",
        json!({"urlPath": "/", "locale": "en"}),
    )
    .await;
    until_title(&site, "Two").await;
    *site.services.title.lock().unwrap() = "Three".into();
    warm_up(&site, &question()).await;
    site.publish(
        "stillpoint.content.page.unpublished",
        json!({"urlPath": "/", "locale": "en"}),
    )
    .await;
    until_title(&site, "Three").await;
}

#[tokio::test]
async fn cached_response_outlives_content_until_a_gap_in_the_events() {
    let site = Site::start().await;
    *site.services.title.lock().unwrap() = "One".into();
    warm_up(&site, &question()).await;
    site.services.content_down.store(true, Ordering::SeqCst);
    assert_eq!(title(&site).await, "One");
    site.services.content_down.store(false, Ordering::SeqCst);
    *site.services.title.lock().unwrap() = "Two".into();
    site.host.stop_nats();
    site.host.start_nats();
    until_title(&site, "Two").await;
}

#[tokio::test]
async fn error_is_returned_and_never_stored() {
    let site = Site::start().await;
    for _ in 0..3 {
        assert!(title(&site).await.is_string());
    }
    site.publish(
        "stillpoint.content.page.published",
        json!({"urlPath": "/", "locale": "en"}),
    )
    .await;
    site.services.content_down.store(true, Ordering::SeqCst);
    let down = json!({"query": QUERY.replace("seo", "again: seo"), "variables": {"path": "/"}});
    for _ in 0..4 {
        let body = body_of(post(&site, &down).send().await.unwrap()).await;
        assert_eq!(body["errors"][0]["extensions"]["code"], "UNAVAILABLE", "{body}");
        assert!(!body.to_string().contains("10.0.0.7"), "{body}");
    }
    site.services.content_down.store(false, Ordering::SeqCst);
    let body = body_of(post(&site, &down).send().await.unwrap()).await;
    assert!(body.get("errors").is_none(), "{body}");
}

#[tokio::test]
async fn response_without_prices_is_not_stored() {
    let site = Site::start().await;
    site.services.checkout_down.store(true, Ordering::SeqCst);
    for _ in 0..4 {
        home(&site).await;
    }
    // A response without offers is stored after them.
    warm_up(&site, &question()).await;
    site.services.checkout_down.store(false, Ordering::SeqCst);
    let body = home(&site).await;
    assert_eq!(
        body["data"]["page"]["sections"][1]["plans"][0]["price"]["offer"]["priceId"],
        "prc_1"
    );
}

#[tokio::test]
async fn published_price_invalidates_responses_with_prices() {
    let site = Site::start().await;
    warm_up(&site, &home_question()).await;
    let before = site.services.quotes.load(Ordering::SeqCst);
    home(&site).await;
    assert_eq!(site.services.quotes.load(Ordering::SeqCst), before, "from memory");
    site.publish(
        "stillpoint.checkout.campaign.published",
        json!({"campaign": "web-annual"}),
    )
    .await;
    until("the price is requested again", async || {
        home(&site).await;
        site.services.quotes.load(Ordering::SeqCst) > before
    })
    .await;
}

#[tokio::test]
async fn cached_response_is_compressed_once_and_has_an_etag() {
    let site = Site::start().await;
    let fields = (0..40).fold(String::new(), |all, number| {
        all + &format!("a{number}: template ")
    });
    let query = format!("{{ page(urlPath: \"/\", locale: \"en\") {{ {fields} }} }}");
    let ask = || {
        let request = site.get("/graphql").query(&[("query", query.as_str())]);
        request
            .header("authorization", READ_TOKEN)
            .header("accept-encoding", "gzip")
    };
    let mut answer = ask().send().await.unwrap();
    for _ in 0..100 {
        if header(&answer, "content-encoding") == "gzip" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        answer = ask().send().await.unwrap();
    }
    assert_eq!(header(&answer, "cache-control"), "private, no-cache");
    assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
    let etag = header(&answer, "etag").to_owned();
    let again = ask().header("if-none-match", etag).send().await.unwrap();
    assert_eq!(again.status(), 304);
    let anew = ask().header("cache-control", "no-cache").send().await.unwrap();
    assert_eq!(header(&anew, "cache-status"), "");
}
