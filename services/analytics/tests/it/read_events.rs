use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::fixture::{ACTIVATED, Analytics, activated};

#[tokio::test]
async fn example_subscriber_prints_an_event() {
    let analytics = Analytics::start().await;
    analytics
        .publish(&activated("evt_1", "2026-11-20T12:00:00Z"))
        .await;

    let programs = std::env::current_exe().unwrap();
    let example = programs.ancestors().nth(2).unwrap().join("examples/read_events");
    let mut reader = Command::new(example)
        .arg("stillpoint.checkout.>")
        .env("NATS_URL", analytics.test.nats_url())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(reader.stdout.take().unwrap()).lines();
    let line = tokio::task::spawn_blocking(move || lines.next()).await.unwrap();
    reader.kill().unwrap();
    reader.wait().unwrap();
    assert!(line.unwrap().unwrap().contains(ACTIVATED));
}
