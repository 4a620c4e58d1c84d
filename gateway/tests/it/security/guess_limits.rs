//! Wrong guesses of one client are slowed down; what is right is not counted.
use serde_json::{Value, json};

use crate::site::{READ_TOKEN, Site, body_of, header, problem};
use crate::stand_ins::content::PREVIEW_TOKEN;

async fn site() -> Site {
    Site::with(&[("GUESS_RATE_PER_MINUTE", "3"), ("TRUSTED_PROXY_HOPS", "1")]).await
}

const ADA: &str = "10.1.1.1";
const BOB: &str = "10.1.1.2";

#[tokio::test]
async fn forged_notifications_are_not_passed_on_for_ever() {
    let site = site().await;
    let send = |path: &str, from: &'static str| {
        let request = site.request("POST", path).header("x-forwarded-for", from);
        request.body("{}")
    };
    let (paypal, yookassa) = ("/webhooks/paypal", "/webhooks/yookassa");
    for path in [paypal, yookassa, paypal] {
        assert_eq!(problem(send(path, ADA)).await, (400, "BAD_SIGNATURE".into()));
    }
    for path in [paypal, yookassa] {
        let refused = send(path, ADA).send().await.unwrap();
        assert_eq!(refused.status(), 429, "{path}");
        let wait: u64 = header(&refused, "retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
    }
    let another = problem(send(paypal, BOB)).await;
    assert_eq!(another, (400, "BAD_SIGNATURE".into()));
}

#[tokio::test]
async fn signed_notification_is_accepted_after_forged_ones_from_its_address() {
    let site = site().await;
    let send = |path: &str, signature: &'static str| {
        let request = site.request("POST", path).header("x-forwarded-for", ADA);
        request.header("stripe-signature", signature).body("{}")
    };
    let (stripe, platron) = ("/webhooks/stripe", "/webhooks/platron/result");
    for path in [stripe, platron, "/webhooks/paypal", "/webhooks/yookassa"] {
        for _ in 0..4 {
            send(path, "forged").send().await.unwrap();
        }
    }
    for path in [stripe, platron] {
        let forged = problem(send(path, "forged")).await;
        assert_eq!(forged, (400, "BAD_SIGNATURE".into()), "{path}");
    }
    let signed = send(stripe, "signs {}").send().await.unwrap();
    assert_eq!(signed.status(), 200);
}

#[tokio::test]
async fn notifications_are_as_small_as_their_providers_write_them() {
    let site = Site::start().await;
    for (path, most) in [
        ("/webhooks/stripe", 256 * 1024),
        ("/webhooks/paypal", 256 * 1024),
        ("/webhooks/yookassa", 16 * 1024),
        ("/webhooks/platron/result", 16 * 1024),
    ] {
        let large = site.request("POST", path).body("x".repeat(most + 1));
        assert_eq!(problem(large).await, (413, "BODY_TOO_LARGE".into()), "{path}");
    }
}

#[tokio::test]
async fn coupon_guesses_are_limited_and_the_full_price_is_still_quoted() {
    let site = site().await;
    let ask = async |path: &str, coupon: Value, from: &'static str| {
        let body = json!({"campaign": "web-annual", "coupon_code": coupon});
        let request = site.post_as_member(path, &body).header("x-forwarded-for", from);
        let answer = body_of(request.send().await.unwrap()).await;
        answer["code"].as_str().unwrap_or_default().to_owned()
    };
    let (landing, campaign) = ("/api/web-campaign-landing", "/api/web-campaign");
    let ask_by_form = async |coupon: &str, from: &'static str| {
        let form = format!("campaign=web-annual&coupon%5Fcode={coupon}");
        let request = site.request("POST", landing).body(form);
        let request = request
            .header("content-type", "application/x-www-form-urlencoded; charset=utf-8")
            .header("x-forwarded-for", from);
        let answer = body_of(request.send().await.unwrap()).await;
        answer["code"].as_str().unwrap_or_default().to_owned()
    };
    for _ in 0..5 {
        assert_eq!(ask(landing, json!("WELCOME20"), ADA).await, "");
        assert_eq!(ask_by_form("WELCOME20", ADA).await, "");
    }
    for path in [landing, campaign, landing] {
        assert_eq!(ask(path, json!("GUESS"), ADA).await, "UNKNOWN_COUPON");
    }
    for path in [landing, campaign, "/api/create-subscription-fixed"] {
        assert_eq!(ask(path, json!("WELCOME20"), ADA).await, "RATE_LIMITED", "{path}");
    }
    assert_eq!(ask_by_form("WELCOME20", ADA).await, "RATE_LIMITED");
    assert_eq!(ask_by_form("", ADA).await, "", "the full price");
    for none in [json!(""), json!(null)] {
        assert_eq!(ask(landing, none, ADA).await, "");
    }
    assert_eq!(ask(landing, json!("WELCOME20"), BOB).await, "");
    assert_eq!(ask_by_form("WELCOME20", BOB).await, "");
}

#[tokio::test]
async fn tokens_are_not_guessed_and_the_renderer_is_never_locked_out() {
    let site = site().await;
    let query = json!({"query": "{ __typename }"});
    let ask = async |token: &str| {
        let request = site.post("/graphql", &query).header("x-forwarded-for", ADA);
        request.header("authorization", token).send().await.unwrap()
    };
    for _ in 0..3 {
        assert_eq!(ask("Bearer wrong").await.status(), 401);
    }
    let refused = ask("Bearer wrong").await;
    assert_eq!(refused.status(), 429);
    assert!(!header(&refused, "retry-after").is_empty());
    assert_eq!(
        body_of(refused).await["errors"][0]["extensions"]["code"],
        "RATE_LIMITED"
    );
    assert_eq!(ask(READ_TOKEN).await.status(), 200);
    let operator = site
        .get("/api/analytics/summary")
        .header("x-forwarded-for", ADA)
        .header("authorization", "Bearer operate");
    assert_eq!(problem(operator).await.0, 429, "the same client, another token");
}

#[tokio::test]
async fn preview_tokens_are_not_guessed_and_published_pages_never_refused() {
    let site = site().await;
    let open = async |token: &str, from: &'static str| {
        let link = site.get(&format!("/tr/?preview={token}"));
        link.header("x-forwarded-for", from).send().await.unwrap()
    };
    let wrong = "prv_0000000000000000";
    let with_cookie = async |token: &str| {
        let page = site.get("/tr/").header("x-forwarded-for", ADA);
        let page = page.header("cookie", format!("stillpoint_preview={token}"));
        let page = page.send().await.unwrap();
        (
            page.status().as_u16(),
            page.text().await.unwrap().contains("draft"),
        )
    };
    assert_eq!(open(wrong, ADA).await.status(), 404);
    assert_eq!(with_cookie(PREVIEW_TOKEN).await, (200, true));
    assert_eq!(with_cookie(wrong).await, (200, false));
    assert_eq!(open(wrong, ADA).await.status(), 404);
    for token in [wrong, PREVIEW_TOKEN] {
        let refused = open(token, ADA).await;
        assert_eq!(refused.status(), 429);
        assert!(!header(&refused, "retry-after").is_empty());
        assert_eq!(with_cookie(token).await, (200, false), "the published page");
    }
    assert_eq!(open(PREVIEW_TOKEN, BOB).await.status(), 303);
}
