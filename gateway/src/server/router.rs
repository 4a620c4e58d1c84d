//! The route table, grouped by caller, and the layers around each group.
use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::middleware::security_headers::add_security_headers;
use crate::middleware::{csrf, guess_limits, limits, requester};
use crate::openapi::completion::{self, GroupLayers};
use crate::pages::{manifest, security_txt};
use crate::protocol::allowances::{
    Allowance, BATCH, EXPORT, GRAPHQL, PAGE_DEADLINE, PAYMENT, REPORT, SIGN_IN, SMALL, SMALL_WEBHOOK, WEBHOOK,
};
use crate::protocol::error::{data_error_envelope, method_not_allowed, panicked, payment_envelope};
use crate::protocol::trace;
use crate::rest::auth::{
    access_token, account, forms, handoff, personal_data, second_factor, session, social, step_up,
    user_details,
};
use crate::rest::checkout::{
    bin_check, campaigns, gifts, intents, providers, purchases, subscription_changes, subscriptions,
    survey_answers, survey_orders, survey_payment, withdrawals,
};
use crate::rest::site::{countries, country, csp_reports, documents, redirects};
use crate::rest::{analytics, content, sessions};
use crate::security::cookies::set_member_hint;
use crate::security::limits::Rate;
use crate::server::handlers::{graphql, pages, preview};
use crate::state::AppState;

/// The description of all calls, as JSON.
pub fn openapi() -> serde_json::Value {
    let mut document = documents::ApiDoc::openapi();
    let mut paths = serde_json::Map::new();
    for (group, layers) in vec![
        (visitor_routes(), GroupLayers::OPEN),
        (sign_in_routes(), GroupLayers::FORMS),
        (token_sign_in_routes(), GroupLayers::DATA_ERROR),
        (ai_text_routes(), GroupLayers::OPEN),
        (payment_routes(), GroupLayers::PAYMENTS),
        (data_error_routes(), GroupLayers::DATA_ERROR),
        (bin_check_routes(), GroupLayers::DATA_ERROR),
        (withdrawal_routes(), GroupLayers::OPEN),
        (member_routes(), GroupLayers::MEMBERS),
        (export_routes(), GroupLayers::MEMBERS),
        (analytics_routes(), GroupLayers::OPEN),
        (csp_report_routes(), GroupLayers::REPORTS),
        (webhook_routes(), GroupLayers::PROVIDERS),
        (small_webhook_routes(), GroupLayers::PROVIDERS),
        (operator_routes(), GroupLayers::OPEN),
    ] {
        let group = group.into_openapi();
        completion::merge(&mut paths, &group, layers);
        document.merge(group);
    }
    completion::document(&document, paths)
}

type Routes = OpenApiRouter<Arc<AppState>>;

/// Visitors and members.
fn visitor_routes() -> Routes {
    Routes::new()
        .routes(routes!(session::session))
        .routes(routes!(session::logout))
        .routes(routes!(social::social_nonce))
        .routes(routes!(access_token::key_set))
        .routes(routes!(country::country))
        .routes(routes!(countries::countries))
        .routes(routes!(redirects::redirect))
        .routes(routes!(survey_orders::create_survey_order))
        .routes(routes!(survey_answers::get_survey))
        .routes(routes!(
            survey_answers::save_survey_answers,
            survey_answers::submit_survey
        ))
        .routes(routes!(personal_data::receipt))
        .routes(routes!(documents::openapi))
        .routes(routes!(documents::asyncapi))
        .routes(routes!(documents::docs))
}

/// Sign-up, sign-in, step-up and new passwords.
fn sign_in_routes() -> Routes {
    Routes::new()
        .routes(routes!(session::register))
        .routes(routes!(account::email_signup))
        .routes(routes!(session::login))
        .routes(routes!(social::apple))
        .routes(routes!(social::facebook))
        .routes(routes!(social::google))
        .routes(routes!(account::forgot_password))
        .routes(routes!(account::reset_password))
        .routes(routes!(account::update_profile))
        .routes(routes!(account::confirm_email))
        .routes(routes!(personal_data::request_erasure))
        .routes(routes!(step_up::step_up))
        .routes(routes!(step_up::end_session))
        .routes(routes!(second_factor::confirm))
        .routes(routes!(second_factor::verify))
}

/// Sign-in by a handoff token; data/error envelope.
fn token_sign_in_routes() -> Routes {
    Routes::new().routes(routes!(handoff::validate_token))
}

/// AI texts.
fn ai_text_routes() -> Routes {
    Routes::new().routes(routes!(sessions::ai_text))
}

/// Visitors and members at the checkout; the specified envelope.
fn payment_routes() -> Routes {
    Routes::new()
        .routes(routes!(campaigns::web_campaign))
        .routes(routes!(campaigns::web_campaign_landing))
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

/// Samples and survey payments; data/error envelope, as specified.
fn data_error_routes() -> Routes {
    Routes::new()
        .routes(routes!(content::samples))
        .routes(routes!(survey_payment::special_program_payment))
        .routes(routes!(survey_payment::special_program_id_update))
        .routes(routes!(survey_answers::create_survey_playlist))
}

/// BIN checks; data/error envelope, as specified.
fn bin_check_routes() -> Routes {
    Routes::new().routes(routes!(bin_check::bincheck))
}

/// Withdrawals from a contract; no session needed.
fn withdrawal_routes() -> Routes {
    Routes::new().routes(routes!(withdrawals::declare_withdrawal))
}

/// Members.
fn member_routes() -> Routes {
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
        .routes(routes!(second_factor::state, second_factor::disable))
        .routes(routes!(second_factor::enrol))
        .routes(routes!(second_factor::replace_recovery_codes))
        .routes(routes!(handoff::issue_handoff_token))
        .routes(routes!(access_token::issue_access_token))
        .routes(routes!(handoff::temporary_premium))
        .routes(routes!(user_details::user_details))
}

/// The export of a member's data.
fn export_routes() -> Routes {
    Routes::new().routes(routes!(personal_data::export))
}

/// Analytics events of browsers.
fn analytics_routes() -> Routes {
    Routes::new()
        .routes(routes!(analytics::events))
        .routes(routes!(analytics::special_program_events))
}

/// CSP reports. No session is read and nothing is stored, so they may come from any page.
fn csp_report_routes() -> Routes {
    Routes::new().routes(routes!(csp_reports::report))
}

/// Payment providers, identified by their signature.
fn webhook_routes() -> Routes {
    Routes::new()
        .routes(routes!(providers::stripe_webhook))
        .routes(routes!(providers::paypal_webhook))
}

/// Payment providers with small notifications.
fn small_webhook_routes() -> Routes {
    Routes::new()
        .routes(routes!(providers::yookassa_webhook))
        .routes(routes!(providers::platron_webhook))
}

/// Operators, identified by the operator token.
fn operator_routes() -> Routes {
    Routes::new().routes(routes!(analytics::summary))
}

/// The web renderer and other readers of content, identified by the read token.
fn graphql_routes(app: &Arc<AppState>) -> Router<Arc<AppState>> {
    let graphql = get(graphql::execute_get).post(graphql::execute_post);
    bounded(Router::new().route("/graphql", graphql), app, GRAPHQL)
}

/// Pages and files.
fn page_routes(app: &Arc<AppState>) -> Router<Arc<AppState>> {
    Router::new()
        .route("/robots.txt", get(pages::robots))
        .route(security_txt::PATH, get(pages::security_txt))
        .route("/manifest.webmanifest", get(manifest::manifest))
        .fallback(pages::page)
        .layer((
            from_fn_with_state(Arc::clone(app), limits::shed_load),
            from_fn_with_state((Arc::clone(app), Rate::General), limits::rate),
            from_fn_with_state(PAGE_DEADLINE, limits::without_body),
            from_fn_with_state(Arc::clone(app), preview::serve_drafts),
        ))
}

/// Layers of one group stand in one tuple, the outermost first: each call of `layer` boxes every route once more, and a request
/// copies all the boxes of its route.
pub fn router(app: &Arc<AppState>) -> Router {
    let from_browsers = |routes: Routes, allowance| {
        plain(routes).layer((
            from_fn_with_state(Arc::clone(app), limits::shed_load),
            from_fn_with_state((Arc::clone(app), Rate::General), limits::rate),
            from_fn_with_state(Arc::clone(app), csrf::refuse_cross_site_writes),
            from_fn_with_state((Arc::clone(app), allowance), limits::bound_body_and_time),
            from_fn_with_state(Arc::clone(app), requester::set_requester),
        ))
    };
    let sign_in = from_browsers(sign_in_routes().layer(from_fn(forms::add_page_fields)), SIGN_IN)
        .layer(from_fn_with_state((Arc::clone(app), Rate::SignIn), limits::rate))
        .layer(from_fn_with_state(Arc::clone(app), forms::redirect_after_post));
    let token_sign_in = from_browsers(token_sign_in_routes(), SIGN_IN)
        .layer(from_fn_with_state((Arc::clone(app), Rate::SignIn), limits::rate))
        .layer(from_fn(data_error_envelope));
    let ai_texts = from_browsers(ai_text_routes(), SMALL)
        .layer(from_fn_with_state((Arc::clone(app), Rate::AiText), limits::rate));
    let bin_checks = from_browsers(bin_check_routes(), SMALL)
        .layer(from_fn_with_state((Arc::clone(app), Rate::SignIn), limits::rate))
        .layer(from_fn(data_error_envelope));
    let withdrawals = from_browsers(withdrawal_routes(), SMALL)
        .layer(from_fn_with_state((Arc::clone(app), Rate::SignIn), limits::rate));
    let csp_reports = bounded(plain(csp_report_routes()), app, REPORT).layer((
        from_fn_with_state(Arc::clone(app), limits::shed_load),
        from_fn_with_state((Arc::clone(app), Rate::CspReport), limits::rate),
    ));
    Router::new()
        .merge(from_browsers(visitor_routes(), SMALL))
        .merge(csp_reports)
        .merge(sign_in)
        .merge(token_sign_in)
        .merge(bin_checks)
        .merge(withdrawals)
        .merge(ai_texts)
        .merge(
            from_browsers(
                payment_routes().layer(from_fn_with_state(Arc::clone(app), guess_limits::coupons)),
                PAYMENT,
            )
            .layer(from_fn(payment_envelope)),
        )
        .merge(from_browsers(data_error_routes(), SMALL).layer(from_fn(data_error_envelope)))
        .merge(from_browsers(member_routes(), SMALL))
        .merge(from_browsers(export_routes(), EXPORT))
        .merge(from_browsers(analytics_routes(), BATCH))
        .merge(from_browsers(operator_routes(), BATCH))
        .merge(from_providers(webhook_routes(), app, WEBHOOK))
        .merge(from_providers(small_webhook_routes(), app, SMALL_WEBHOOK))
        .merge(graphql_routes(app))
        .merge(page_routes(app))
        .method_not_allowed_fallback(method_not_allowed)
        .layer((
            from_fn(trace::identify),
            from_fn_with_state(Arc::clone(app), add_security_headers),
            from_fn(set_member_hint),
            CatchPanicLayer::custom(|_| panicked()),
        ))
        .with_state(Arc::clone(app))
}

fn plain(routes: Routes) -> Router<Arc<AppState>> {
    routes.split_for_parts().0
}

fn from_providers(routes: Routes, app: &Arc<AppState>, allowance: Allowance) -> Router<Arc<AppState>> {
    plain(routes).layer((
        from_fn_with_state((Arc::clone(app), Rate::General), limits::rate),
        from_fn_with_state((Arc::clone(app), allowance), limits::bound_body_and_time),
    ))
}

/// Bounds body size and time.
fn bounded(
    routes: Router<Arc<AppState>>,
    app: &Arc<AppState>,
    allowance: Allowance,
) -> Router<Arc<AppState>> {
    routes.layer(from_fn_with_state(
        (Arc::clone(app), allowance),
        limits::bound_body_and_time,
    ))
}
