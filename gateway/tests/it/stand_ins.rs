//! The services as the wire contract describes them, with as little behind it as the tests need.
mod checkout;
pub mod content;
mod sessions;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use kit::error::{Failure, Kind};
use kit::run::{Part, Service, part};
use proto::analytics::v1 as analytics;
use proto::analytics::v1::analytics_service_server::{AnalyticsService, AnalyticsServiceServer};
use proto::auth::v1 as auth;
use proto::auth::v1::auth_service_server::{AuthService, AuthServiceServer};
use proto::checkout::v1::checkout_service_server::CheckoutServiceServer;
use proto::checkout::v1::{CreateSubscriptionRequest, CreateSurveyOrderRequest, ResolveCampaignRequest};
use proto::content::v1::content_service_server::ContentServiceServer;
use proto::sessions::v1::WriteAiTextRequest;
use proto::sessions::v1::sessions_service_server::SessionsServiceServer;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// What the stand-ins were asked, and how they are to fail.
#[derive(Default)]
pub struct World {
    pub quotes: AtomicU32,
    pub checkout_down: AtomicBool,
    pub auth_down: AtomicBool,
    pub content_down: AtomicBool,
    pub preview_over: AtomicBool,
    pub page_reads: AtomicU32,
    /// Of the home page.
    pub title: Mutex<String>,
    pub signed_out: Mutex<Vec<String>>,
    pub registered: Mutex<Option<auth::RegisterRequest>>,
    pub resolved: Mutex<Option<ResolveCampaignRequest>>,
    pub bought: Mutex<Option<CreateSubscriptionRequest>>,
    pub survey_begun: Mutex<Option<CreateSurveyOrderRequest>>,
    pub recorded: Mutex<Option<analytics::RecordWebEventsRequest>>,
    pub asked: Mutex<Option<WriteAiTextRequest>>,
    pub listeners_left: AtomicU32,
    pub grpc_timeouts: Mutex<HashMap<&'static str, String>>,
}

impl World {
    fn note_deadline<T>(&self, call: &'static str, request: &Request<T>) {
        let timeout = request
            .metadata()
            .get("grpc-timeout")
            .map(|value| value.to_str().unwrap().to_owned());
        self.grpc_timeouts
            .lock()
            .unwrap()
            .insert(call, timeout.unwrap_or_default());
    }
}

pub fn parts(world: &Arc<World>) -> Vec<Part> {
    let (for_auth, for_checkout, for_analytics) = (world.clone(), world.clone(), world.clone());
    let for_content = world.clone();
    let for_sessions = world.clone();
    vec![
        stand_in("auth", move || {
            Service::new().grpc(AuthServiceServer::new(Auth(for_auth.clone())))
        }),
        stand_in("checkout", move || {
            Service::new().grpc(CheckoutServiceServer::new(checkout::Checkout(
                for_checkout.clone(),
            )))
        }),
        stand_in("analytics", move || {
            Service::new().grpc(AnalyticsServiceServer::new(Analytics(for_analytics.clone())))
        }),
        stand_in("sessions", move || {
            Service::new().grpc(SessionsServiceServer::new(sessions::Sessions(
                for_sessions.clone(),
            )))
        }),
        stand_in("content", move || {
            Service::new().grpc(ContentServiceServer::new(content::Content(for_content.clone())))
        }),
    ]
}

fn stand_in(name: &'static str, make: impl Fn() -> Service + Send + Sync + 'static) -> Part {
    let make = Arc::new(make);
    part(
        name,
        |_| Ok(()),
        move |_, ()| {
            let make = make.clone();
            async move { Ok(make()) }
        },
    )
}

fn refuse<T>(kind: Kind, code: &str, message: &str) -> Answer<T> {
    Err(Failure::new(kind, code, message).into())
}

struct Auth(Arc<World>);

fn user(email: &str) -> auth::User {
    auth::User {
        user_id: "usr_1".into(),
        full_name: "Ada Yılmaz".into(),
        email: email.into(),
        is_coaching_user: false,
        is_therapy_user: true,
    }
}

fn session() -> auth::Session {
    let expires_at: chrono::DateTime<chrono::Utc> = "2026-12-20T12:00:00Z".parse().unwrap();
    auth::Session {
        token: "alive".into(),
        expires_at: Some(expires_at.into()),
    }
}

#[async_trait]
impl AuthService for Auth {
    async fn register(&self, request: Request<auth::RegisterRequest>) -> Answer<auth::RegisterResponse> {
        let request = request.into_inner();
        *self.0.registered.lock().unwrap() = Some(request.clone());
        match request.email.as_str() {
            "taken@example.org" => refuse(Kind::Conflict, "R100", "This address already has an account."),
            "" => Err(
                Failure::new(Kind::Invalid, "VALIDATION_FAILED", "Check the fields.")
                    .field("email", "REQUIRED", "Enter your e-mail address.")
                    .into(),
            ),
            email => Ok(Response::new(auth::RegisterResponse {
                user: Some(user(email)),
                session: Some(session()),
            })),
        }
    }

    async fn sign_in(&self, request: Request<auth::SignInRequest>) -> Answer<auth::SignInResponse> {
        let request = request.into_inner();
        if request.password != "right" {
            return refuse(
                Kind::Unauthenticated,
                "INVALID_CREDENTIALS",
                "E-mail or password is wrong.",
            );
        }
        Ok(Response::new(auth::SignInResponse {
            user: Some(user(&request.email)),
            session: Some(session()),
        }))
    }

    async fn sign_out(&self, request: Request<auth::SignOutRequest>) -> Answer<auth::SignOutResponse> {
        self.0.signed_out.lock().unwrap().push(request.into_inner().token);
        Ok(Response::new(auth::SignOutResponse {}))
    }

    async fn authenticate(
        &self,
        request: Request<auth::AuthenticateRequest>,
    ) -> Answer<auth::AuthenticateResponse> {
        self.0.note_deadline("authenticate", &request);
        if self.0.auth_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("connect to 10.0.0.7:50052 refused"));
        }
        if request.into_inner().token != "alive" {
            return refuse(Kind::Unauthenticated, "SESSION_EXPIRED", "The session is over.");
        }
        let answer = auth::AuthenticateResponse {
            user: Some(user("ada@example.org")),
            expires_at: session().expires_at,
        };
        Ok(Response::new(answer))
    }
}

struct Analytics(Arc<World>);

#[async_trait]
impl AnalyticsService for Analytics {
    async fn record_web_events(
        &self,
        request: Request<analytics::RecordWebEventsRequest>,
    ) -> Answer<analytics::RecordWebEventsResponse> {
        let request = request.into_inner();
        let accepted = i32::try_from(request.events.len()).unwrap();
        *self.0.recorded.lock().unwrap() = Some(request);
        Ok(Response::new(analytics::RecordWebEventsResponse { accepted }))
    }

    async fn summarize(
        &self,
        request: Request<analytics::SummarizeRequest>,
    ) -> Answer<analytics::SummarizeResponse> {
        let count = i64::from(request.into_inner().days);
        let counts = vec![analytics::summarize_response::Count {
            day: "2026-11-20".into(),
            event: "e".into(),
            count,
        }];
        Ok(Response::new(analytics::SummarizeResponse { counts }))
    }
}
