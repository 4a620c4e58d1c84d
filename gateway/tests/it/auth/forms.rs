//! Forms of pages whose scripts are not there yet, or never run.
use reqwest::{RequestBuilder, Response};

use crate::site::{COOKIE, Site, header, problem};

/// As a browser sends it from a page.
fn sent(site: &Site, call: &str, page: &str, form: &[(&str, &str)]) -> RequestBuilder {
    from_somewhere(site, call, form).header("referer", format!("{}{page}", site.origin))
}

fn from_somewhere(site: &Site, call: &str, form: &[(&str, &str)]) -> RequestBuilder {
    site.request("POST", &format!("/api/auth/{call}"))
        .form(form)
        .header("origin", &site.origin)
        .header("sec-fetch-site", "same-origin")
}

async fn led(request: RequestBuilder) -> (String, Response) {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 303);
    assert_eq!(header(&response, "cache-control"), "no-store");
    (header(&response, "location").to_owned(), response)
}

fn session_of(response: &Response) -> Option<&str> {
    let lines = response.headers().get_all("set-cookie");
    lines
        .iter()
        .filter_map(|line| line.to_str().ok()?.strip_prefix("stillpoint_session="))
        .find_map(|line| line.split(';').next())
}

const RIGHT: [(&str, &str); 2] = [("email", "ada@example.org"), ("password", "right")];
const WRONG: [(&str, &str); 2] = [("email", "ada@example.org"), ("password", "wrong")];

#[tokio::test]
async fn sign_up_redirects_to_the_requested_page() {
    let site = Site::start().await;
    let form = [
        ("name", "Ada"),
        ("email", "ada@example.org"),
        ("password", "right"),
        ("lang", "tr"),
    ];
    let page = "/tr/signup/?redirectPage=%2Ftr%2Fpayment%2Fannual%2F&orderId=ord_9&coupon=A";
    let (place, response) = led(sent(&site, "register", page, &form)).await;
    assert_eq!(place, "/tr/payment/annual/?orderId=ord_9&coupon=A");
    assert_eq!(session_of(&response), Some("alive"));
    let asked = site.services.registered.lock().unwrap().clone().unwrap();
    assert_eq!(
        (asked.name.as_str(), asked.lang.as_str(), asked.order_id.as_str()),
        ("Ada", "tr", "ord_9")
    );
}

#[tokio::test]
async fn redirect_off_the_site_is_refused() {
    let site = Site::start().await;
    for way_out in ["https://evil.example/", "//evil.example", "/%5Cevil.example"] {
        let encoded: String = url::form_urlencoded::byte_serialize(way_out.as_bytes()).collect();
        let page = format!("/en/signup/?redirectPage={encoded}");
        let (place, _) = led(sent(&site, "register", &page, &RIGHT)).await;
        assert_eq!(place, "/en/success-page/", "{way_out}");
    }
}

#[tokio::test]
async fn wrong_password_leads_back_with_a_code_and_without_what_was_typed() {
    let site = Site::start().await;
    let (place, response) = led(sent(&site, "login", "/en/signin/?redirectPage=regular", &WRONG)).await;
    assert_eq!(
        place,
        "/en/signin/?redirectPage=regular&error=INVALID_CREDENTIALS#INVALID_CREDENTIALS"
    );
    assert_eq!(session_of(&response), None);
    assert!(response.text().await.unwrap().is_empty());
}

#[tokio::test]
async fn refusals_lead_back_to_the_page() {
    let site = Site::start().await;
    let taken = [("email", "taken@example.org")];
    let (place, _) = led(sent(
        &site,
        "email-signup",
        "/en/email-signup/?error=FAILED",
        &taken,
    ))
    .await;
    assert_eq!(place, "/en/email-signup/?error=R100#R100");
    let (place, _) = led(sent(&site, "register", "/en/signup/", &[])).await;
    assert_eq!(place, "/en/signup/?error=EMAIL_REQUIRED#EMAIL_REQUIRED");
    let throttled = [("email", "ada@example.org"), ("password", "throttled")];
    let (place, response) = led(sent(&site, "login", "/en/signin/", &throttled)).await;
    assert_eq!(place, "/en/signin/?error=TOO_MANY_ATTEMPTS#TOO_MANY_ATTEMPTS");
    assert_eq!(header(&response, "retry-after"), "");
    let large = "a".repeat(20_000);
    let (place, _) = led(sent(&site, "login", "/en/signin/", &[("email", large.as_str())])).await;
    assert_eq!(place, "/en/signin/?error=FAILED#FAILED");
}

#[tokio::test]
async fn sign_in_by_form_is_limited_like_any_other() {
    let site = Site::with(&[("AUTH_RATE_PER_MINUTE", "2")]).await;
    for _ in 0..2 {
        let (place, _) = led(sent(&site, "login", "/en/signin/", &RIGHT)).await;
        assert_eq!(place, "/en/success/counseling-welcome/");
    }
    let (place, response) = led(sent(&site, "login", "/en/signin/", &RIGHT)).await;
    assert_eq!(place, "/en/signin/?error=TOO_MANY_ATTEMPTS#TOO_MANY_ATTEMPTS");
    assert_eq!(session_of(&response), None);
}

#[tokio::test]
async fn forgotten_password_form_redirects_alike_for_known_and_unknown_addresses() {
    let site = Site::start().await;
    for email in ["ada@example.org", "unknown@example.org"] {
        let form = [("email", email), ("lang", "de")];
        let (place, _) = led(sent(&site, "forgot-password", "/de/forgot-password/", &form)).await;
        assert_eq!(place, "/de/forgot-password/?done=LINK_SENT#LINK_SENT");
    }
    assert_eq!(
        site.services.forgotten.lock().unwrap().clone().unwrap().lang,
        "de"
    );
}

#[tokio::test]
async fn form_reads_the_token_of_a_mailed_link_from_the_referer() {
    let site = Site::start().await;
    let reset = async |token: &str| {
        let page = format!("/en/forgot-password/?token={token}");
        led(sent(
            &site,
            "reset-password",
            &page,
            &[("password", "another place")],
        ))
        .await
        .0
    };
    assert_eq!(
        reset("mailed").await,
        "/en/forgot-password/?done=PASSWORD_SAVED#PASSWORD_SAVED"
    );
    assert_eq!(
        reset("used").await,
        "/en/forgot-password/?error=LINK_EXPIRED#LINK_EXPIRED"
    );
}

#[tokio::test]
async fn form_without_referer_redirects_to_its_usual_page() {
    let site = Site::start().await;
    let french = || from_somewhere(&site, "login", &WRONG).header("accept-language", "fr");
    for request in [
        french(),
        french().header("referer", "https://evil.example/en/signin/"),
    ] {
        let (place, _) = led(request).await;
        assert_eq!(place, "/fr/signin/?error=INVALID_CREDENTIALS#INVALID_CREDENTIALS");
    }
}

#[tokio::test]
async fn form_of_another_site_is_refused() {
    let site = Site::start().await;
    let crossed = site
        .request("POST", "/api/auth/login")
        .form(&RIGHT)
        .header("cookie", COOKIE)
        .header("origin", "https://evil.example")
        .header("sec-fetch-site", "cross-site")
        .header("referer", "https://evil.example/en/signin/");
    assert_eq!(problem(crossed).await, (403, "CROSS_SITE".into()));
    assert!(site.services.signed_in.lock().unwrap().is_none());
}
