//! A member takes along what is kept of them.
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::site::{COOKIE, Site, body_of, header, problem};

#[tokio::test]
async fn export_is_a_file_with_a_part_of_every_service() {
    let site = Site::start().await;
    let response = site
        .get("/api/account/export")
        .header("cookie", COOKIE)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(header(&response, "cache-control"), "no-store");
    assert!(header(&response, "content-disposition").starts_with("attachment; "));
    let export = body_of(response).await;
    assert_eq!(export["exported_at"], "2026-11-20T12:00:00Z");
    assert_eq!(export["auth"]["account"]["email"], "ada@example.org");
    // Of the member who asks, as their session says.
    assert_eq!(
        export["checkout"]["customer"]["stripe_customer_id"],
        "cus_of_usr_1"
    );
    let events: Vec<_> = export["analytics"]["events"].as_array().unwrap().iter().collect();
    assert_eq!(events.len(), 2, "a part was lost");
    assert_eq!(events[1]["name"], "last of usr_1");
    assert_eq!(export["sessions"], json!({}));
}

#[tokio::test]
async fn partial_export_is_refused() {
    let site = Site::start().await;
    site.services.checkout_down.store(true, Ordering::SeqCst);
    let asked = site.get("/api/account/export").header("cookie", COOKIE);
    assert_eq!(problem(asked).await.0, 503);
}

#[tokio::test]
async fn export_needs_a_session() {
    let site = Site::start().await;
    assert_eq!(
        problem(site.get("/api/account/export")).await,
        (401, "V100".into())
    );
    let dead = site
        .get("/api/account/export")
        .header("cookie", "stillpoint_session=dead");
    assert_eq!(problem(dead).await, (401, "V100".into()));
}
