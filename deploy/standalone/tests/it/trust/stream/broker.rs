//! A NATS server with the users of `standalone access nats`.

use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kit::testing::free_port;

pub const TIMEOUT: Duration = Duration::from_mins(1);
pub const POLL: Duration = Duration::from_millis(20);

pub struct Broker {
    child: Child,
    pub port: u16,
    files: PathBuf,
}

impl Broker {
    pub fn start(arguments: &[&str]) -> Self {
        let port = free_port();
        let files = std::env::temp_dir().join(format!("stillpoint-broker-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&files).unwrap();
        let configuration = files.join("nats.conf");
        let users = permissions(arguments).unwrap();
        std::fs::write(&configuration, &users).unwrap();
        let variables = users
            .lines()
            .filter_map(|line| line.trim().strip_prefix("password: $"))
            .map(|variable| (variable, password(variable)));
        let child = Command::new(std::env::var_os("NATS_BIN").unwrap())
            .arg("--config")
            .arg(&configuration)
            .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
            .args(["--jetstream", "--store_dir"])
            .arg(&files)
            .envs(variables)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let broker = Self { child, port, files };
        let give_up_at = Instant::now() + TIMEOUT;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < give_up_at, "the NATS server does not listen");
            std::thread::sleep(POLL);
        }
        broker
    }

    pub fn url(&self, user: &str) -> String {
        format!("nats://{user}:{}@127.0.0.1:{}", password_of(user), self.port)
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.files);
    }
}

/// The output of `standalone access nats`, or its error.
pub fn permissions(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_standalone"))
        .args(["access", "nats"])
        .args(arguments)
        .output()
        .unwrap();
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout).unwrap());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn password(variable: &str) -> String {
    format!("of-{variable}")
}

pub fn password_of(user: &str) -> String {
    let variable = user.replace('-', "_").to_ascii_uppercase();
    password(&format!("NATS_PASSWORD_{variable}"))
}
