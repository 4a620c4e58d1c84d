//! What visitors see while things behind the door are down.
use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use serde_json::json;

use crate::graphql::queries::post;
use crate::site::{Site, body_of, header};

/// Paths that are cached before the outage.
const KEPT: [&str; 5] = [
    "/en/",
    "/tr/pricing/",
    "/assets/app-1.js",
    "/sitemap.xml",
    "/sitemap-en.xml",
];

#[tokio::test]
async fn cached_pages_survive_a_total_outage() {
    let site = Site::start().await;
    for path in KEPT {
        assert_eq!(site.get(path).send().await.unwrap().status(), 200, "{path}");
    }
    site.renderer.stop();
    site.services.content_down.store(true, Ordering::SeqCst);
    site.services.checkout_down.store(true, Ordering::SeqCst);
    site.services.auth_down.store(true, Ordering::SeqCst);
    site.host.stop_nats();
    for hours in [0, 2, 30] {
        site.host.clock().advance(TimeDelta::hours(hours));
        for path in KEPT {
            let answer = site.get(path).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{path} after {hours} hours");
        }
    }
    for (path, status) in [
        ("/", 307),
        ("/en", 308),
        ("/robots.txt", 200),
        ("/manifest.webmanifest", 200),
        ("//x", 404),
    ] {
        assert_eq!(site.get(path).send().await.unwrap().status(), status, "{path}");
    }
    let unseen = site.get("/de/pricing/").send().await.unwrap();
    assert_eq!(
        (unseen.status().as_u16(), header(&unseen, "content-language")),
        (503, "de")
    );
}

#[tokio::test]
async fn old_sitemap_is_served_when_the_new_one_fails() {
    let site = Site::start().await;
    let before = site.text("/sitemap-en.xml").await;
    site.services.content_down.store(true, Ordering::SeqCst);
    site.publish(
        "stillpoint.content.page.published",
        json!({"urlPath": "/x", "locale": "en"}),
    )
    .await;
    site.events_applied().await;
    for _ in 0..3 {
        assert_eq!(site.text("/sitemap-en.xml").await, before);
    }
}

#[tokio::test]
async fn database_that_restarts_is_an_error_for_as_long_as_it_takes_and_no_longer() {
    let site = Site::start().await;
    assert_eq!(site.get("/en/").send().await.unwrap().status(), 200);
    let query = json!({"query": "{ page(urlPath: \"/\", locale: \"en\") { template } }"});
    for down in [true, false, true, false] {
        // What content answers while its pool finds no database.
        site.services.content_down.store(down, Ordering::SeqCst);
        let fresh = post(&site, &query).header("cache-control", "no-cache");
        let body = body_of(fresh.send().await.unwrap()).await;
        assert_eq!(body.get("errors").is_some(), down, "{body}");
        assert_eq!(site.get("/en/").send().await.unwrap().status(), 200);
    }
}

#[tokio::test]
async fn pages_published_during_a_gap_are_current_after_reconnect() {
    let site = Site::start().await;
    assert!(site.text("/en/pricing/").await.contains("number 1"));
    site.host.stop_nats();
    // Events published now are not delivered.
    for _ in 0..3 {
        assert!(site.text("/en/pricing/").await.contains("number 1"));
    }
    site.host.start_nats();
    site.eventually("/en/pricing/", "number 2").await;
    site.publish(
        "stillpoint.content.page.published",
        json!({"urlPath": "/pricing", "locale": "en"}),
    )
    .await;
    site.eventually("/en/pricing/", "number 3").await;
}
