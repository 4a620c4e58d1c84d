//! Clients that do not play by the rules, on bare sockets.
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::site::{Site, until};

async fn connect(site: &Site) -> TcpStream {
    TcpStream::connect(site.origin.trim_start_matches("http://"))
        .await
        .unwrap()
}

/// What comes back until the other side closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is an end as well.
    let reading = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut bytes));
    let _ = reading.await.expect("the connection was never closed");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn slow_headers_time_out() {
    let site = Site::with(&[("HEADER_TIMEOUT_MS", "400")]).await;
    let mut stream = connect(&site).await;
    stream.write_all(b"GET /en/ HTTP/1.1\r\n").await.unwrap();
    let began = Instant::now();
    let (mut reading, mut writing) = stream.split();
    let dripping = async {
        loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if writing.write_all(b"x: y\r\n").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let mut bytes = Vec::new();
    tokio::select! {
        () = dripping => {}
        _ = reading.read_to_end(&mut bytes) => {}
    }
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn silent_connection_is_closed() {
    let site = Site::with(&[("HEADER_TIMEOUT_MS", "300")]).await;
    let mut stream = connect(&site).await;
    assert_eq!(rest(&mut stream).await, "");
    let mut kept = connect(&site).await;
    kept.write_all(b"GET /robots.txt HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    assert!(
        rest(&mut kept).await.starts_with("HTTP/1.1 200"),
        "an idle one after its answer too"
    );
}

#[tokio::test]
async fn body_that_never_comes_is_not_waited_for() {
    let site = Site::with(&[("BODY_TIMEOUT_MS", "300")]).await;
    let mut stream = connect(&site).await;
    let head = b"POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{";
    stream.write_all(head).await.unwrap();
    let answer = rest(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("BODY_TIMEOUT"));
}

#[tokio::test]
async fn connections_beyond_the_cap_are_refused() {
    let site = Site::with(&[("MAX_CONNECTIONS", "8")]).await;
    let mut held = Vec::new();
    for _ in 0..12 {
        held.push(connect(&site).await);
    }
    let mut beyond = held.pop().unwrap();
    let answer = rest(&mut beyond).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer:?}");
}

#[tokio::test]
async fn malformed_and_oversized_heads_are_refused() {
    let site = Site::start().await;
    let send = async |head: &[u8]| {
        let mut stream = connect(&site).await;
        stream.write_all(head).await.unwrap();
        rest(&mut stream).await
    };
    assert!(send(b"NOT HTTP\r\n\r\n").await.starts_with("HTTP/1.1 400"));
    let long = format!(
        "GET /en/ HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n",
        "y".repeat(60_000)
    );
    assert!(send(long.as_bytes()).await.starts_with("HTTP/1.1 431"));
    let many = format!("GET /en/ HTTP/1.1\r\nhost: x\r\n{}\r\n", "x: y\r\n".repeat(200));
    assert!(send(many.as_bytes()).await.starts_with("HTTP/1.1 431"));
}

#[tokio::test]
async fn requests_at_hand_are_finished_when_the_process_stops() {
    let site = Site::start().await;
    site.renderer.hold("/en/last/");
    let (page, ()) = tokio::join!(site.text("/en/last/"), async {
        site.renderer.until_made(1).await;
        site.host.context().shutdown.cancel();
        let address = site.origin.trim_start_matches("http://");
        until("new connections are refused", async || {
            TcpStream::connect(address).await.is_err()
        })
        .await;
        site.renderer.release();
    });
    assert!(page.contains("number 1"));
}

const STORED: &str = "GET /en/kept/ HTTP/1.1\r\nhost: x\r\n\r\n";
const LAST: &str = "GET /en/kept/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

/// A connection on which every request so far was for a stored page.
async fn warm(site: &Site) -> TcpStream {
    site.text("/en/kept/").await;
    connect(site).await
}

async fn exchange(stream: &mut TcpStream, requests: &str) -> String {
    stream.write_all(requests.as_bytes()).await.unwrap();
    rest(stream).await
}

#[tokio::test]
async fn requests_sent_at_once_are_answered_in_order() {
    let site = Site::start().await;
    let mut stream = warm(&site).await;
    let answers = exchange(&mut stream, &format!("{STORED}{STORED}{LAST}")).await;
    assert_eq!(answers.matches("HTTP/1.1 200 OK\r\n").count(), 3, "{answers}");
    assert_eq!(answers.matches("cache-status: stillpoint; hit\r\n").count(), 3);
    assert_eq!(answers.matches("\r\ndate: ").count(), 3);
}

#[tokio::test]
async fn connection_goes_on_with_whatever_is_asked_after_a_stored_page() {
    let site = Site::start().await;
    let mut stream = warm(&site).await;
    let robots = "GET /robots.txt HTTP/1.1\r\nhost: x\r\n\r\n";
    let post = "POST /api/auth/logout HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}";
    let answers = exchange(&mut stream, &format!("{STORED}{robots}{STORED}{post}{LAST}")).await;
    assert_eq!(answers.matches("HTTP/1.1 ").count(), 5, "{answers}");
    assert_eq!(answers.matches("cache-status: stillpoint; hit\r\n").count(), 3);
    assert!(answers.contains("Sitemap: "));
}

#[tokio::test]
async fn body_sent_with_a_read_is_not_taken_for_the_next_request() {
    let site = Site::start().await;
    let mut stream = warm(&site).await;
    let hidden = format!(
        "GET /en/kept/ HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{STORED}",
        STORED.len()
    );
    let answers = exchange(&mut stream, &format!("{hidden}{LAST}")).await;
    assert_eq!(answers.matches("HTTP/1.1 ").count(), 2, "{answers}");
}

#[tokio::test]
async fn head_that_comes_in_pieces_is_put_together() {
    let site = Site::start().await;
    let mut stream = warm(&site).await;
    for piece in LAST.as_bytes().chunks(20) {
        stream.write_all(piece).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn known_page_is_not_sent_again() {
    let site = Site::start().await;
    let mut stream = warm(&site).await;
    let ask = |extra: &str| format!("GET /en/kept/?utm_source=a HTTP/1.1\r\nhost: x\r\n{extra}\r\n");
    stream.write_all(ask("").as_bytes()).await.unwrap();
    let mut bytes = vec![0; 8192];
    let length = stream.read(&mut bytes).await.unwrap();
    let first = String::from_utf8_lossy(&bytes[..length]).into_owned();
    let etag = first
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .unwrap();
    let again = format!("{}{LAST}", ask(&format!("if-none-match: {etag}\r\n")));
    let answers = exchange(&mut stream, &again).await;
    assert!(answers.starts_with("HTTP/1.1 304 Not Modified\r\n"), "{answers}");
    assert_eq!(answers.matches("HTTP/1.1 200 OK\r\n").count(), 1);
}

#[tokio::test]
async fn trace_of_the_caller_is_continued_on_a_stored_page() {
    let site = Site::start().await;
    let mut stream = warm(&site).await;
    let named = LAST.replace(
        "connection",
        "x-request-id: order-4711\r\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\nconnection",
    );
    let named = named.replace("connection: close\r\n", "");
    let answers = exchange(&mut stream, &format!("{named}{LAST}")).await;
    assert!(answers.contains("x-request-id: order-4711\r\n"), "{answers}");
    assert!(answers.contains("traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-"));
}
