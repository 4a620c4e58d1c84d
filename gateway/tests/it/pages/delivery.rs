//! Pages: cached once, compressed once, made once, and there when the renderer is not.
use std::io::Read;

use chrono::TimeDelta;
use futures::future::join_all;

use crate::renderer::SOUND;
use crate::site::{Site, header, until};
use kit::testing::Redis;

#[tokio::test]
async fn page_is_made_once_and_then_served_from_memory() {
    let site = Site::start().await;
    let first = site.get("/en/pricing/").send().await.unwrap();
    assert_eq!(
        (first.status().as_u16(), header(&first, "cache-status")),
        (200, "stillpoint; fwd=miss; stored")
    );
    let second = site
        .get("/en/pricing/?utm_source=mail")
        .header("cookie", "a=b")
        .send()
        .await
        .unwrap();
    assert_eq!(header(&second, "cache-status"), "stillpoint; hit");
    assert_eq!(
        header(&second, "cache-control"),
        "public, max-age=0, must-revalidate"
    );
    assert_eq!(second.text().await.unwrap(), first.text().await.unwrap());
    assert_eq!(site.renderer.made(), 1);
}

#[tokio::test]
async fn every_encoding_carries_the_same_page() {
    let site = Site::start().await;
    let plain = site.text("/en/").await;
    let packed = |encoding: &'static str| site.get("/en/").header("accept-encoding", encoding).send();

    let brotli = packed("gzip, deflate, br, zstd").await.unwrap();
    assert_eq!(
        (header(&brotli, "content-encoding"), header(&brotli, "vary")),
        ("br", "accept-encoding")
    );
    let length: usize = header(&brotli, "content-length").parse().unwrap();
    let bytes = brotli.bytes().await.unwrap();
    assert_eq!(bytes.len(), length);
    let mut text = String::new();
    brotli::Decompressor::new(&*bytes, 4096)
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, plain);

    let gzip = packed("gzip").await.unwrap();
    assert_eq!(header(&gzip, "content-encoding"), "gzip");
    text.clear();
    flate2::read::GzDecoder::new(&*gzip.bytes().await.unwrap())
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, plain);
    assert_eq!(site.renderer.made(), 1);
}

#[tokio::test]
async fn known_page_is_not_sent_again() {
    let site = Site::start().await;
    let first = site.get("/en/").send().await.unwrap();
    let etag = header(&first, "etag").to_owned();
    let again = site
        .get("/en/")
        .header("if-none-match", &etag)
        .send()
        .await
        .unwrap();
    assert_eq!(
        (again.status().as_u16(), header(&again, "etag")),
        (304, etag.as_str())
    );
    assert!(again.bytes().await.unwrap().is_empty());
    let other = site
        .get("/en/")
        .header("if-none-match", &etag)
        .header("accept-encoding", "br")
        .send()
        .await
        .unwrap();
    assert_eq!(other.status(), 200);
}

#[tokio::test]
async fn audio_is_served_in_ranges() {
    let site = Site::start().await;
    let piece = async |range: &str| {
        let response = site
            .get("/audio/chime.wav")
            .header("range", range)
            .send()
            .await
            .unwrap();
        let (status, place) = (
            response.status().as_u16(),
            header(&response, "content-range").to_owned(),
        );
        assert_eq!(header(&response, "accept-ranges"), "bytes");
        (status, place, response.text().await.unwrap())
    };
    // Made by the first, from memory for the others.
    for (range, status, place, bytes) in [
        ("bytes=0-1", 206, "bytes 0-1/10", "01"),
        ("bytes=7-", 206, "bytes 7-9/10", "789"),
        ("bytes=-3", 206, "bytes 7-9/10", "789"),
        ("bytes=10-", 416, "bytes */10", ""),
        ("bytes=0-1,4-5", 200, "", SOUND),
    ] {
        let expected = (status, place.to_owned(), bytes.to_owned());
        assert_eq!(piece(range).await, expected, "{range}");
    }
    assert_eq!(site.renderer.made(), 1);
}

#[tokio::test]
async fn range_of_a_changed_file_is_the_whole_file() {
    let site = Site::start().await;
    let whole = site.get("/audio/chime.wav").send().await.unwrap();
    let etag = header(&whole, "etag").to_owned();
    for (known, status) in [(etag.as_str(), 206), ("\"other\"", 200)] {
        let request = site.get("/audio/chime.wav").header("range", "bytes=0-1");
        let response = request.header("if-range", known).send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{known}");
    }
}

#[tokio::test]
async fn pages_are_sent_whole() {
    let site = Site::start().await;
    let page = site
        .get("/en/")
        .header("range", "bytes=0-1")
        .send()
        .await
        .unwrap();
    assert_eq!(
        (page.status().as_u16(), header(&page, "accept-ranges")),
        (200, "")
    );
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let site = Site::start().await;
    let length = site.text("/en/").await.len();
    for _ in 0..2 {
        let head = site.head("/en/").send().await.unwrap();
        assert_eq!(
            (head.status().as_u16(), header(&head, "content-length")),
            (200, length.to_string().as_str())
        );
        assert!(head.bytes().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn page_brings_its_own_policy_and_every_security_header() {
    let site = Site::with(&[("STRIPE_JS_URL", "http://localhost:8090/stripe/js/stripe.js")]).await;
    for _ in 0..2 {
        let page = site.get("/en/").send().await.unwrap();
        let policy = header(&page, "content-security-policy");
        assert!(
            policy.contains("script-src 'self' http://localhost:8090 'sha256-"),
            "{policy}"
        );
        assert!(
            policy.contains(
                "frame-src 'self' http://localhost:8090 https://www.youtube-nocookie.com https://player.vimeo.com;"
            ),
            "{policy}"
        );
        assert_eq!(header(&page, "x-content-type-options"), "nosniff");
        assert_eq!(
            header(&page, "referrer-policy"),
            "strict-origin-when-cross-origin"
        );
        assert_eq!(
            header(&page, "strict-transport-security"),
            "",
            "the site is not on https"
        );
        assert_eq!(
            header(&page, "x-powered-by-node"),
            "yes",
            "other headers of the renderer pass"
        );
        assert_eq!(header(&page, "surrogate-key"), "offers");
        assert_eq!(
            (
                header(&page, "x-request-id").len(),
                header(&page, "traceparent").len()
            ),
            (32, 55)
        );
    }
}

#[tokio::test]
async fn hashed_file_is_immutable() {
    let site = Site::start().await;
    let file = site
        .get("/assets/app-1a2b3c.js")
        .header("accept-encoding", "br")
        .send()
        .await
        .unwrap();
    assert_eq!(
        header(&file, "cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(header(&file, "content-encoding"), "br");
    assert_eq!(header(&file, "content-security-policy"), "");
    site.host.clock().advance(TimeDelta::days(30));
    site.text("/assets/app-1a2b3c.js").await;
    assert_eq!(site.renderer.made(), 1);
}

#[tokio::test]
async fn concurrent_requests_for_a_new_page_share_one_render() {
    let site = Site::start().await;
    site.renderer.slow_down(200);
    let pages = join_all((0..40).map(|_| site.text("/en/launch/"))).await;
    assert_eq!(site.renderer.made(), 1);
    assert!(pages.iter().all(|page| page.contains("number 1")));
}

#[tokio::test]
async fn visitor_who_leaves_does_not_take_the_page_away() {
    let site = Site::start().await;
    site.renderer.hold("/en/launch/");
    tokio::select! {
        answer = site.get("/en/launch/").send() => panic!("answered: {answer:?}"),
        () = site.renderer.until_made(1) => {}
    }
    site.renderer.release();
    site.eventually("/en/launch/", "number 1").await;
    assert_eq!(site.renderer.made(), 1);
}

#[tokio::test]
async fn page_past_its_time_is_shown_while_a_new_one_is_made() {
    let site = Site::start().await;
    site.text("/en/").await;
    site.host.clock().advance(TimeDelta::seconds(61));
    let stale = site.get("/en/").send().await.unwrap();
    assert_eq!(header(&stale, "cache-status"), "stillpoint; hit; fwd=stale");
    assert!(stale.text().await.unwrap().contains("number 1"));
    site.eventually("/en/", "number 2").await;
    assert_eq!(site.renderer.made(), 2);
}

#[tokio::test]
async fn renderer_being_down_takes_no_cached_page_away() {
    let site = Site::start().await;
    site.text("/tr/").await;
    site.renderer.stop();
    for hours in [0, 1, 23, 100] {
        site.host.clock().advance(TimeDelta::hours(hours));
        let page = site.get("/tr/").send().await.unwrap();
        assert_eq!(page.status(), 200, "after {hours} hours");
        assert!(page.text().await.unwrap().contains("number 1"));
    }
}

#[tokio::test]
async fn missing_page_without_renderer_is_a_503_in_its_language() {
    let site = Site::start().await;
    site.renderer.stop();
    let page = site.get("/tr/pricing/").send().await.unwrap();
    assert_eq!((page.status().as_u16(), header(&page, "retry-after")), (503, "5"));
    assert_eq!(
        (header(&page, "cache-control"), header(&page, "content-language")),
        ("no-store", "tr")
    );
    assert!(page.text().await.unwrap().contains("Yeniden dene"));
}

#[tokio::test]
async fn renderer_error_is_not_stored() {
    let site = Site::start().await;
    site.renderer.break_down();
    assert_eq!(site.get("/en/pricing/").send().await.unwrap().status(), 503);
    site.renderer.recover();
    assert_eq!(site.get("/en/pricing/").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn slow_renderer_times_out() {
    let site = Site::with(&[("RENDER_TIMEOUT_MS", "200")]).await;
    site.renderer.slow_down(5_000);
    assert_eq!(site.get("/en/pricing/").send().await.unwrap().status(), 503);
}

#[tokio::test]
async fn missing_page_passes_through_and_is_kept_for_a_short_time() {
    let site = Site::start().await;
    for _ in 0..3 {
        let page = site.get("/en/missing/").send().await.unwrap();
        assert_eq!(page.status(), 404);
        assert!(page.text().await.unwrap().contains("number 1"));
    }
    assert_eq!(site.renderer.made(), 1);
}

#[tokio::test]
async fn page_without_prices_is_stored_briefly() {
    let site = Site::start().await;
    site.renderer.lose_prices();
    site.text("/en/pricing/").await;
    site.text("/en/pricing/").await;
    assert_eq!(site.renderer.made(), 1);
    site.host.clock().advance(TimeDelta::seconds(3));
    assert!(site.text("/en/pricing/").await.contains("number 2"));
}

#[tokio::test]
async fn stale_complete_page_is_better_than_a_new_one_without_prices() {
    let site = Site::start().await;
    site.text("/en/pricing/").await;
    site.host.clock().advance(TimeDelta::seconds(61));
    site.renderer.lose_prices();
    for _ in 0..5 {
        assert!(site.text("/en/pricing/").await.contains("number 1"));
    }
    site.renderer.until_made(2).await;
    assert_eq!(site.renderer.made(), 2);
    // A third render starts only after the second has been dropped.
    until("the second render is dropped", async || {
        assert!(site.text("/en/pricing/").await.contains("number 1"));
        site.host.clock().advance(TimeDelta::seconds(3));
        site.renderer.made() >= 3
    })
    .await;
    assert!(site.text("/en/pricing/").await.contains("number 1"));
}

#[tokio::test]
async fn private_response_is_never_stored() {
    let site = Site::start().await;
    assert!(site.text("/en/private/").await.contains("number 1"));
    let again = site.get("/en/private/").send().await.unwrap();
    assert_eq!(header(&again, "cache-control"), "no-store");
    assert!(again.text().await.unwrap().contains("number 2"));
}

#[tokio::test]
async fn pages_outlive_the_process_where_there_is_redis() {
    let redis = Redis::start();
    let first = Site::with(&[("REDIS_URL", &redis.url())]).await;
    first.text("/en/pricing/").await;
    let second = Site::with(&[("REDIS_URL", &redis.url())]).await;
    second.renderer.stop();
    second.eventually("/en/pricing/", "number 1").await;
    let page = second.get("/en/pricing/").send().await.unwrap();
    assert_eq!(
        (page.status().as_u16(), header(&page, "cache-status")),
        (200, "stillpoint; hit; fwd=stale")
    );
}
