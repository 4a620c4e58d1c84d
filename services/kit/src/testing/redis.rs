//! A Redis of the test's own that keeps nothing on disk.

use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{free_port, required};
use crate::config::Env;

const START_LIMIT: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct Redis {
    port: u16,
    process: Child,
}

#[expect(clippy::expect_used, reason = "a test that cannot start should fail there")]
impl Redis {
    /// # Panics
    /// When `REDIS_BIN` is missing or does not work: there is no test without it.
    pub fn start() -> Self {
        Self::start_at(free_port())
    }

    /// # Panics
    /// As [`Redis::start`], and when the port is taken.
    pub fn start_at(port: u16) -> Self {
        let env = Env::from_process();
        let process = Command::new(required(&env, "REDIS_BIN"))
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("REDIS_BIN cannot be started");
        let server = Self { port, process };
        let give_up_at = Instant::now() + START_LIMIT;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < give_up_at, "Redis does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It is gone already or it goes now.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
