use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use kit::clock::Clock;
use kit::testing::{TestHost, free_port};
use sandbox::{Bucket, Options, Sandbox};

use crate::support::{Fixture, start_time};

const START_LIMIT: Duration = Duration::from_mins(1);

/// A NATS server that requires a user and a password.
struct ProtectedNats {
    child: Child,
    port: u16,
    files: PathBuf,
}

impl ProtectedNats {
    fn start(user: &str, password: &str) -> Self {
        let port = free_port();
        let files = std::env::temp_dir().join(format!("sandbox-nats-{}-{port}", std::process::id()));
        let child = Command::new(std::env::var_os("NATS_BIN").unwrap())
            .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
            .args(["--user", user, "--pass", password])
            .args(["--jetstream", "--store_dir"])
            .arg(&files)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { child, port, files };
        let give_up_at = Instant::now() + START_LIMIT;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < give_up_at, "the NATS server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }
}

impl Drop for ProtectedNats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.files);
    }
}

async fn offset_in_bucket(host: &TestHost) -> String {
    let client = async_nats::connect(host.nats_url()).await.unwrap();
    let store = async_nats::jetstream::new(client)
        .get_key_value("clock")
        .await
        .unwrap();
    String::from_utf8(store.get("offset_ms").await.unwrap().unwrap().to_vec()).unwrap()
}

#[tokio::test]
async fn the_services_hear_of_the_virtual_time() {
    let host = TestHost::without_database().await;
    let bucket = Some(Bucket {
        nats_url: host.nats_url(),
        name: "clock".into(),
    });
    let fixture = Fixture::with(Options {
        clock: Clock::manual(start_time()),
        bucket,
        ..Options::default()
    })
    .await;
    assert_eq!(offset_in_bucket(&host).await, "0");
    fixture.days(7).await;
    assert_eq!(
        offset_in_bucket(&host).await,
        TimeDelta::days(7).num_milliseconds().to_string()
    );

    host.stop_nats();
    assert!(
        fixture.sandbox.advance(TimeDelta::days(1)).await.is_err(),
        "the new time was not published"
    );
    assert_eq!(fixture.sandbox.now(), start_time() + TimeDelta::days(7));
}

#[tokio::test]
async fn credentials_of_the_address_are_sent() {
    let nats = ProtectedNats::start("ada", "p@ss");
    let open = async |credentials: &str| {
        let options = Options {
            clock: Clock::manual(start_time()),
            bucket: Some(Bucket {
                nats_url: format!("nats://{credentials}@127.0.0.1:{}", nats.port),
                name: "clock".into(),
            }),
            ..Options::default()
        };
        Sandbox::start(options).await.map(|_| ())
    };
    open("ada:p%40ss").await.unwrap();
    let refused = format!("{:#}", open("ada:wr0ng").await.unwrap_err());
    assert!(!refused.contains("wr0ng"), "{refused}");
}
