//! One auth service of its own per test, and short ways to talk to it.
use std::str::FromStr;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use kit::bus::CloudEvent;
use kit::error::Failure;
use kit::rpc::Rpc;
use kit::testing::{Running, TestHost};
use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::{
    AuthenticateRequest, AuthenticateResponse, Caller, ConfirmEmailRequest, ForgotPasswordRequest,
    RefreshSessionRequest, RefreshSessionResponse, RegisterRequest, RegisterResponse, ResetPasswordRequest,
    SignInRequest, SignInResponse, SignOutRequest, StepUpRequest,
};
use sandbox::{Options, Sandbox};
use serde_json::json;
use sha2::Sha256;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

/// Hashing as cheap as Argon2 allows: these tests are about everything around it.
pub const CHEAP: [(&str, &str); 2] = [("AUTH_ARGON2_MEMORY_KIB", "64"), ("AUTH_ARGON2_ITERATIONS", "1")];

/// No SMTP server: mails stay in the outbox, where tests read them.
pub const NO_POST: (&str, &str) = ("SMTP_URL", "smtp://127.0.0.1:1");

pub const PASSWORD: &str = "correct horse battery";

pub struct Auth {
    pub test: TestHost,
    running: Running,
    client: AuthServiceClient<Rpc>,
    pool: PgPool,
}

impl Auth {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    pub async fn start_with(settings: &[(&'static str, &'static str)]) -> Self {
        let settings = CHEAP.iter().chain([&NO_POST]).chain(settings).copied();
        Self::run(
            TestHost::start_for(&[auth::definition()])
                .await
                .with_env(settings),
        )
        .await
    }

    /// With a mail server whose inbox can be read.
    pub async fn with_post() -> (Self, Sandbox) {
        let test = TestHost::start_for(&[auth::definition()]).await;
        let sandbox = Sandbox::start(Options {
            clock: test.clock().clone(),
            ..Options::default()
        })
        .await
        .unwrap();
        let smtp_url = sandbox.smtp_url();
        let settings = CHEAP.into_iter().chain([("SMTP_URL", smtp_url.as_str())]);
        (Self::run(test.with_env(settings)).await, sandbox)
    }

    /// The same database under a new process with other settings.
    pub async fn restart_with(self, settings: &[(&str, &str)]) -> Self {
        self.test.kill(self.running).await;
        Self::run(self.test.with_env(settings.iter().copied())).await
    }

    pub async fn run(test: TestHost) -> Self {
        let running = test.run(auth::definition()).await;
        let client = AuthServiceClient::new(test.context().directory.client("auth"));
        let options = PgConnectOptions::from_str(test.database_url()).unwrap();
        let pool = PgPool::connect_lazy_with(options.options([("search_path", "auth")]));
        Self {
            test,
            running,
            client,
            pool,
        }
    }

    pub async fn register(&self, request: RegisterRequest) -> Result<RegisterResponse, Failure> {
        answered(self.client().register(request).await)
    }

    pub async fn sign_in(&self, email: &str, password: &str) -> Result<SignInResponse, Failure> {
        self.sign_in_from(email, password, Caller::default()).await
    }

    /// Token of another session of [`ada`].
    pub async fn token_elsewhere(&self) -> String {
        let answer = self.sign_in("ada@example.com", PASSWORD).await;
        answer.unwrap().session.unwrap().token
    }

    pub async fn sign_in_from(
        &self,
        email: &str,
        password: &str,
        caller: Caller,
    ) -> Result<SignInResponse, Failure> {
        let request = SignInRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            lang: "en".to_owned(),
            caller: Some(caller),
            ..SignInRequest::default()
        };
        answered(self.client().sign_in(request).await)
    }

    pub async fn sign_out(&self, token: &str) -> Result<(), Failure> {
        let token = token.to_owned();
        answered(self.client().sign_out(SignOutRequest { token }).await).map(|_| ())
    }

    pub async fn authenticate(&self, token: &str) -> Result<AuthenticateResponse, Failure> {
        let token = token.to_owned();
        answered(self.client().authenticate(AuthenticateRequest { token }).await)
    }

    pub async fn refresh(&self, token: &str) -> Result<RefreshSessionResponse, Failure> {
        let token = token.to_owned();
        answered(
            self.client()
                .refresh_session(RefreshSessionRequest { token })
                .await,
        )
    }

    pub async fn step_up(&self, token: &str, password: &str, code: &str) -> Result<(), Failure> {
        let request = StepUpRequest {
            token: token.to_owned(),
            password: password.to_owned(),
            code: code.to_owned(),
            caller: None,
        };
        answered(self.client().step_up(request).await).map(|_| ())
    }

    pub async fn forgot(&self, email: &str) -> Result<(), Failure> {
        let request = ForgotPasswordRequest {
            email: email.to_owned(),
            lang: "de".to_owned(),
            caller: None,
        };
        answered(self.client().forgot_password(request).await).map(|_| ())
    }

    pub async fn reset(&self, token: &str, password: &str) -> Result<(), Failure> {
        let request = ResetPasswordRequest {
            token: token.to_owned(),
            password: password.to_owned(),
        };
        answered(self.client().reset_password(request).await).map(|_| ())
    }

    pub async fn confirm_email(&self, token: &str) -> Result<(), Failure> {
        let token = token.to_owned();
        let request = ConfirmEmailRequest { token };
        answered(self.client().confirm_email(request).await).map(|_| ())
    }

    /// What the mailer will put into the link of the latest mail of this kind: made of the link's id and the key.
    pub async fn mailed_token(&self, template: &str) -> String {
        let link_id: sqlx::types::Uuid = sqlx::query_scalar(
            "select link_id from mail_outbox where template = $1 and user_id is not null
             order by created_at desc, mail_id desc limit 1",
        )
        .bind(template)
        .fetch_one(&self.pool)
        .await
        .unwrap();
        token_of(link_id)
    }

    pub fn client(&self) -> AuthServiceClient<Rpc> {
        self.client.clone()
    }

    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.pool).await.unwrap()
    }
}

/// Made of a link's id and the key.
pub fn token_of(link_id: sqlx::types::Uuid) -> String {
    let keyed: Hmac<Sha256> = Hmac::new_from_slice(b"development-link-key").unwrap();
    let mac = keyed
        .chain_update(b"mailed link ")
        .chain_update(link_id.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

pub fn ada() -> RegisterRequest {
    RegisterRequest {
        name: "Ada Lovelace".to_owned(),
        email: "ada@example.com".to_owned(),
        password: PASSWORD.to_owned(),
        lang: "en".to_owned(),
        country: "GB".to_owned(),
        order_id: "md-1".to_owned(),
        idempotency_key: String::new(),
        caller: None,
    }
}

pub fn answered<T>(answer: Result<tonic::Response<T>, tonic::Status>) -> Result<T, Failure> {
    answer
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

pub fn token(answer: &RegisterResponse) -> String {
    answer.session.as_ref().unwrap().token.clone()
}

/// Publishes checkout's event of a purchase.
pub async fn paid(auth: &Auth, id: &str, user_id: &str, opens: &[&str]) {
    let data = json!({
        "userId": user_id, "product": "plus", "subscriptionId": format!("sub_{}", opens.join("_")), "opens": opens,
    });
    publish_data(auth, id, "stillpoint.checkout.subscription.activated", data).await;
}

/// Publishes an event of another service.
pub async fn publish_data(auth: &Auth, id: &str, subject: &str, data: serde_json::Value) {
    let now = auth.test.clock().now();
    publish(auth, &CloudEvent::new(id.to_owned(), subject, now, data)).await;
}

pub async fn publish(auth: &Auth, event: &CloudEvent) {
    // The stream is made in the background.
    for _ in 0..100 {
        if auth.test.context().bus.publish(event).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the stream takes no events");
}

pub async fn eventually(holds: impl AsyncFn() -> bool) {
    for _ in 0..200 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never came about");
}
