use std::path::PathBuf;

use chrono::TimeDelta;
use sandbox::Options;

use crate::support::{Fixture, text};

struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sandbox-{name}-{}", std::process::id()));
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn options(directory: &Directory) -> Options {
    Options {
        state_dir: Some(directory.0.clone()),
        ..Options::default()
    }
}

#[tokio::test]
async fn a_restart_keeps_objects_keys_and_the_clock() {
    let directory = Directory::new("restart");
    let fixture = Fixture::with(options(&directory)).await;
    let subscription = fixture
        .subscribe("4242424242424242", &[("trial_period_days", "7")])
        .await
        .ok();
    let kept = fixture
        .stripe
        .post_with_key("/v1/customers", "k1", &[])
        .await
        .unwrap();
    fixture.sandbox.advance(TimeDelta::hours(3)).await.unwrap();
    let before = fixture.sandbox.now();
    fixture.sandbox.stop().await;

    let fixture = Fixture::with(options(&directory)).await;
    assert!(fixture.sandbox.now() >= before);
    let replayed = fixture
        .stripe
        .post_with_key("/v1/customers", "k1", &[])
        .await
        .unwrap();
    assert_eq!(replayed.body["id"], kept.body["id"]);
    assert_eq!(
        fixture.subscription(&subscription["id"]).await["status"],
        "trialing"
    );
    fixture.days(8).await;
    let after = fixture.subscription(&subscription["id"]).await;
    assert_eq!(
        text(&after["status"]),
        "active",
        "the billing engine goes on after a restart"
    );
    fixture.sandbox.stop().await;
}

#[tokio::test]
async fn an_invalid_snapshot_is_reported_and_not_overwritten() {
    let directory = Directory::new("broken");
    std::fs::create_dir_all(&directory.0).unwrap();
    let file = directory.0.join("sandbox.json");
    std::fs::write(&file, "{").unwrap();
    let error = sandbox::Sandbox::start(options(&directory)).await.err().unwrap();
    assert!(error.to_string().contains("sandbox.json"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
}
