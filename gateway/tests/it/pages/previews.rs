//! Drafts are visible only with a preview link.
use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::site::{READ_TOKEN, Site, body_of, header};
use crate::stand_ins::content::PREVIEW_TOKEN;

const COOKIE: &str = "stillpoint_preview=prv_0123456789abcdef";

async fn titles(site: &Site, token: &str) -> Value {
    let query = r#"{ draft: page(urlPath: "/", locale: "tr") { seo { title } }
                     other: page(urlPath: "/", locale: "en") { seo { title } } }"#;
    let request = site.post("/graphql", &json!({"query": query}));
    let response = request.header("authorization", token).send().await.unwrap();
    if token != READ_TOKEN {
        assert_eq!(header(&response, "cache-control"), "no-store");
    }
    body_of(response).await["data"].take()
}

#[tokio::test]
async fn preview_token_shows_the_draft_of_its_page_and_no_other() {
    let site = Site::start().await;
    *site.services.title.lock().unwrap() = "Published".into();
    let token = format!("Bearer {PREVIEW_TOKEN}");
    for _ in 0..4 {
        let seen = titles(&site, &token).await;
        assert_eq!(seen["draft"]["seo"]["title"], "A draft");
        assert_eq!(seen["other"]["seo"]["title"], "Published");
        let seen = titles(&site, READ_TOKEN).await;
        assert_eq!(
            seen["draft"]["seo"]["title"], "Published",
            "a draft is not cached"
        );
    }
    let request = site.post("/graphql", &json!({"query": "{ __typename }"}));
    let response = request
        .header("authorization", token.clone())
        .send()
        .await
        .unwrap();
    assert_eq!(header(&response, "x-robots-tag"), "noindex, nofollow");

    site.services.preview_over.store(true, Ordering::SeqCst);
    let request = site.post("/graphql", &json!({"query": "{ __typename }"}));
    assert_eq!(
        request
            .header("authorization", token)
            .send()
            .await
            .unwrap()
            .status(),
        401
    );
}

#[tokio::test]
async fn link_loses_its_token_and_leads_to_the_draft() {
    let site = Site::start().await;
    let link = format!("/en/anything/?utm_source=a&preview={PREVIEW_TOKEN}");
    let opened = site.get(&link).send().await.unwrap();
    assert_eq!(
        (opened.status().as_u16(), header(&opened, "location")),
        (303, "/tr/?utm_source=a")
    );
    let cookie = header(&opened, "set-cookie");
    assert!(
        cookie.starts_with(&format!("{COOKIE}; Path=/tr/; HttpOnly; SameSite=Lax; Max-Age=")),
        "{cookie}"
    );
    assert_eq!(
        (header(&opened, "cache-control"), header(&opened, "x-robots-tag")),
        ("no-store", "noindex, nofollow")
    );
    for number in 1..=3 {
        let draft = site.get("/tr/").header("cookie", COOKIE).send().await.unwrap();
        assert_eq!(
            (header(&draft, "cache-control"), header(&draft, "x-robots-tag")),
            ("no-store", "noindex, nofollow")
        );
        assert!(header(&draft, "content-security-policy").contains("'sha256-"));
        let text = draft.text().await.unwrap();
        assert!(
            text.contains(&format!("draft of {PREVIEW_TOKEN} number {number}")),
            "{text}"
        );
    }
    assert!(!site.text("/tr/").await.contains("draft"));
}

#[tokio::test]
async fn on_https_a_preview_cookie_without_the_prefix_is_ignored() {
    let site = Site::with(&[("PUBLIC_URL", "https://stillpoint.example")]).await;
    let link = site.get(&format!("/tr/?preview={PREVIEW_TOKEN}"));
    let opened = link.send().await.unwrap();
    let cookie = header(&opened, "set-cookie");
    let prefixed = format!("__Secure-{COOKIE}");
    assert!(
        cookie.starts_with(&format!("{prefixed}; Path=/tr/; ")),
        "{cookie}"
    );
    assert!(cookie.contains("; Secure; "), "{cookie}");
    let read = async |cookie: &str| {
        let page = site.get("/tr/").header("cookie", cookie).send();
        page.await.unwrap().text().await.unwrap()
    };
    assert!(!read(COOKIE).await.contains("draft"));
    assert!(read(&prefixed).await.contains("draft"));
}

#[tokio::test]
async fn draft_is_served_although_the_page_is_cached() {
    let site = Site::start().await;
    assert!(!site.text("/tr/").await.contains("draft"));
    let draft = site.get("/tr/").header("cookie", COOKIE).send().await.unwrap();
    assert!(draft.text().await.unwrap().contains("draft"));
    let link = site
        .get(&format!("/tr/?preview={PREVIEW_TOKEN}"))
        .send()
        .await
        .unwrap();
    assert_eq!(link.status(), 303);
}

#[tokio::test]
async fn expired_link_shows_nothing_and_expired_cookie_the_published_page() {
    let site = Site::start().await;
    site.services.preview_over.store(true, Ordering::SeqCst);
    for token in [PREVIEW_TOKEN, "", "short", "..%2f..%2fevil.example"] {
        let link = site.get(&format!("/tr/?preview={token}")).send().await.unwrap();
        assert_eq!(
            (link.status().as_u16(), header(&link, "location")),
            (404, ""),
            "{token}"
        );
        assert_eq!(header(&link, "x-robots-tag"), "noindex, nofollow");
    }
    let page = site.get("/tr/").header("cookie", COOKIE).send().await.unwrap();
    assert!(header(&page, "set-cookie").contains("Max-Age=0"));
    assert!(!page.text().await.unwrap().contains("draft"));
}
