//! Credentials in `NATS_URL` are sent to a NATS server that requires them.

use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kit::bus::Bus;
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
        let bus = Bus::connect(&url, "test", CancellationToken::new())
            .await
            .unwrap();
        let give_up_at = Instant::now() + TIMEOUT;
        while !bus.is_connected() {
            assert!(Instant::now() < give_up_at, "not connected as {credentials}");
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
