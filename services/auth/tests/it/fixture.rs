//! One auth service of its own per test, and short ways to talk to it.
use std::str::FromStr;

use kit::error::Failure;
use kit::rpc::Rpc;
use kit::testing::{Running, TestHost};
use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::{
    AuthenticateRequest, AuthenticateResponse, RegisterRequest, RegisterResponse, SignInRequest,
    SignInResponse, SignOutRequest,
};
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

/// Hashing as cheap as Argon2 allows: these tests are about everything around it.
pub const CHEAP: [(&str, &str); 2] = [("AUTH_ARGON2_MEMORY_KIB", "64"), ("AUTH_ARGON2_ITERATIONS", "1")];

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
        let settings = CHEAP.iter().chain(settings).copied();
        Self::run(TestHost::start().await.with_env(settings)).await
    }

    /// The same database under a new process with other settings.
    pub async fn restart_with(self, settings: &[(&'static str, &'static str)]) -> Self {
        self.test.kill(self.running).await;
        Self::run(self.test.with_env(settings.iter().copied())).await
    }

    async fn run(test: TestHost) -> Self {
        let running = test.run(auth::part()).await;
        let client = AuthServiceClient::new(test.host().directory.client("auth"));
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
        let answer = self.client.clone().register(request).await;
        answer
            .map(tonic::Response::into_inner)
            .map_err(|status| Failure::from_status(&status))
    }

    pub async fn sign_in(&self, email: &str, password: &str) -> Result<SignInResponse, Failure> {
        let request = SignInRequest {
            email: email.to_owned(),
            password: password.to_owned(),
            lang: "en".to_owned(),
        };
        let answer = self.client.clone().sign_in(request).await;
        answer
            .map(tonic::Response::into_inner)
            .map_err(|status| Failure::from_status(&status))
    }

    pub async fn sign_out(&self, token: &str) -> Result<(), Failure> {
        let answer = self
            .client
            .clone()
            .sign_out(SignOutRequest {
                token: token.to_owned(),
            })
            .await;
        answer.map(|_| ()).map_err(|status| Failure::from_status(&status))
    }

    pub async fn authenticate(&self, token: &str) -> Result<AuthenticateResponse, Failure> {
        let answer = self
            .client
            .clone()
            .authenticate(AuthenticateRequest {
                token: token.to_owned(),
            })
            .await;
        answer
            .map(tonic::Response::into_inner)
            .map_err(|status| Failure::from_status(&status))
    }

    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.pool).await.unwrap()
    }
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
    }
}

pub fn token(answer: &RegisterResponse) -> String {
    answer.session.as_ref().unwrap().token.clone()
}
