//! The services as the wire contract describes them, with as little behind it as the tests need.
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use kit::error::{Failure, Kind};
use kit::run::{Part, Service, part};
use proto::analytics::v1 as analytics;
use proto::auth::v1 as auth;
use proto::checkout::v1 as checkout;
use proto::common::v1::Money;
use proto::content::v1 as content;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// What the stand-ins were asked, and how they are to fail.
#[derive(Default)]
pub struct World {
    pub quotes: AtomicU32,
    pub checkout_down: AtomicBool,
    pub auth_down: AtomicBool,
    pub signed_out: Mutex<Vec<String>>,
    pub registered: Mutex<Option<auth::RegisterRequest>>,
    pub resolved: Mutex<Option<checkout::ResolveCampaignRequest>>,
    pub bought: Mutex<Option<checkout::CreateSubscriptionRequest>>,
    pub recorded: Mutex<Option<analytics::RecordWebEventsRequest>>,
    pub grpc_timeouts: Mutex<HashMap<&'static str, String>>,
}

impl World {
    fn note_deadline<T>(&self, call: &'static str, request: &Request<T>) {
        let timeout = request.metadata().get("grpc-timeout").map(|value| value.to_str().unwrap().to_owned());
        self.grpc_timeouts.lock().unwrap().insert(call, timeout.unwrap_or_default());
    }
}

pub fn parts(world: &Arc<World>) -> Vec<Part> {
    let (auth_world, checkout_world, analytics_world) = (world.clone(), world.clone(), world.clone());
    vec![
        stand_in("auth", move || {
            Service::new().grpc(auth::auth_service_server::AuthServiceServer::new(Auth(auth_world.clone())))
        }),
        stand_in("checkout", move || {
            let server = checkout::checkout_service_server::CheckoutServiceServer::new(Checkout(checkout_world.clone()));
            Service::new().grpc(server)
        }),
        stand_in("analytics", move || {
            let server = analytics::analytics_service_server::AnalyticsServiceServer::new(Analytics(analytics_world.clone()));
            Service::new().grpc(server)
        }),
        stand_in("content", || {
            Service::new().grpc(content::content_service_server::ContentServiceServer::new(Content))
        }),
    ]
}

fn stand_in(name: &'static str, make: impl Fn() -> Service + Send + Sync + 'static) -> Part {
    let make = Arc::new(make);
    part(name, |_| Ok(()), move |_, ()| {
        let make = make.clone();
        async move { Ok(make()) }
    })
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
    auth::Session { token: "alive".into(), expires_at: Some(expires_at.into()) }
}

#[async_trait]
impl auth::auth_service_server::AuthService for Auth {
    async fn register(&self, request: Request<auth::RegisterRequest>) -> Answer<auth::RegisterResponse> {
        let request = request.into_inner();
        *self.0.registered.lock().unwrap() = Some(request.clone());
        match request.email.as_str() {
            "taken@example.org" => refuse(Kind::Conflict, "R100", "This address already has an account."),
            "" => Err(Failure::new(Kind::Invalid, "VALIDATION_FAILED", "Check the fields.")
                .field("email", "REQUIRED", "Enter your e-mail address.")
                .into()),
            email => Ok(Response::new(auth::RegisterResponse { user: Some(user(email)), session: Some(session()) })),
        }
    }

    async fn sign_in(&self, request: Request<auth::SignInRequest>) -> Answer<auth::SignInResponse> {
        let request = request.into_inner();
        if request.password != "right" {
            return refuse(Kind::Unauthenticated, "INVALID_CREDENTIALS", "E-mail or password is wrong.");
        }
        Ok(Response::new(auth::SignInResponse { user: Some(user(&request.email)), session: Some(session()) }))
    }

    async fn sign_out(&self, request: Request<auth::SignOutRequest>) -> Answer<auth::SignOutResponse> {
        self.0.signed_out.lock().unwrap().push(request.into_inner().token);
        Ok(Response::new(auth::SignOutResponse {}))
    }

    async fn authenticate(&self, request: Request<auth::AuthenticateRequest>) -> Answer<auth::AuthenticateResponse> {
        self.0.note_deadline("authenticate", &request);
        if self.0.auth_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("connect to 10.0.0.7:50052 refused"));
        }
        if request.into_inner().token != "alive" {
            return refuse(Kind::Unauthenticated, "SESSION_EXPIRED", "The session is over.");
        }
        let answer = auth::AuthenticateResponse { user: Some(user("ada@example.org")), expires_at: session().expires_at };
        Ok(Response::new(answer))
    }
}

struct Checkout(Arc<World>);

fn lira(amount_minor: i64) -> Money {
    Money { amount_minor, currency: "TRY".into() }
}

fn offer(campaign: &str, coupon_code: &str) -> checkout::Offer {
    checkout::Offer {
        campaign: campaign.into(),
        campaign_id: "cmp_1".into(),
        coupon_code: coupon_code.into(),
        price_id: "prc_1".into(),
        price: Some(lira(95_920)),
        default_price: Some(lira(119_900)),
        discount_amount: Some(lira(23_980)),
        discount_rate_percent: 20,
        trial_days: 7,
        period_months: 12,
        product: "premium".into(),
    }
}

fn subscription() -> checkout::Subscription {
    checkout::Subscription {
        subscription_id: "sub_1".into(),
        order_id: "ord_1".into(),
        product: "premium".into(),
        price_id: "prc_1".into(),
        status: "active".into(),
        price: Some(lira(5_999)),
        trial_days: 0,
        current_period_end: session().expires_at,
        created_at: session().expires_at,
    }
}

#[async_trait]
impl checkout::checkout_service_server::CheckoutService for Checkout {
    async fn resolve_campaign(
        &self,
        request: Request<checkout::ResolveCampaignRequest>,
    ) -> Answer<checkout::ResolveCampaignResponse> {
        let request = request.into_inner();
        *self.0.resolved.lock().unwrap() = Some(request.clone());
        if request.campaign != "web-annual" {
            return refuse(Kind::NotFound, "UNKNOWN_CAMPAIGN", "There is no such offer.");
        }
        if !matches!(request.coupon_code.as_str(), "" | "WELCOME20") {
            return refuse(Kind::NotFound, "UNKNOWN_COUPON", "There is no such coupon.");
        }
        Ok(Response::new(checkout::ResolveCampaignResponse {
            offer: Some(offer(&request.campaign, &request.coupon_code)),
            stripe_customer_id: if request.user_id.is_empty() { String::new() } else { "cus_1".into() },
            stripe_price_id: "price_1".into(),
        }))
    }

    async fn quote_offers(&self, request: Request<checkout::QuoteOffersRequest>) -> Answer<checkout::QuoteOffersResponse> {
        self.0.quotes.fetch_add(1, Ordering::SeqCst);
        if self.0.checkout_down.load(Ordering::SeqCst) {
            return Err(Status::unavailable("down"));
        }
        let items = request.into_inner().items;
        let known = items.iter().filter(|item| item.campaign.starts_with("web-"));
        let offers = known.map(|item| offer(&item.campaign, &item.coupon_code)).collect();
        Ok(Response::new(checkout::QuoteOffersResponse { offers }))
    }

    async fn create_subscription(
        &self,
        request: Request<checkout::CreateSubscriptionRequest>,
    ) -> Answer<checkout::CreateSubscriptionResponse> {
        self.0.note_deadline("create_subscription", &request);
        let request = request.into_inner();
        *self.0.bought.lock().unwrap() = Some(request.clone());
        if request.idempotency_key == "used" {
            return refuse(Kind::Conflict, "IDEMPOTENCY_CONFLICT", "The key was used with another body.");
        }
        match request.payment_method_id.as_str() {
            "pm_declined" => refuse(Kind::Refused, "card_declined", "Your card was declined."),
            "pm_slow" => {
                tokio::time::sleep(Duration::from_mins(1)).await;
                refuse(Kind::Internal, "INTERNAL", "never said")
            }
            _ => Ok(Response::new(checkout::CreateSubscriptionResponse {
                subscription: Some(subscription()),
                payment_status: "succeeded".into(),
                client_secret: "pi_1_secret".into(),
                setup_intent_secret: String::new(),
                payment_intent_id: "pi_1".into(),
                quantity: 1,
            })),
        }
    }

    async fn confirm_subscription(
        &self,
        request: Request<checkout::ConfirmSubscriptionRequest>,
    ) -> Answer<checkout::ConfirmSubscriptionResponse> {
        if request.into_inner().subscription_id != "sub_1" {
            return refuse(Kind::NotFound, "UNKNOWN_SUBSCRIPTION", "There is no such subscription.");
        }
        let payment_status = "succeeded".into();
        Ok(Response::new(checkout::ConfirmSubscriptionResponse { subscription: Some(subscription()), payment_status }))
    }

    async fn list_subscriptions(
        &self,
        _: Request<checkout::ListSubscriptionsRequest>,
    ) -> Answer<checkout::ListSubscriptionsResponse> {
        Ok(Response::new(checkout::ListSubscriptionsResponse { subscriptions: vec![subscription()] }))
    }

    async fn receive_webhook(
        &self,
        request: Request<checkout::ReceiveWebhookRequest>,
    ) -> Answer<checkout::ReceiveWebhookResponse> {
        let request = request.into_inner();
        if request.signature != format!("signs {}", String::from_utf8_lossy(&request.body)) {
            return refuse(Kind::Invalid, "BAD_SIGNATURE", "The signature does not fit.");
        }
        Ok(Response::new(checkout::ReceiveWebhookResponse { duplicate: false }))
    }
}

struct Analytics(Arc<World>);

#[async_trait]
impl analytics::analytics_service_server::AnalyticsService for Analytics {
    async fn record_web_events(
        &self,
        request: Request<analytics::RecordWebEventsRequest>,
    ) -> Answer<analytics::RecordWebEventsResponse> {
        let request = request.into_inner();
        let accepted = i32::try_from(request.events.len()).unwrap();
        *self.0.recorded.lock().unwrap() = Some(request);
        Ok(Response::new(analytics::RecordWebEventsResponse { accepted }))
    }

    async fn summarize(&self, request: Request<analytics::SummarizeRequest>) -> Answer<analytics::SummarizeResponse> {
        let count = i64::from(request.into_inner().days);
        let counts = vec![analytics::summarize_response::Count { day: "2026-11-20".into(), event: "e".into(), count }];
        Ok(Response::new(analytics::SummarizeResponse { counts }))
    }
}

struct Content;

fn block(id: &str, component_name: &str, props: &serde_json::Value) -> content::Block {
    content::Block { id: id.into(), component_name: component_name.into(), props_json: props.to_string() }
}

fn plan(campaign: &str) -> serde_json::Value {
    serde_json::json!({
        "title": campaign, "button": {"text": "Choose", "url": "/payment/annual"}, "price": {"campaignName": campaign},
    })
}

fn home(locale: &str) -> content::Page {
    let plans = serde_json::json!({"plans": [plan("web-monthly"), plan("web-annual"), plan("gone")]});
    content::Page {
        url_path: "/".into(),
        locale: locale.into(),
        content_locale: "en".into(),
        template: "Home".into(),
        page_type: "home".into(),
        seo: Some(content::Seo { title: "Stillpoint".into(), ..content::Seo::default() }),
        sections: vec![
            block("hero", "Hero", &serde_json::json!({"title": "Breathe"})),
            block("from-the-future", "Hologram", &serde_json::json!({"x": 1})),
            block("plans", "PlanList", &plans),
        ],
        snapshot_id: "snp_1".into(),
        published_at: session().expires_at,
        available_locales: vec!["en".into()],
        ..content::Page::default()
    }
}

#[async_trait]
impl content::content_service_server::ContentService for Content {
    async fn get_page(&self, request: Request<content::GetPageRequest>) -> Answer<content::GetPageResponse> {
        let request = request.into_inner();
        match request.url_path.as_str() {
            "/" => Ok(Response::new(content::GetPageResponse { page: Some(home(&request.locale)) })),
            "/broken" => Err(Status::internal("relation \"page\" does not exist")),
            _ => refuse(Kind::NotFound, "PAGE_NOT_FOUND", "There is no such page."),
        }
    }

    async fn get_chrome(&self, _: Request<content::GetChromeRequest>) -> Answer<content::GetChromeResponse> {
        let logo = serde_json::json!({"logo": {"url": "/favicon.svg", "alt": "Stillpoint"}});
        Ok(Response::new(content::GetChromeResponse {
            navigation: Some(block("navigation", "Navigation", &logo)),
            footer: Some(block("footer", "Footer", &logo)),
        }))
    }

    async fn list_pages(&self, request: Request<content::ListPagesRequest>) -> Answer<content::ListPagesResponse> {
        let summary = |locale: &str, url_path: &str| content::PageSummary {
            locale: locale.into(),
            url_path: url_path.into(),
            ..content::PageSummary::default()
        };
        let (pages, next_page_token) = match request.into_inner().page_token.as_str() {
            "" => (vec![summary("en", "/"), summary("tr", "/")], "2"),
            _ => (vec![summary("en", "/pricing")], ""),
        };
        Ok(Response::new(content::ListPagesResponse { pages, next_page_token: next_page_token.into() }))
    }

    async fn publish_page(&self, _: Request<content::PublishPageRequest>) -> Answer<content::PublishPageResponse> {
        Err(Status::unimplemented("not from here"))
    }

    async fn publish_chrome(&self, _: Request<content::PublishChromeRequest>) -> Answer<content::PublishChromeResponse> {
        Err(Status::unimplemented("not from here"))
    }
}
