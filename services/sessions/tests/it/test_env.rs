//! A test's environment: sessions with its own database, NATS and simulated model, on one virtual clock.
use std::str::FromStr;
use std::time::Duration;

use kit::error::Failure;
use kit::rpc::Rpc;
use kit::testing::{Running, TestHost};
use proto::export::v1::SessionsExport;
use proto::sessions::v1::sessions_service_client::SessionsServiceClient;
use proto::sessions::v1::write_ai_text_response::{Event, Helpline};
use proto::sessions::v1::{ExportMemberRequest, WriteAiTextRequest, WriteAiTextResponse};
use sandbox::{Action, Fault, Options, Sandbox};
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use tonic::Streaming;

pub const MODEL_PATH: &str = "/ai/v1/chat/completions";
const TIMEOUT: Duration = Duration::from_mins(1);

pub struct TestEnv {
    pub test: TestHost,
    pub model: Sandbox,
    running: Running,
    client: SessionsServiceClient<Rpc>,
    pool: PgPool,
}

/// Everything a reader received from one stream.
#[derive(Debug, Default, PartialEq)]
pub struct Received {
    pub text: String,
    pub chunks: usize,
    pub helplines: Vec<Helpline>,
    pub is_done: bool,
    pub failure: Option<String>,
    pub position: String,
    /// The status that ended the stream.
    pub status: Option<Failure>,
}

impl TestEnv {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    pub async fn start_with(variables: &[(&str, &str)]) -> Self {
        let test = TestHost::start_for(&[sessions::definition()]).await;
        let model = Sandbox::start(Options {
            clock: test.clock().clone(),
            ai_pace: Duration::from_millis(2),
            ..Options::default()
        })
        .await
        .unwrap();
        let test = test
            .with_env([("AI_API_BASE", model.ai_base())])
            .with_env(variables.iter().copied());
        Self::run(test, model).await
    }

    /// Kills the service without a shutdown and starts it again.
    pub async fn restart(self) -> Self {
        self.test.kill(self.running).await;
        Self::run(self.test, self.model).await
    }

    /// Callers reach the service over a real port.
    pub async fn start_over_network() -> Self {
        let env = Self::start().await;
        let addr = env.test.listen(sessions::definition()).await;
        let test = env.test.with_env([("SESSIONS_URL", format!("https://{addr}"))]);
        let client = SessionsServiceClient::new(test.context().directory.client("sessions"));
        Self { test, client, ..env }
    }

    async fn run(test: TestHost, model: Sandbox) -> Self {
        let running = test.run(sessions::definition()).await;
        let client = SessionsServiceClient::new(test.context().directory.client("sessions"));
        let options = PgConnectOptions::from_str(test.database_url()).unwrap();
        let pool = PgPool::connect_lazy_with(options.options([("search_path", "sessions")]));
        Self {
            test,
            model,
            running,
            client,
            pool,
        }
    }

    pub async fn export_member(&self, user_id: &str) -> SessionsExport {
        let request = ExportMemberRequest {
            user_id: user_id.to_owned(),
        };
        let exported = self.client.clone().export_member(request).await.unwrap();
        exported.into_inner().export.unwrap()
    }

    pub async fn open(&self, request: WriteAiTextRequest) -> Result<Streaming<WriteAiTextResponse>, Failure> {
        let opened = self.client.clone().write_ai_text(request).await;
        opened
            .map(tonic::Response::into_inner)
            .map_err(|status| Failure::from_status(&status))
    }

    pub async fn read_all(&self, request: WriteAiTextRequest) -> Received {
        let mut source = self.open(request).await.unwrap();
        let mut received = Received::default();
        while received.next(&mut source).await {}
        received
    }

    pub fn inject_fault(&self, action: Action) {
        self.model
            .faults()
            .add(Fault::on("POST", MODEL_PATH, action).times(0));
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.pool).await.unwrap()
    }

    pub async fn wait_until_count(&self, query: &'static str, expected: i64) {
        let settled = tokio::time::timeout(TIMEOUT, async {
            while self.count(query).await != expected {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(settled.await.is_ok(), "{query}: {}", self.count(query).await);
    }
}

impl Received {
    /// Receives one event; false at the end of the stream.
    pub async fn next(&mut self, source: &mut Streaming<WriteAiTextResponse>) -> bool {
        let next = tokio::time::timeout(TIMEOUT, source.message()).await;
        let message = match next.unwrap() {
            Ok(Some(message)) => message,
            Ok(None) => return false,
            Err(status) => {
                self.status = Some(Failure::from_status(&status));
                return false;
            }
        };
        self.position = message.position;
        match message.event.unwrap() {
            Event::Text(text) => {
                self.text.push_str(&text);
                self.chunks += 1;
            }
            Event::Crisis(crisis) => self.helplines = crisis.helplines,
            Event::Done(_) => self.is_done = true,
            Event::Failed(failed) => self.failure = Some(failed.code),
        }
        true
    }
}

pub fn question(key: &str) -> WriteAiTextRequest {
    WriteAiTextRequest {
        question: "A walk home".into(),
        lang: "tr".into(),
        idempotency_key: key.into(),
        ..Default::default()
    }
}

/// Resumes a reply after a position.
pub fn after(position: &str) -> WriteAiTextRequest {
    WriteAiTextRequest {
        after: position.into(),
        ..question("")
    }
}
