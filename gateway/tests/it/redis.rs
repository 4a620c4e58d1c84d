//! A real Redis of the test's own.
use std::process::{Child, Command, Stdio};

use kit::config::Env;

use crate::site::free_addr;

pub struct Redis {
    server: Child,
    addr: String,
}

impl Redis {
    pub fn start() -> Self {
        let env = Env::from_process();
        let program = env
            .get("REDIS_BIN")
            .expect("REDIS_BIN is not set: run the tests with `make test`, which sets it");
        let addr = free_addr();
        let port = addr.rsplit(':').next().unwrap();
        let server = Command::new(program)
            .args([
                "--port",
                port,
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
        Self { server, addr }
    }

    pub fn url(&self) -> String {
        format!("redis://{}", self.addr)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It is gone already or it goes now.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
