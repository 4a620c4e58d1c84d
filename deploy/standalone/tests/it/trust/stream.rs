//! Who may publish and read which events: the users of `standalone access nats` on a real server. Everything is tried for every
//! user, and what is not declared by a service is refused.

mod broker;
mod expected;
mod raw;

use std::fmt::Write as _;
use std::path::Path;

use futures::StreamExt as _;
use futures::future::join_all;
use kit::bus::{Bus, BusError, CloudEvent, Watch};
use tokio_util::sync::CancellationToken;

use broker::{Broker, permissions};
use expected::{Expected, ONE_PROCESS, READER, READS, all_of, any_covers, covers, services, subjects};
use raw::Client;

/// As for `make run` and Docker Compose.
const DEVELOPMENT: [&str; 4] = ["--clock-bucket", "clock", "--reader", "reader=stillpoint.>"];

/// One line per wrong answer, so that a failure shows all of them.
#[derive(Default)]
struct Report {
    lines: String,
    allowed: usize,
    refused: usize,
}

/// One try of a user.
struct Attempt {
    what: String,
    allowed: bool,
    expected: bool,
}

impl Report {
    fn add(&mut self, attempt: &Attempt) {
        if attempt.allowed {
            self.allowed += 1;
        } else {
            self.refused += 1;
        }
        if attempt.allowed != attempt.expected {
            let answer = if attempt.allowed { "allowed" } else { "refused" };
            writeln!(self.lines, "{}: {answer}", attempt.what).unwrap();
        }
    }

    fn check(&self) {
        assert_eq!(self.lines, "");
        assert!(self.allowed > 0 && self.refused > 0);
    }
}

#[test]
fn a_user_publishes_exactly_the_subjects_of_its_service() {
    let broker = Broker::start(&["--clock-bucket", "clock", "--reader", "bi=stillpoint.checkout.>"]);
    let mut report = Report::default();
    for user in Expected::users() {
        let mut client = Client::connect(broker.port, Some(&user.name)).unwrap();
        for subject in subjects() {
            report.add(&Attempt {
                what: format!("{} publishes {subject}", user.name),
                allowed: client.publish(&subject, "{}"),
                expected: any_covers(&user.publishes, &subject),
            });
        }
    }
    report.check();
}

#[test]
fn a_user_subscribes_to_exactly_its_watches_and_its_inbox() {
    let broker = Broker::start(&["--clock-bucket", "clock", "--reader", "bi=stillpoint.checkout.>"]);
    let mut report = Report::default();
    let users = Expected::users();
    for user in &users {
        let mut client = Client::connect(broker.port, Some(&user.name)).unwrap();
        for subject in subjects() {
            report.add(&Attempt {
                what: format!("{} subscribes to {subject}", user.name),
                allowed: client.subscribe(&subject),
                expected: any_covers(&user.watches, &subject),
            });
        }
        for other in &users {
            let inbox = format!("_INBOX_{}.>", other.name);
            report.add(&Attempt {
                what: format!("{} subscribes to {inbox}", user.name),
                allowed: client.subscribe(&inbox),
                expected: user.name == other.name,
            });
        }
        for everything in [">", "stillpoint.>", "_INBOX.>", "$JS.>", "$SYS.>"] {
            report.add(&Attempt {
                what: format!("{} subscribes to {everything}", user.name),
                allowed: client.subscribe(everything),
                expected: false,
            });
        }
    }
    report.check();
}

#[test]
fn a_user_creates_exactly_its_consumers_with_their_filters() {
    let broker = Broker::start(&["--clock-bucket", "clock", "--reader", "bi=stillpoint.checkout.>"]);
    let mut report = Report::default();
    let users = Expected::users();
    let mut durables: Vec<String> = users
        .iter()
        .flat_map(|user| user.durables.iter().map(|(name, _)| name.clone()))
        .collect();
    durables.sort();
    durables.dedup();
    for user in &users {
        let mut client = Client::connect(broker.port, Some(&user.name)).unwrap();
        for durable in &durables {
            let own: Vec<String> = user
                .durables
                .iter()
                .filter(|(name, _)| name == durable)
                .map(|(_, filter)| filter.clone())
                .collect();
            for subject in subjects() {
                report.add(&Attempt {
                    what: format!("{} creates {durable} for {subject}", user.name),
                    // Without a body the request has no effect, if it is permitted.
                    allowed: client.publish(&create(durable, Some(&subject)), ""),
                    expected: any_covers(&own, &subject),
                });
            }
            for call in [
                create(durable, None),
                format!("$JS.API.CONSUMER.DURABLE.CREATE.STILLPOINT.{durable}"),
            ] {
                report.add(&Attempt {
                    what: format!("{} publishes {call}", user.name),
                    allowed: client.publish(&call, ""),
                    expected: false,
                });
            }
            report.add(&Attempt {
                what: format!("{} reads {durable}", user.name),
                allowed: client.publish(&format!("$JS.API.CONSUMER.MSG.NEXT.STILLPOINT.{durable}"), "1"),
                expected: !own.is_empty(),
            });
        }
    }
    report.check();
}

fn create(durable: &str, filter: Option<&str>) -> String {
    let filter = filter.map(|filter| format!(".{filter}")).unwrap_or_default();
    format!("$JS.API.CONSUMER.CREATE.STILLPOINT.{durable}{filter}")
}

#[test]
fn connections_without_credentials_or_with_wrong_ones_are_refused() {
    let broker = Broker::start(&[]);
    let anonymous = Client::connect(broker.port, None).err().unwrap();
    assert!(anonymous.contains("Authorization Violation"), "{anonymous}");
    let unknown = Client::connect(broker.port, Some("mallory")).err().unwrap();
    assert!(unknown.contains("Authorization Violation"), "{unknown}");
    assert!(Client::connect(broker.port, Some("auth")).is_ok());
}

#[test]
fn only_analytics_deletes_events_and_no_user_deletes_the_stream() {
    let broker = Broker::start(&["--reader", "bi=stillpoint.checkout.>"]);
    let mut users = Expected::users();
    users.retain(|user| user.name != "sandbox");
    for user in users {
        let mut client = Client::connect(broker.port, Some(&user.name)).unwrap();
        let deletes = user.name == "analytics" || user.name == ONE_PROCESS;
        let allowed = client.publish("$JS.API.STREAM.MSG.DELETE.STILLPOINT", "{}");
        assert_eq!(allowed, deletes, "{}", user.name);
        for call in [
            "STREAM.DELETE.STILLPOINT",
            "STREAM.PURGE.STILLPOINT",
            "STREAM.UPDATE.STILLPOINT",
            "CONSUMER.DELETE.STILLPOINT.auth",
        ] {
            let allowed = client.publish(&format!("$JS.API.{call}"), "");
            assert!(!allowed, "{}: {call}", user.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_service_publishes_its_own_events_and_a_foreign_one_is_never_acknowledged() {
    let broker = Broker::start(&[]);
    let mut users = Expected::users();
    users.retain(|user| services().iter().any(|service| service.name() == user.name));
    join_all(users.iter().map(|user| publish_own_and_foreign(&broker, user))).await;
}

async fn publish_own_and_foreign(broker: &Broker, user: &Expected) {
    let bus = broker.bus(&user.name).await;
    let (owned, foreign): (Vec<_>, Vec<_>) = subjects()
        .into_iter()
        .partition(|subject| any_covers(&user.publishes, subject));
    if let Some(subject) = owned.first() {
        published(&bus, &event(subject)).await;
    }
    // Neither an acknowledgement nor an error: the outbox would publish it again.
    let refused = bus.publish(&event(&foreign[0])).await;
    assert_eq!(refused, Err(BusError::NoAnswer), "{} {}", user.name, foreign[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gateway_watches_publications() {
    let broker = Broker::start(&[]);
    let (content, gateway) = (broker.bus("content").await, broker.bus("gateway").await);
    let subject = subjects()
        .into_iter()
        .find(|subject| covers("stillpoint.content.*.published", subject));
    let first = event(&subject.unwrap());
    published(&content, &first).await;
    let mut watch = gateway.watch("stillpoint.*.*.published").await;
    let mut next = async || tokio::time::timeout(broker::TIMEOUT, watch.next()).await.unwrap();
    assert_eq!(next().await, Some(Watch::Gap));
    let second = CloudEvent {
        id: "e2".to_owned(),
        ..first
    };
    content.publish(&second).await.unwrap();
    assert_eq!(next().await, Some(Watch::Event(second)));
}

#[tokio::test(flavor = "multi_thread")]
async fn analytics_deletes_a_members_events() {
    let broker = Broker::start(&[]);
    let (auth, analytics) = (broker.bus("auth").await, broker.bus("analytics").await);
    let subject = subjects().into_iter().find(|it| covers(&all_of("auth"), it));
    published(&auth, &event(&subject.unwrap())).await;
    assert_eq!(
        analytics.delete_matching(|event| event.id == "e1").await.unwrap(),
        1
    );
    assert_eq!(
        analytics.delete_matching(|event| event.id == "e1").await.unwrap(),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_reads_its_filter() {
    let broker = Broker::start(&["--reader", "bi=stillpoint.checkout.>"]);
    let checkout = broker.bus("checkout").await;
    let subject = subjects().into_iter().find(|it| covers(READS, it)).unwrap();
    published(&checkout, &event(&subject)).await;
    let port = broker.port;
    let read = tokio::task::spawn_blocking(move || {
        let mut reader = Client::connect(port, Some(READER)).unwrap();
        let config = r#"{"stream_name":"STILLPOINT","config":{"name":"bi","durable_name":"bi",
            "filter_subject":"stillpoint.checkout.>","ack_policy":"explicit"}}"#;
        let created = reader.request(&create(READER, Some(READS)), config);
        assert!(!created.contains("\"error\""), "{created}");
        reader.request("$JS.API.CONSUMER.MSG.NEXT.STILLPOINT.bi", "1")
    });
    let message = read.await.unwrap();
    let read = CloudEvent::from_json(message.as_bytes()).unwrap();
    assert_eq!(read, event(&subject));
}

#[test]
fn a_reader_cannot_have_the_name_of_another_user_or_consumer() {
    for taken in ["auth", "stillpoint", "auth-erasure", "erasure-reader-1"] {
        let reader = format!("{taken}=stillpoint.checkout.>");
        let error = permissions(&["--reader", &reader]).unwrap_err();
        assert!(error.contains("is taken"), "{error}");
    }
    for wrong in [
        "bi",
        "bi=",
        "bi=$JS.>",
        "bi=stillpoint.\"}",
        "Bi=stillpoint.>",
        "bi=>",
    ] {
        permissions(&["--reader", wrong]).unwrap_err();
    }
}

/// `UPDATE_EXPECT=1` writes the file.
#[test]
fn the_file_of_docker_compose_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nats/authorization.conf");
    let current = permissions(&DEVELOPMENT).unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        std::fs::write(&file, &current).unwrap();
    }
    let stored = std::fs::read_to_string(&file).unwrap();
    assert!(
        stored == current,
        "deploy/nats/authorization.conf is outdated: run this test with UPDATE_EXPECT=1"
    );
}

fn event(subject: &str) -> CloudEvent {
    let time = "2026-11-20T12:00:00Z".parse().unwrap();
    CloudEvent::new("e1".to_owned(), subject, time, serde_json::json!({}))
}

impl Broker {
    /// A connection as the services make it.
    async fn bus(&self, user: &str) -> Bus {
        let url = self.url(user);
        let bus = Bus::connect(&url, user, CancellationToken::new()).await.unwrap();
        let connected = async {
            while !bus.is_connected() {
                tokio::time::sleep(broker::POLL).await;
            }
        };
        tokio::time::timeout(broker::TIMEOUT, connected).await.unwrap();
        bus
    }
}

/// Publishes once the stream exists.
async fn published(bus: &Bus, event: &CloudEvent) {
    let publishing = async {
        while bus.publish(event).await.is_err() {
            tokio::time::sleep(broker::POLL).await;
        }
    };
    tokio::time::timeout(broker::TIMEOUT, publishing).await.unwrap();
}
