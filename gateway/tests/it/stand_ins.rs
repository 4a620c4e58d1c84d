//! The services as the wire contract describes them, with as little behind it as the tests need.
mod accounts;
mod checkout;
pub mod content;
mod members;
mod second_factors;
mod sessions;
mod sign_ins;
mod surveys;
mod wares;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use kit::error::{Failure, Kind};
use kit::requester::Requester;
use kit::run::{Service, ServiceDefinition, define_service};
use proto::analytics::v1 as analytics;
use proto::analytics::v1::analytics_service_server::{AnalyticsService, AnalyticsServiceServer};
use proto::auth::v1::auth_service_server::AuthServiceServer;
use proto::auth::v1::{
    ForgotPasswordRequest, RegisterByEmailRequest, RegisterRequest, SignInRequest, SignInSociallyRequest,
};
use proto::checkout::v1::checkout_service_server::CheckoutServiceServer;
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, CreateGiftRequest, CreateIntentRequest, CreateSubscriptionRequest,
    CreateSurveyOrderRequest, DeclareWithdrawalRequest, ResolveCampaignRequest, SaveSurveyAnswersRequest,
};
use proto::content::v1::content_service_server::ContentServiceServer;
use proto::export::v1::{AnalyticsExport, Event};
use proto::sessions::v1::WriteAiTextRequest;
use proto::sessions::v1::sessions_service_server::SessionsServiceServer;
use tonic::codegen::BoxStream;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// What the stand-ins were asked, and how they are to fail.
#[derive(Default)]
pub struct FakeServices {
    pub quotes: AtomicU32,
    /// Languages.
    pub quoted_in: Mutex<Vec<String>>,
    pub checkout_down: AtomicBool,
    pub auth_down: AtomicBool,
    pub content_down: AtomicBool,
    pub preview_over: AtomicBool,
    pub page_reads: AtomicU32,
    /// Of the home page.
    pub title: Mutex<String>,
    pub signed_out: Mutex<Vec<String>>,
    pub registered: Mutex<Option<RegisterRequest>>,
    pub registered_by_email: Mutex<Option<RegisterByEmailRequest>>,
    pub signed_in: Mutex<Option<SignInRequest>>,
    pub signed_in_socially: Mutex<Option<SignInSociallyRequest>>,
    pub forgotten: Mutex<Option<ForgotPasswordRequest>>,
    pub resolved: Mutex<Option<ResolveCampaignRequest>>,
    pub bought: Mutex<Option<CreateSubscriptionRequest>>,
    pub opened: Mutex<Option<CreateIntentRequest>>,
    pub gifted: Mutex<Option<CreateGiftRequest>>,
    pub withdrawn: Mutex<Option<DeclareWithdrawalRequest>>,
    pub survey_begun: Mutex<Option<CreateSurveyOrderRequest>>,
    /// On whose behalf a card was checked, or a webhook received.
    pub requester: Mutex<Option<Requester>>,
    pub survey_saved: Mutex<Option<SaveSurveyAnswersRequest>>,
    pub survey_claimed: Mutex<Option<ClaimSurveyOrderRequest>>,
    pub recorded: Mutex<Option<analytics::RecordWebEventsRequest>>,
    pub asked: Mutex<Option<WriteAiTextRequest>>,
    pub listeners_left: AtomicU32,
    pub grpc_timeouts: Mutex<HashMap<&'static str, String>>,
}

impl FakeServices {
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

pub fn parts(world: &Arc<FakeServices>) -> Vec<ServiceDefinition> {
    let (for_auth, for_checkout, for_analytics) = (world.clone(), world.clone(), world.clone());
    let for_content = world.clone();
    let for_sessions = world.clone();
    vec![
        stand_in("auth", move || {
            Service::new().grpc(AuthServiceServer::new(accounts::Auth(for_auth.clone())))
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

fn stand_in(name: &'static str, make: impl Fn() -> Service + Send + Sync + 'static) -> ServiceDefinition {
    let make = Arc::new(make);
    define_service(
        name,
        |_| Ok(()),
        move |_, ()| {
            let make = make.clone();
            async move { Ok(make()) }
        },
    )
}

fn refuse<T>(kind: Kind, code: &str, message: &str) -> Answer<T> {
    Err(Failure::with_code(kind, code, message).into())
}

fn a_month_on() -> proto::Timestamp {
    let at: chrono::DateTime<chrono::Utc> = "2026-12-20T12:00:00Z".parse().unwrap();
    at.into()
}

struct Analytics(Arc<FakeServices>);

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

    type ExportMemberStream = BoxStream<analytics::ExportMemberResponse>;

    /// In two parts, as a long one comes.
    async fn export_member(
        &self,
        request: Request<analytics::ExportMemberRequest>,
    ) -> Answer<Self::ExportMemberStream> {
        let user_id = request.into_inner().user_id;
        let part = move |name: &str| {
            let event = Event {
                name: format!("{name} of {user_id}"),
                ..Default::default()
            };
            let events = vec![event];
            Ok(analytics::ExportMemberResponse {
                export: Some(AnalyticsExport { events }),
            })
        };
        let parts = [part("first"), part("last")];
        Ok(Response::new(Box::pin(futures::stream::iter(parts))))
    }
}
