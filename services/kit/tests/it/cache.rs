//! The cache tier helps when it is there and costs next to nothing when it is not.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kit::cache::Cache;
use kit::config::Env;

use crate::support::eventually;

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

fn cache_at(port: u16) -> Cache {
    Cache::connect(Some(&format!("redis://127.0.0.1:{port}"))).unwrap()
}

struct Redis(Child);

impl Redis {
    fn start(port: u16) -> Self {
        let env = Env::from_process();
        let binary = env
            .get("REDIS_BIN")
            .expect("REDIS_BIN is not set: run the tests with `make test`, which sets it");
        let child = Command::new(binary)
            .args([
                "--port",
                &port.to_string(),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
            ])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let give_up_at = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < give_up_at, "Redis does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Self(child)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn what_was_set_is_got_until_it_is_deleted() {
    let port = free_port();
    let _redis = Redis::start(port);
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
async fn no_address_is_always_a_miss() {
    let cache = Cache::connect(None).unwrap();
    cache.set("k", b"value", Duration::from_secs(1)).await;
    assert_eq!(cache.get("k").await, None);
    assert!(Cache::connect(Some("not an address")).is_err());
}

#[tokio::test]
async fn a_redis_that_swallows_everything_soon_costs_nothing() {
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
async fn a_redis_that_comes_back_is_used_again() {
    let port = free_port();
    let cache = cache_at(port);
    for _ in 0..5 {
        assert_eq!(cache.get("k").await, None);
    }
    let _redis = Redis::start(port);
    eventually("it is used again", async || {
        cache.set("k", b"value", Duration::from_mins(1)).await;
        cache.get("k").await.is_some()
    })
    .await;
}
