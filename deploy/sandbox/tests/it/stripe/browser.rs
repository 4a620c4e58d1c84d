use crate::support::Fixture;

#[tokio::test]
async fn the_browser_files_are_served_with_a_policy() {
    let fixture = Fixture::start().await;
    for (name, kind) in [
        ("stripe.js", "text/javascript"),
        ("element.html", "text/html"),
        ("element.js", "text/javascript"),
        ("fields.js", "text/javascript"),
        ("messages.js", "text/javascript"),
        ("element.css", "text/css"),
        ("challenge.html", "text/html"),
        ("challenge.js", "text/javascript"),
        ("wallet.html", "text/html"),
        ("wallet.js", "text/javascript"),
        ("device.js", "text/javascript"),
        ("dialog.css", "text/css"),
    ] {
        let response = reqwest::get(format!("{}/js/{name}", fixture.sandbox.stripe_base()))
            .await
            .unwrap();
        assert_eq!(response.status().as_u16(), 200, "{name}");
        let headers = response.headers();
        assert!(
            headers["content-type"].to_str().unwrap().starts_with(kind),
            "{name}"
        );
        assert!(headers.contains_key("content-security-policy"));
        assert!(
            !headers.contains_key("x-frame-options"),
            "{name} must open in the merchant's page"
        );
    }
}

#[tokio::test]
async fn a_page_of_another_origin_may_call_the_api() {
    let fixture = Fixture::start().await;
    let url = format!("{}/v1/payment_methods", fixture.sandbox.stripe_base());
    let preflight = reqwest::Client::new()
        .request(reqwest::Method::OPTIONS, url)
        .header("origin", "http://localhost:8080")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type")
        .send()
        .await
        .unwrap();
    assert_eq!(preflight.status().as_u16(), 200);
    assert_eq!(preflight.headers()["access-control-allow-origin"], "*");
}
