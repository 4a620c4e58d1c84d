//! A text by the AI as an event stream.
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use reqwest::{RequestBuilder, Response};
use serde_json::json;

use crate::site::{Site, header, problem};

const PATH: &str = "/v1/external/chats/ai";
const FIRST: &str = "id: air_1.1\ndata: Love\ndata: is\n\n";
const SECOND: &str = "id: air_1.2\ndata:  here.\n\n";
const DONE: &str = "id: air_1.3\nevent: done\ndata: {}\n\n";

fn ask(site: &Site, q: &str) -> RequestBuilder {
    site.post(PATH, &json!({"q": q, "lang": "tr", "type": "love-language"}))
}

async fn text(request: RequestBuilder) -> String {
    request.send().await.unwrap().text().await.unwrap()
}

/// Waits for the next bytes of a stream that goes on.
async fn next(response: &mut Response) -> String {
    let bytes = tokio::time::timeout(Duration::from_secs(5), response.chunk()).await;
    String::from_utf8_lossy(&bytes.unwrap().unwrap().unwrap_or_default()).into_owned()
}

#[tokio::test]
async fn chunks_are_numbered_events_without_buffering() {
    let site = Site::start().await;
    let response = ask(&site, "A walk home").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(
        [
            header(&response, "content-type"),
            header(&response, "cache-control"),
            header(&response, "x-accel-buffering")
        ],
        ["text/event-stream", "no-store", "no"]
    );
    assert_eq!(response.text().await.unwrap(), format!("{FIRST}{SECOND}{DONE}"));
}

#[tokio::test]
async fn question_reaches_sessions_with_all_fields() {
    let site = Site::with(&[("COUNTRY_HEADER", "cf-ipcountry")]).await;
    let request = site
        .post(PATH, &json!({"q": "A walk home"}))
        .header("accept-language", "de-AT,de;q=0.9")
        .header("cf-ipcountry", "AT")
        .header("idempotency-key", "k-1")
        .header("last-event-id", "air_1.1");
    assert_eq!(text(request).await, format!("{SECOND}{DONE}"));
    let asked = site.services.asked.lock().unwrap().clone().unwrap();
    assert_eq!(
        [
            &asked.question,
            &asked.lang,
            &asked.r#type,
            &asked.country,
            &asked.idempotency_key,
            &asked.after
        ],
        ["A walk home", "de", "", "AT", "k-1", "air_1.1"]
    );
}

#[tokio::test]
async fn what_is_refused_is_refused_before_the_stream() {
    let site = Site::start().await;
    assert_eq!(problem(ask(&site, "")).await, (422, "VALIDATION_FAILED".into()));
    assert_eq!(
        problem(ask(&site, "used")).await,
        (409, "IDEMPOTENCY_CONFLICT".into())
    );
    assert_eq!(problem(ask(&site, "busy")).await, (503, "OVERLOADED".into()));
    let long = ask(&site, "?").header("last-event-id", "x".repeat(129));
    assert_eq!(problem(long).await, (422, "VALIDATION_FAILED".into()));
    let malformed = site.post(PATH, &json!({"q": 7}));
    assert_eq!(problem(malformed).await, (400, "MALFORMED_BODY".into()));
    let foreign = ask(&site, "?").header("sec-fetch-site", "cross-site");
    assert_eq!(problem(foreign).await, (403, "CROSS_SITE".into()));
}

#[tokio::test]
async fn helplines_come_before_the_text_and_a_failure_is_an_event() {
    let site = Site::start().await;
    let crisis = "id: air_1.0\nevent: crisis\ndata: {\"helplines\":[{\"name\":\"988\",\"phone\":\"988\",\"url\":\"\"}]}\n\n";
    assert_eq!(
        text(ask(&site, "in danger")).await,
        format!("{crisis}{FIRST}{DONE}")
    );
    let failed = "id: air_1.2\nevent: failed\ndata: {\"code\":\"AI_BUSY\",\"message\":\"Later.\"}\n\n";
    assert_eq!(text(ask(&site, "fails")).await, format!("{FIRST}{failed}"));
}

#[tokio::test]
async fn stream_that_breaks_within_ends_without_an_end_and_without_a_detail() {
    let site = Site::start().await;
    assert_eq!(text(ask(&site, "cut")).await, FIRST);
}

#[tokio::test]
async fn stream_outlives_the_deadline_and_sends_keep_alives() {
    let site = Site::with(&[("STREAM_KEEP_ALIVE_MS", "200")]).await;
    let began = Instant::now();
    let reply = text(ask(&site, "slow")).await;
    assert!(
        began.elapsed() > Duration::from_secs(2),
        "longer than the call's deadline"
    );
    assert!(
        reply.starts_with(FIRST) && reply.ends_with(&format!("{SECOND}{DONE}")),
        "{reply}"
    );
    assert!(reply.matches(":\n\n").count() >= 5, "{reply}");
}

#[tokio::test]
async fn shutdown_ends_streams() {
    let site = Site::start().await;
    let mut response = ask(&site, "endless").send().await.unwrap();
    assert_eq!(next(&mut response).await, FIRST);
    site.host.context().shutdown.cancel();
    assert_eq!(
        next(&mut response).await,
        "",
        "ended, so that its reader comes back elsewhere"
    );
}

#[tokio::test]
async fn disconnected_reader_ends_the_upstream_stream() {
    let site = Site::start().await;
    let mut response = ask(&site, "endless").send().await.unwrap();
    next(&mut response).await;
    assert_eq!(site.services.listeners_left.load(Ordering::SeqCst), 0);
    drop(response);
    for _ in 0..100 {
        if site.services.listeners_left.load(Ordering::SeqCst) == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    panic!("sessions still streams to a disconnected reader");
}

#[tokio::test]
async fn ai_texts_have_a_lower_rate_limit() {
    let site = Site::with(&[("AI_RATE_PER_MINUTE", "2")]).await;
    for _ in 0..2 {
        assert!(text(ask(&site, "?")).await.ends_with(DONE));
    }
    let response = ask(&site, "?").send().await.unwrap();
    assert_eq!(response.status(), 429);
    assert!(header(&response, "retry-after").parse::<u64>().unwrap() <= 60);
    assert_eq!(site.get("/api/country").send().await.unwrap().status(), 200);
}
