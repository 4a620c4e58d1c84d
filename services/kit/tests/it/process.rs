//! Lifecycle of a process from its settings to its exit code, with `examples/smallest.rs`.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use kit::testing::{TestHost, free_port};
use serde_json::Value;

const TIMEOUT: Duration = Duration::from_mins(1);

pub fn smallest() -> Command {
    let mut profile = std::env::current_exe().unwrap();
    profile.pop();
    profile.pop();
    let binary: PathBuf = profile.join("examples/smallest");
    let mut command = Command::new(binary);
    command.env_clear().stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("STILLPOINT_ENV", "development");
    command
}

/// A running process and its log lines.
pub struct Process {
    child: Child,
    lines: Receiver<Value>,
    seen: RefCell<Vec<Value>>,
    ops: String,
}

impl Process {
    pub fn start(mut command: Command, nats_url: &str) -> Self {
        let ops = format!("127.0.0.1:{}", free_port());
        command.env("OPS_ADDR", &ops).env("NATS_URL", nats_url);
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(serde_json::from_str(&line).unwrap_or_default());
            }
        });
        Self {
            child,
            lines,
            seen: RefCell::default(),
            ops,
        }
    }

    /// Waits for the log line with `message`; earlier lines match too.
    pub fn log(&self, message: &str) -> Value {
        let has_message = |line: &&Value| line["message"] == message;
        if let Some(line) = self.seen.borrow().iter().find(has_message) {
            return line.clone();
        }
        let give_up_at = Instant::now() + TIMEOUT;
        loop {
            let left = give_up_at.saturating_duration_since(Instant::now());
            let line = self
                .lines
                .recv_timeout(left)
                .unwrap_or_else(|_| panic!("never logged: {message}"));
            self.seen.borrow_mut().push(line.clone());
            if has_message(&&line) {
                return line;
            }
        }
    }

    async fn get(&self, path: &str) -> (u16, String) {
        let stream = tokio::net::TcpStream::connect(&self.ops).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(hyper_util::rt::TokioIo::new(stream))
                .await
                .unwrap();
        tokio::spawn(connection);
        let request = http::Request::get(path)
            .header("host", &self.ops)
            .body(String::new())
            .unwrap();
        let response = sender.send_request(request).await.unwrap();
        let status = response.status().as_u16();
        let body = http_body_util::BodyExt::collect(response.into_body())
            .await
            .unwrap()
            .to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    pub fn terminate(&self) {
        Command::new("kill")
            .arg(self.child.id().to_string())
            .status()
            .unwrap();
    }

    pub fn exit(&mut self) -> ExitStatus {
        let give_up_at = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < give_up_at, "it does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run_to_end(mut command: Command) -> (Option<i32>, String) {
    let mut child = command.spawn().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

#[test]
fn all_configuration_errors_are_reported_before_the_start() {
    let mut command = smallest();
    command
        .env("GREETING_EVERY_SECS", "often")
        .env("OPS_ADDR", "here")
        .env("LOG_FORMAT", "xml");
    let (code, said) = run_to_end(command);
    assert_eq!(code, Some(78), "{said}");
    for variable in ["GREETING_EVERY_SECS", "OPS_ADDR", "LOG_FORMAT"] {
        assert!(said.contains(variable), "{said}");
    }
}

#[test]
fn check_config_does_not_start_the_process() {
    let mut command = smallest();
    command.arg("--check-config");
    assert_eq!(run_to_end(command).0, Some(0));
    let mut command = smallest();
    command.arg("--check-config").env("CLUMSY", "perhaps");
    assert_eq!(run_to_end(command).0, Some(78));
    let mut command = smallest();
    command.arg("--migrate").env("CLUMSY", "perhaps");
    assert_eq!(run_to_end(command).0, Some(0), "it reads no other settings");
    let mut command = smallest();
    command.arg("--help");
    assert_eq!(run_to_end(command).0, Some(64));
}

#[test]
fn process_without_an_environment_rejects_development_settings() {
    let check = |nats_url: &str| {
        let mut command = smallest();
        command.env_remove("STILLPOINT_ENV").env("NATS_URL", nats_url);
        command.arg("--check-config");
        run_to_end(command)
    };
    let (code, said) = check("");
    assert_eq!(code, Some(78), "{said}");
    assert!(said.contains("NATS_URL: must be set in production"), "{said}");
    for public in ["nats://127.0.0.1:42220", "nats://ada:stillpoint@nats.example"] {
        let (code, said) = check(public);
        assert_eq!(code, Some(78), "{said}");
        assert!(
            said.contains("NATS_URL: holds a public development value"),
            "{said}"
        );
    }
    let (code, said) = check("nats://nats.example:4222");
    assert_eq!(code, Some(78), "{said}");
    assert!(said.contains("NATS_URL: has no credentials"), "{said}");
    let (code, said) = check("nats://ada:0123456789abcdef@nats.example:4222");
    assert_eq!(code, Some(0), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn process_becomes_ready_serves_ops_and_drains_on_a_signal() {
    let context = TestHost::start().await;
    let mut process = Process::start(smallest(), &context.nats_url());
    let greeted = process.log("greeted");
    assert_eq!(
        (greeted["service"].as_str(), greeted["greeting"].as_str()),
        (Some("smallest"), Some("hello"))
    );
    assert_eq!(greeted["trace_id"].as_str().map(str::len), Some(32), "{greeted}");
    process.log("ready");

    assert_eq!(process.get("/healthz").await.0, 200);
    let (status, words) = process.get("/readyz").await;
    assert_eq!((status, words.contains("\"voice\":true")), (200, true), "{words}");
    assert_eq!(process.get("/metrics").await.0, 200);

    process.terminate();
    process.log("said goodbye");
    assert_eq!(process.exit().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn process_becomes_ready_without_nats() {
    let mut process = Process::start(smallest(), "nats://127.0.0.1:1");
    process.log("ready");
    assert_eq!(process.get("/readyz").await.0, 200);
    process.terminate();
    assert_eq!(process.exit().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn panic_of_a_task_stops_the_process() {
    let context = TestHost::start().await;
    let mut command = smallest();
    command.env("CLUMSY", "true");
    let mut process = Process::start(command, &context.nats_url());
    assert_eq!(process.exit().code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn occupied_port_is_reported() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .unwrap()
        .local_addr()
        .unwrap();
    let _listener = TcpListener::bind(taken);
    let mut command = smallest();
    command.env("OPS_ADDR", taken.to_string());
    let (code, said) = run_to_end(command);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("OPS_ADDR") && said.contains(&taken.to_string()),
        "{said}"
    );
}
