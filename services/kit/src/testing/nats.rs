//! A private NATS server on a free port with files of its own.

use std::fs;
use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::free_port;

const START_LIMIT: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(super) struct NatsServer {
    binary: String,
    port: u16,
    files: PathBuf,
    process: Mutex<Option<Child>>,
}

#[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
impl NatsServer {
    pub fn start(binary: &str) -> Self {
        let port = free_port();
        let files = std::env::temp_dir().join(format!("stillpoint-nats-{}-{port}", std::process::id()));
        let server = Self {
            binary: binary.to_owned(),
            port,
            files,
            process: Mutex::default(),
        };
        server.resume();
        server
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn resume(&self) {
        let child = Command::new(&self.binary)
            .args([
                "--addr",
                "127.0.0.1",
                "--port",
                &self.port.to_string(),
                "--jetstream",
                "--store_dir",
            ])
            .arg(&self.files)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("NATS_BIN cannot be started");
        *self.process() = Some(child);
        let give_up_at = Instant::now() + START_LIMIT;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            assert!(Instant::now() < give_up_at, "the NATS server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn stop(&self) {
        if let Some(mut child) = self.process().take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn process(&self) -> std::sync::MutexGuard<'_, Option<Child>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.stop();
        let _ = fs::remove_dir_all(&self.files);
    }
}
