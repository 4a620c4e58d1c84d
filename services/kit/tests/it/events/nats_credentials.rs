//! Credentials in `NATS_URL` are sent to a NATS server that requires them.

use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kit::bus::{Bus, Files};
use kit::testing::free_port;
use tokio_util::sync::CancellationToken;

const TIMEOUT: Duration = Duration::from_mins(1);

struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let port = free_port();
        let child = Command::new(std::env::var_os("NATS_BIN").unwrap())
            .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let give_up_at = Instant::now() + TIMEOUT;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < give_up_at, "the NATS server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { child, port }
    }

    async fn connects(&self, credentials: &str) {
        let url = format!("nats://{credentials}@127.0.0.1:{}", self.port);
        self.connects_with(&url, &Files::default()).await;
    }

    async fn connects_with(&self, url: &str, files: &Files) {
        let bus = Bus::connect_with_files(url, files, "test", CancellationToken::new())
            .await
            .unwrap();
        let give_up_at = Instant::now() + TIMEOUT;
        while !bus.is_connected() {
            assert!(
                Instant::now() < give_up_at,
                "not connected to {url} with {files:?}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // A response of the server, not a state of the client.
        bus.client().flush().await.unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn user_and_password_of_the_url_are_sent() {
    Server::start(&["--user", "ada", "--pass", "p@ss"])
        .connects("ada:p%40ss")
        .await;
}

#[tokio::test]
async fn token_of_the_url_is_sent() {
    Server::start(&["--auth", "s3cret"]).connects("s3cret").await;
}

#[tokio::test]
async fn nkey_of_a_file_is_sent() {
    // Made for this test, with its public key.
    const SEED: &str = "SUANQDPB2RUOE4ETUA26CNX7FUKE5ZZKFCQIIW63OX225F2CO7UEXTM7ZY";
    const PUBLIC: &str = "UAMMBNV2EYR65NYZZ7IAK5SIR5ODNTTERJOBOF4KJLMWI45YOXOSWULM";
    let folder = std::env::temp_dir().join(format!("stillpoint-nkey-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (seed, configuration) = (folder.join("seed"), folder.join("nats.conf"));
    std::fs::write(&seed, format!("{SEED}\n")).unwrap();
    let users = format!("authorization {{ users: [ {{ nkey: \"{PUBLIC}\" }} ] }}\n");
    std::fs::write(&configuration, users).unwrap();

    let server = Server::start(&["--config", &configuration.display().to_string()]);
    let files = Files {
        nkey: Some(seed),
        ..Files::default()
    };
    let url = format!("nats://127.0.0.1:{}", server.port);
    server.connects_with(&url, &files).await;
    std::fs::remove_dir_all(&folder).unwrap();
}
