//! The Redis tier is used when available and costs little when not.

use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use kit::cache::Cache;
use kit::testing::{Redis, free_port};

use crate::support::eventually;

fn cache_at(port: u16) -> Cache {
    Cache::connect(Some(&format!("redis://127.0.0.1:{port}"))).unwrap()
}

#[tokio::test]
async fn entry_is_readable_until_deleted() {
    let port = free_port();
    let _redis = Redis::start_at(port);
    let cache = cache_at(port);
    let ttl = Duration::from_mins(1);
    eventually("it is connected", async || {
        cache.set("k", b"value", ttl).await;
        cache.get("k").await.is_some()
    })
    .await;
    assert_eq!(cache.get("k").await.as_deref(), Some(b"value".as_slice()));
    cache.delete("k").await;
    assert_eq!(cache.get("k").await, None);
}

#[tokio::test]
async fn missing_address_is_always_a_miss() {
    let cache = Cache::connect(None).unwrap();
    cache.set("k", b"value", Duration::from_secs(1)).await;
    assert_eq!(cache.get("k").await, None);
    assert!(Cache::connect(Some("not an address")).is_err());
}

#[tokio::test]
async fn unresponsive_redis_is_skipped_after_some_timeouts() {
    let blackhole = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let cache = cache_at(blackhole.local_addr().unwrap().port());
    for _ in 0..5 {
        let asked = Instant::now();
        assert_eq!(cache.get("k").await, None);
        assert!(
            asked.elapsed() < Duration::from_millis(500),
            "{:?}",
            asked.elapsed()
        );
    }
    let asked = Instant::now();
    for _ in 0..1000 {
        assert_eq!(cache.get("k").await, None);
    }
    assert!(
        asked.elapsed() < Duration::from_millis(200),
        "{:?}",
        asked.elapsed()
    );
}

#[tokio::test]
async fn recovered_redis_is_used_again() {
    let port = free_port();
    let cache = cache_at(port);
    for _ in 0..5 {
        assert_eq!(cache.get("k").await, None);
    }
    let _redis = Redis::start_at(port);
    eventually("it is used again", async || {
        cache.set("k", b"value", Duration::from_mins(1)).await;
        cache.get("k").await.is_some()
    })
    .await;
}
