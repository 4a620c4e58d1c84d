//! What is published is seen at once, and nothing else is thrown away.
use chrono::TimeDelta;
use serde_json::json;

use crate::site::{Site, until};

const PAGE: &str = "stillpoint.content.page.published";

#[tokio::test]
async fn published_page_replaces_itself_in_every_locale_and_no_other() {
    let site = Site::start().await;
    for path in ["/en/pricing/", "/tr/pricing/", "/tr/pricing.data", "/en/"] {
        site.text(path).await;
    }
    site.publish(
        PAGE,
        json!({"urlPath": "/pricing", "locale": "en", "snapshotId": "snp_2"}),
    )
    .await;
    site.eventually("/en/pricing/", "number 5").await;
    assert!(site.text("/tr/pricing/").await.contains("number 6"));
    assert!(site.text("/tr/pricing.data").await.contains("number 7"));
    assert!(site.text("/en/").await.contains("number 4"));
}

#[tokio::test]
async fn missing_page_is_rendered_after_its_publication() {
    let site = Site::start().await;
    assert!(site.text("/en/missing/").await.contains("number 1"));
    site.publish(PAGE, json!({"urlPath": "/missing", "locale": "en"}))
        .await;
    site.eventually("/en/missing/", "number 2").await;
}

#[tokio::test]
async fn published_price_replaces_every_page_that_shows_one() {
    let site = Site::start().await;
    site.text("/en/").await;
    site.text("/assets/app-1.js").await;
    site.publish(
        "stillpoint.checkout.campaign.published",
        json!({"campaign": "web-annual"}),
    )
    .await;
    site.eventually("/en/", "number 3").await;
    site.text("/assets/app-1.js").await;
    assert_eq!(site.renderer.made(), 3);
}

#[tokio::test]
async fn published_navigation_replaces_its_locale_and_that_of_english_all() {
    let site = Site::start().await;
    site.text("/tr/").await;
    site.text("/ar/").await;
    site.publish("stillpoint.content.chrome.published", json!({"locale": "tr"}))
        .await;
    site.eventually("/tr/", "number 3").await;
    assert!(site.text("/ar/").await.contains("number 2"));
    site.publish("stillpoint.content.chrome.published", json!({"locale": "en"}))
        .await;
    site.eventually("/ar/", "number 4").await;
}

#[tokio::test]
async fn page_published_while_it_was_made_is_made_again() {
    let site = Site::start().await;
    site.renderer.hold("/en/pricing/");
    let (old, ()) = tokio::join!(site.text("/en/pricing/"), async {
        site.renderer.until_made(1).await;
        site.publish(PAGE, json!({"urlPath": "/pricing", "locale": "en"}))
            .await;
        site.events_applied().await;
        site.renderer.release();
    });
    assert!(old.contains("number 1"));
    assert!(site.text("/en/pricing/").await.contains("number 3"));
}

#[tokio::test]
async fn old_page_is_served_when_the_render_fails() {
    let site = Site::start().await;
    site.text("/en/pricing/").await;
    site.renderer.break_down();
    site.publish(PAGE, json!({"urlPath": "/pricing", "locale": "en"}))
        .await;
    until("a render has failed", async || {
        let page = site.get("/en/pricing/").send().await.unwrap();
        assert_eq!(page.status(), 200);
        assert!(page.text().await.unwrap().contains("number 1"));
        site.renderer.made() >= 2
    })
    .await;
    site.renderer.recover();
    site.host.clock().advance(TimeDelta::seconds(3));
    site.eventually("/en/pricing/", "number 3").await;
}

#[tokio::test]
async fn lost_connection_to_the_events_keeps_pages_and_makes_them_anew() {
    let site = Site::start().await;
    site.text("/en/").await;
    site.host.stop_nats();
    let bus = site.host.context().bus.clone();
    until("the connection is lost", async || !bus.is_connected()).await;
    assert!(site.text("/en/").await.contains("number 1"));
    site.host.start_nats();
    site.eventually("/en/", "number 2").await;
}
