//! Where addresses and their parameters lead.
use serde_json::{Value, json};

use crate::site::{Site, body_of, header};

async fn leads(site: &Site, path: &str, status: u16, location: &str) {
    let response = site
        .get(path)
        .header("accept-language", "tr-TR,tr;q=0.9")
        .send()
        .await
        .unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "location")),
        (status, location),
        "{path}"
    );
}

#[tokio::test]
async fn addresses_lead_to_their_one_true_form() {
    let site = Site::start().await;
    leads(&site, "/", 307, "/tr/").await;
    leads(&site, "/?utm_source=a", 307, "/tr/?utm_source=a").await;
    leads(&site, "/en", 308, "/en/").await;
    leads(
        &site,
        "/en/payment/annual?coupon=WELCOME20&x=%2F%2F",
        308,
        "/en/payment/annual/?coupon=WELCOME20&x=%2F%2F",
    )
    .await;
    leads(&site, "/xx/pricing/", 307, "/en/pricing/").await;
    leads(
        &site,
        "/success/newyeargift/?paymentMethod=yookassa",
        307,
        "/ru/success/newyeargift/?paymentMethod=yookassa",
    )
    .await;
    leads(&site, "/en//pricing/?a=b", 308, "/en/pricing/?a=b").await;
    leads(&site, "/en/%70ricing/", 308, "/en/pricing/").await;
    leads(&site, "/EN/pricing", 307, "/en/pricing/").await;
    assert_eq!(site.renderer.made(), 0);
}

#[tokio::test]
async fn best_locale_depends_on_the_browser_and_says_so() {
    let site = Site::start().await;
    let response = site
        .get("/")
        .header("accept-language", "ar")
        .send()
        .await
        .unwrap();
    assert_eq!(
        (header(&response, "location"), header(&response, "vary")),
        ("/ar/", "accept-language, cookie")
    );
    assert_eq!(header(&response, "cache-control"), "private, no-cache");
}

#[tokio::test]
async fn no_address_leads_to_another_site() {
    let site = Site::start().await;
    for path in [
        "//evil.example",
        "//evil.example/en",
        "/%5Cevil.example",
        "/en%2f%2fevil",
    ] {
        let response = site.get(path).send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), header(&response, "location")),
            (404, ""),
            "{path}"
        );
        assert!(response.text().await.unwrap().contains("Nothing here"));
    }
}

#[tokio::test]
async fn unknown_call_is_a_problem_and_not_a_page() {
    let site = Site::start().await;
    let response = site.get("/api/nothing").send().await.unwrap();
    assert_eq!(response.status(), 404);
    assert_eq!(body_of(response).await["code"], "NOT_FOUND");
    let response = site.request("POST", "/en/").send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "allow")),
        (405, "GET, HEAD")
    );
    let response = site.request("DELETE", "/api/auth/session").send().await.unwrap();
    assert_eq!(response.status(), 405);
    assert!(header(&response, "allow").contains("GET"));
    assert_eq!(body_of(response).await["code"], "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn trace_is_answered_nowhere() {
    let site = Site::start().await;
    for path in ["/en/", "/robots.txt", "/api/auth/session", "/graphql"] {
        let response = site.request("TRACE", path).send().await.unwrap();
        assert_eq!(response.status(), 405, "{path}");
    }
}

#[tokio::test]
async fn sitemap_lists_every_translation_and_follows_what_is_published() {
    let site = Site::start().await;
    let index = site.get("/sitemap.xml").send().await.unwrap();
    assert_eq!(header(&index, "content-type"), "application/xml; charset=utf-8");
    let index = index.text().await.unwrap();
    assert!(
        index.contains(&format!("<loc>{}/sitemap-tr.xml</loc>", site.origin)),
        "{index}"
    );
    let english = site.text("/sitemap-en.xml").await;
    assert!(
        english.contains(&format!("<loc>{}/en/pricing/</loc>", site.origin)),
        "{english}"
    );
    assert!(english.contains("hreflang=\"tr\""));
    let again = site.get("/sitemap-en.xml").send().await.unwrap();
    assert_eq!(header(&again, "cache-status"), "stillpoint; hit");
    assert_eq!(site.renderer.made(), 0);
}

#[tokio::test]
async fn robots_txt_names_the_sitemap() {
    let site = Site::start().await;
    let robots = site.text("/robots.txt").await;
    assert!(robots.contains("Disallow: /api/"));
    assert!(robots.contains(&format!("Sitemap: {}/sitemap.xml", site.origin)));
}

#[tokio::test]
async fn security_txt_names_the_contact_and_expires_within_a_year() {
    let site = Site::with(&[
        ("PUBLIC_URL", "https://stillpoint.example"),
        ("SECURITY_CONTACT", "mailto:a@stillpoint.example"),
    ])
    .await;
    let response = site.get("/.well-known/security.txt").send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), header(&response, "content-type")),
        (200, "text/plain; charset=utf-8")
    );
    // The clock of tests is at 2026-11-20.
    assert_eq!(
        response.text().await.unwrap(),
        "Contact: mailto:a@stillpoint.example\n\
         Expires: 2027-05-19T00:00:00Z\n\
         Preferred-Languages: en\n\
         Canonical: https://stillpoint.example/.well-known/security.txt\n"
    );
    assert_eq!(site.renderer.made(), 0);
}

#[tokio::test]
async fn manifest_names_the_site_and_its_icon() {
    let site = Site::start().await;
    let manifest = site.get("/manifest.webmanifest").send().await.unwrap();
    assert_eq!(header(&manifest, "content-type"), "application/manifest+json");
    let manifest = body_of(manifest).await;
    assert_eq!(
        (&manifest["name"], &manifest["start_url"]),
        (&"Stillpoint".into(), &"/".into())
    );
    assert_eq!(manifest["icons"][0]["src"], "/favicon.svg");
}

#[tokio::test]
async fn redirect_parameter_resolves_by_its_kind() {
    let site = Site::with(&[
        ("REDIRECT_HOSTS", "soul.example"),
        ("PUBLIC_URL", "https://stillpoint.example"),
    ])
    .await;
    for (parameter, wanted, expected) in [
        ("redirectPage", "/en/coach/?a=b", Some("/en/coach/?a=b")),
        ("nextPage", "/creating-program", Some("/creating-program")),
        ("nextPage", "https://soul.example/", None),
        ("redirectPage", "/./\\evil.example", None),
        ("redirectPage", "//evil.example", None),
        (
            "soul_redirection_url",
            "https://soul.example/in/",
            Some("https://soul.example/in"),
        ),
        ("soul_redirection_url", "/en/coach/", None),
        ("url", "https://soul.example/in/", Some("https://soul.example/in")),
        (
            "url",
            "https://stillpoint.example/en/gift/abc/?t=1",
            Some("https://stillpoint.example/en/gift/abc/?t=1"),
        ),
        (
            "url",
            "https://stillpoint.example/gift/abc/",
            Some("https://stillpoint.example/gift/abc/"),
        ),
        ("url", "https://stillpoint.example/en/account/", None),
        (
            "url",
            "https://stillpoint.example/en/payment/annual/?gift/abc",
            None,
        ),
        ("url", "https://stillpoint.example/en/gift/", None),
        ("url", "https://stillpoint.example/en/gift/../account/", None),
        ("url", "https://stillpoint.example//evil.example", None),
        ("url", "https://stillpoint.example@evil.example/", None),
        ("url", "https://stillpoint.example.evil.example/", None),
        ("url", "javascript:alert(1)", None),
    ] {
        assert_eq!(
            decision(&site, parameter, wanted).await,
            json!({"to": expected}),
            "{parameter}={wanted}"
        );
    }
}

#[tokio::test]
async fn unknown_redirect_parameter_is_refused() {
    let site = Site::start().await;
    for query in ["", "?to=/en/", "?parameter=next&to=/en/", "?parameter=nextPage"] {
        let response = site.get(&format!("/api/redirects{query}")).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 422, "{query}");
        assert_eq!(body_of(response).await["code"], "VALIDATION_FAILED");
    }
}

async fn decision(site: &Site, parameter: &str, wanted: &str) -> Value {
    let wanted: String = url::form_urlencoded::byte_serialize(wanted.as_bytes()).collect();
    let path = format!("/api/redirects?parameter={parameter}&to={wanted}");
    body_of(site.get(&path).send().await.unwrap()).await
}

#[tokio::test]
async fn unknown_path_is_404_whatever_is_sent() {
    let site = Site::start().await;
    for path in ["/api/nothing", "/webhooks/unknown", "/graphql/x"] {
        for body in [String::new(), "{}".to_owned(), "x".repeat(100_000)] {
            let request = site.request("POST", path).body(body);
            assert_eq!(
                crate::site::problem(request).await,
                (404, "NOT_FOUND".into()),
                "{path}"
            );
        }
    }
    let page = site.request("POST", "/en/").body("x");
    assert_eq!(
        crate::site::problem(page).await,
        (405, "METHOD_NOT_ALLOWED".into())
    );
}
