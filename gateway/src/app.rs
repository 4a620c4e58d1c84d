//! The route table, grouped by who calls, and the wiring behind it.
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use futures::stream::select;
use kit::clock::Clock;
use kit::run::{AppContext, Service, Task};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::allowances::{
    BATCH, BRIEF_NOTIFICATION, EXPORT, NOTIFICATION, PAGE_DEADLINE, PAYMENT, QUERY, REPORT, SIGN_IN, SMALL,
};
use crate::clients::Clients;
use crate::config::Config;
use crate::edge::Edge;
use crate::error::{envelope, lab_envelope, method_not_allowed, panicked};
use crate::graphql::{self, Graphql};
use crate::pages::cache::PageCache;
use crate::pages::{Pages, manifest, preview, purge, serve};
use crate::rest::completed::Layers;
use crate::rest::document::Documents;
use crate::rest::{
    access_token, account, analytics, auth, bin_check, checkout, completed, countries, country, csp_reports,
    document, forms, gifts, handoff, intents, personal_data, providers, purchases, redirects, requester,
    samples, sessions, social, subscription_changes, subscriptions, survey, survey_answers, survey_payment,
    users, withdrawals,
};
use crate::security::cookies::{SessionCookie, mark_members};
use crate::security::csrf;
use crate::security::guesses;
use crate::security::headers::{SecurityHeaders, secure};
use crate::security::limits::{self, Allowance, Limits};
use crate::{server, trace};

/// What every handler can reach.
pub struct App {
    pub config: Config,
    pub clock: Clock,
    pub clients: Clients,
    pub pages: Arc<Pages>,
    pub graphql: Graphql,
    pub limits: Arc<Limits>,
    pub security_headers: SecurityHeaders,
    pub session_cookie: SessionCookie,
    pub documents: Documents,
    /// Cancelled when the process is to stop: what would go on for long ends then.
    pub shutdown: CancellationToken,
}

pub async fn start(host: Arc<AppContext>, config: Config) -> anyhow::Result<Service> {
    let app = App::new(&host, config).context("describing the API")?;
    let addr = app.config.http_addr;
    let listener = TcpListener::bind(addr)
        .await
        .with_context(|| format!("HTTP_ADDR: cannot listen on {addr}"))?;
    tracing::info!(%addr, "Listening on {addr}");

    let edge = Edge::new(Arc::clone(&app), router(&app));
    let serving = server::serve(listener, edge, app.config.server.clone(), host.shutdown.clone());
    let [published, unpublished] = purge::FILTERS;
    let events = select(host.bus.watch(published).await, host.bus.watch(unpublished).await);
    let purging = server::until(
        host.shutdown.clone(),
        purge::follow(events, Arc::clone(app.pages.tags())),
    );
    let forgetting = server::until(
        host.shutdown.clone(),
        Arc::clone(&app.limits).forget_idle_clients(),
    );
    Ok(Service::new()
        .task(Task::new("http", serving))
        .task(Task::new("purge", purging))
        .task(Task::new("forget_idle_clients", forgetting)))
}

/// The description of all calls, as JSON.
pub fn openapi() -> serde_json::Value {
    let mut document = document::Document::openapi();
    let mut paths = serde_json::Map::new();
    for (group, layers) in vec![
        (visitors(), Layers::OPEN),
        (signing_in(), Layers::FORMS),
        (arriving(), Layers::LAB),
        (asking(), Layers::OPEN),
        (payments(), Layers::PAYMENTS),
        (lab(), Layers::LAB),
        (checking_cards(), Layers::LAB),
        (withdrawing(), Layers::OPEN),
        (members(), Layers::MEMBERS),
        (exporting(), Layers::MEMBERS),
        (reporters(), Layers::OPEN),
        (policy_reporters(), Layers::REPORTS),
        (providers(), Layers::PROVIDERS),
        (brief_providers(), Layers::PROVIDERS),
        (operators(), Layers::OPEN),
    ] {
        let group = group.into_openapi();
        completed::merge(&mut paths, &group, layers);
        document.merge(group);
    }
    completed::document(&document, paths)
}

impl App {
    fn new(host: &AppContext, config: Config) -> anyhow::Result<Arc<Self>> {
        let clients = Clients::new(&host.directory);
        let session_cookie = if config.site.is_https() {
            SessionCookie::for_https()
        } else {
            SessionCookie::for_http()
        };
        let pages = Pages::new(&config, host, clients.clone());
        let answers = PageCache::new(
            host.clock.clone(),
            config.pages.answer_bytes,
            Arc::clone(pages.tags()),
        );
        Ok(Arc::new(Self {
            graphql: Graphql::new(clients.clone(), &config, answers),
            pages,
            limits: Arc::new(Limits::new(&config.clients)),
            security_headers: SecurityHeaders::new(&config.site),
            documents: Documents::new(&openapi())?,
            clock: host.clock.clone(),
            shutdown: host.shutdown.clone(),
            session_cookie,
            clients,
            config,
        }))
    }
}

type Routes = OpenApiRouter<Arc<App>>;

/// Anybody, signed in or not.
fn visitors() -> Routes {
    Routes::new()
        .routes(routes!(auth::session))
        .routes(routes!(auth::logout))
        .routes(routes!(social::social_nonce))
        .routes(routes!(access_token::key_set))
        .routes(routes!(country::country))
        .routes(routes!(countries::countries))
        .routes(routes!(redirects::redirect))
        .routes(routes!(survey::create_survey_order))
        .routes(routes!(survey_answers::get_survey))
        .routes(routes!(
            survey_answers::save_survey_answers,
            survey_answers::submit_survey
        ))
        .routes(routes!(personal_data::receipt))
        .routes(routes!(document::openapi))
        .routes(routes!(document::asyncapi))
        .routes(routes!(document::docs))
}

/// Anybody who wants to become somebody, and whoever sets a password.
fn signing_in() -> Routes {
    Routes::new()
        .routes(routes!(auth::register))
        .routes(routes!(account::email_signup))
        .routes(routes!(auth::login))
        .routes(routes!(social::apple))
        .routes(routes!(social::facebook))
        .routes(routes!(social::google))
        .routes(routes!(account::forgot_password))
        .routes(routes!(account::reset_password))
        .routes(routes!(account::update_profile))
        .routes(routes!(account::confirm_email))
        .routes(routes!(personal_data::request_erasure))
}

/// Anybody who brings the proof of who they are from elsewhere; the envelope of the lab.
fn arriving() -> Routes {
    Routes::new().routes(routes!(handoff::validate_token))
}

/// Anybody who wants a text written.
fn asking() -> Routes {
    Routes::new().routes(routes!(sessions::ai_text))
}

/// Visitors and members at the checkout; the specified envelope.
fn payments() -> Routes {
    Routes::new()
        .routes(routes!(checkout::web_campaign))
        .routes(routes!(checkout::web_campaign_landing))
        .routes(routes!(subscriptions::create_subscription_fixed))
        .routes(routes!(subscriptions::confirm_subscription))
        .routes(routes!(intents::create_payment_intent))
        .routes(routes!(intents::create_trial_price_intent))
        .routes(routes!(intents::gift_create_intent))
        .routes(routes!(intents::one_time_create_intent))
        .routes(routes!(gifts::platron_create_gift))
        .routes(routes!(intents::addition_campaigns))
        .routes(routes!(intents::addition_confirm))
        .routes(routes!(survey_payment::subscription_meta_data))
        .routes(routes!(providers::link_paypal_subscription))
        .routes(routes!(providers::platron_success))
        .routes(routes!(providers::platron_error))
}

/// Visitors' calls in the envelope that the lab's are specified to have.
fn lab() -> Routes {
    Routes::new()
        .routes(routes!(samples::samples))
        .routes(routes!(survey_payment::special_program_payment))
        .routes(routes!(survey_payment::special_program_id_update))
        .routes(routes!(survey_answers::create_survey_playlist))
}

/// Anybody who asks what their card opens; the envelope of the lab.
fn checking_cards() -> Routes {
    Routes::new().routes(routes!(bin_check::bincheck))
}

/// Anybody who withdraws from a contract.
fn withdrawing() -> Routes {
    Routes::new().routes(routes!(withdrawals::declare_withdrawal))
}

/// Somebody signed in.
fn members() -> Routes {
    Routes::new()
        .routes(routes!(subscriptions::list_subscriptions))
        .routes(routes!(purchases::list_purchases))
        .routes(routes!(subscription_changes::list_plans))
        .routes(routes!(subscription_changes::preview_plan))
        .routes(routes!(subscription_changes::change_subscription))
        .routes(routes!(account::profile))
        .routes(routes!(account::devices))
        .routes(routes!(account::sign_out_device))
        .routes(routes!(account::sign_out_everywhere))
        .routes(routes!(handoff::issue_handoff_token))
        .routes(routes!(access_token::issue_access_token))
        .routes(routes!(handoff::temporary_premium))
        .routes(routes!(users::user_details))
}

/// Somebody signed in who wants everything that is kept of them.
fn exporting() -> Routes {
    Routes::new().routes(routes!(personal_data::export))
}

/// Browsers' reports.
fn reporters() -> Routes {
    Routes::new()
        .routes(routes!(analytics::events))
        .routes(routes!(analytics::special_program_events))
}

/// Browsers' reports about blocked content. No session is read and nothing is stored, so they may come from any page.
fn policy_reporters() -> Routes {
    Routes::new().routes(routes!(csp_reports::report))
}

/// Payment providers, known by their signature.
fn providers() -> Routes {
    Routes::new()
        .routes(routes!(checkout::stripe_webhook))
        .routes(routes!(providers::paypal_webhook))
}

/// Those whose notifications are a few fields.
fn brief_providers() -> Routes {
    Routes::new()
        .routes(routes!(providers::yookassa_webhook))
        .routes(routes!(providers::platron_webhook))
}

/// Whoever runs the site, known by the operator token.
fn operators() -> Routes {
    Routes::new().routes(routes!(analytics::summary))
}

/// The web renderer and other readers of content, known by the read token.
fn readers(app: &Arc<App>) -> Router<Arc<App>> {
    let graphql = get(graphql::execute_get).post(graphql::execute_post);
    bounded(Router::new().route("/graphql", graphql), app, QUERY)
}

/// Everybody else: pages and files.
fn pages(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/robots.txt", get(serve::robots))
        .route("/manifest.webmanifest", get(manifest::manifest))
        .fallback(serve::page)
        .layer((
            from_fn_with_state(Arc::clone(app), limits::shed),
            from_fn_with_state(Arc::clone(app), limits::rate),
            from_fn_with_state(PAGE_DEADLINE, limits::bodiless),
            from_fn_with_state(Arc::clone(app), preview::show_drafts),
        ))
}

/// Layers of one group stand in one tuple, the outermost first: each call of `layer` boxes every route once more, and a request
/// copies all the boxes of its route.
fn router(app: &Arc<App>) -> Router {
    let from_browsers = |routes: Routes, allowance| {
        plain(routes).layer((
            from_fn_with_state(Arc::clone(app), limits::shed),
            from_fn_with_state(Arc::clone(app), limits::rate),
            from_fn_with_state(Arc::clone(app), csrf::refuse_cross_site_writes),
            from_fn_with_state((Arc::clone(app), allowance), limits::bounded),
            from_fn_with_state(Arc::clone(app), requester::identify),
        ))
    };
    let signing_in = from_browsers(signing_in().layer(from_fn(forms::complete)), SIGN_IN)
        .layer(from_fn_with_state(Arc::clone(app), limits::sign_in_rate))
        .layer(from_fn_with_state(Arc::clone(app), forms::lead_on));
    let arriving = from_browsers(arriving(), SIGN_IN)
        .layer(from_fn_with_state(Arc::clone(app), limits::sign_in_rate))
        .layer(from_fn(lab_envelope));
    let asking =
        from_browsers(asking(), SMALL).layer(from_fn_with_state(Arc::clone(app), limits::ai_text_rate));
    let checking_cards = from_browsers(checking_cards(), SMALL)
        .layer(from_fn_with_state(Arc::clone(app), limits::sign_in_rate))
        .layer(from_fn(lab_envelope));
    let withdrawing =
        from_browsers(withdrawing(), SMALL).layer(from_fn_with_state(Arc::clone(app), limits::sign_in_rate));
    let policy_reporters = bounded(plain(policy_reporters()), app, REPORT).layer((
        from_fn_with_state(Arc::clone(app), limits::shed),
        from_fn_with_state(Arc::clone(app), limits::csp_report_rate),
    ));
    Router::new()
        .merge(from_browsers(visitors(), SMALL))
        .merge(policy_reporters)
        .merge(signing_in)
        .merge(arriving)
        .merge(checking_cards)
        .merge(withdrawing)
        .merge(asking)
        .merge(
            from_browsers(
                payments().layer(from_fn_with_state(Arc::clone(app), guesses::coupons)),
                PAYMENT,
            )
            .layer(from_fn(envelope)),
        )
        .merge(from_browsers(lab(), SMALL).layer(from_fn(lab_envelope)))
        .merge(from_browsers(members(), SMALL))
        .merge(from_browsers(exporting(), EXPORT))
        .merge(from_browsers(reporters(), BATCH))
        .merge(from_browsers(operators(), BATCH))
        .merge(from_providers(providers(), app, NOTIFICATION))
        .merge(from_providers(brief_providers(), app, BRIEF_NOTIFICATION))
        .merge(readers(app))
        .merge(pages(app))
        .method_not_allowed_fallback(method_not_allowed)
        .layer((
            from_fn(trace::identify),
            from_fn_with_state(Arc::clone(app), secure),
            from_fn(mark_members),
            CatchPanicLayer::custom(|_| panicked()),
        ))
        .with_state(Arc::clone(app))
}

fn plain(routes: Routes) -> Router<Arc<App>> {
    routes.split_for_parts().0
}

fn from_providers(routes: Routes, app: &Arc<App>, allowance: Allowance) -> Router<Arc<App>> {
    plain(routes).layer((
        from_fn_with_state(Arc::clone(app), limits::rate),
        from_fn_with_state(Arc::clone(app), guesses::notifications),
        from_fn_with_state((Arc::clone(app), allowance), limits::bounded),
    ))
}

/// So much body, so much time.
fn bounded(routes: Router<Arc<App>>, app: &Arc<App>, allowance: Allowance) -> Router<Arc<App>> {
    routes.layer(from_fn_with_state((Arc::clone(app), allowance), limits::bounded))
}
