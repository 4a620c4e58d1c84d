//! Context of a sign-up or sign-in beside its form.
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::header::USER_AGENT;
use http::request::Parts;
use http::{HeaderMap, Uri};
use proto::auth::v1::Caller;

use crate::protocol::error::{HandlerResult, Problem};
use crate::rest::idempotency::IdempotencyKey;
use crate::security::country;
use crate::security::redirects::{Parameter, Redirects};
use crate::state::AppState;

const LONGEST_USER_AGENT: usize = 512;

pub struct SignInContext {
    pub caller: Caller,
    /// Empty if the caller sent none.
    pub idempotency_key: String,
    /// The resolved `redirectPage`; `None` if it is absent or leads off the site.
    pub redirect_page: Option<String>,
    /// The cookie that binds nonces and identities of providers to this browser.
    pub social_browser: String,
    /// The survey order in the URL, under either of its names; empty if there is none.
    pub order_id: String,
    /// The language in the URL.
    pub lang: Option<String>,
    /// The URL has `existingOnly`: a sign-in creates no account.
    pub existing_only: bool,
    headers: HeaderMap,
}

impl SignInContext {
    pub fn country(&self, app: &AppState, chosen: Option<&str>) -> String {
        country::decide(&self.headers, app.config.clients.country_header.as_ref(), chosen)
    }
}

impl FromRequestParts<Arc<AppState>> for SignInContext {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> HandlerResult<Self> {
        let IdempotencyKey(idempotency_key) = IdempotencyKey::from_request_parts(parts, app).await?;
        let parameter = |wanted: &str| parameter(&parts.uri, wanted);
        let order_id = parameter("orderid").or_else(|| parameter("orderId"));
        Ok(Self {
            caller: caller(parts, app),
            idempotency_key,
            redirect_page: redirect_page(&parts.uri, &app.config.redirects),
            social_browser: app.session_cookie.social_browser(&parts.headers),
            order_id: order_id.unwrap_or_default(),
            lang: parameter("lang"),
            existing_only: parameter("existingOnly").is_some_and(|value| value != "false"),
            headers: parts.headers.clone(),
        })
    }
}

fn caller(parts: &Parts, app: &AppState) -> Caller {
    let user_agent = parts
        .headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok());
    let user_agent = user_agent.and_then(|text| text.get(..text.len().min(LONGEST_USER_AGENT)));
    Caller {
        user_agent: user_agent.unwrap_or_default().to_owned(),
        address: app
            .limits
            .client_of(&parts.headers, &parts.extensions)
            .to_string(),
        device_cookie: app.session_cookie.device_cookie(&parts.headers),
        session: app
            .session_cookie
            .session(&parts.headers)
            .unwrap_or_default()
            .to_owned(),
    }
}

fn redirect_page(uri: &Uri, redirects: &Redirects) -> Option<String> {
    redirects.resolve(Parameter::Page, &parameter(uri, "redirectPage")?)
}

/// The first parameter with this name.
fn parameter(uri: &Uri, wanted: &str) -> Option<String> {
    let query = uri.query().unwrap_or_default();
    let mut parameters = url::form_urlencoded::parse(query.as_bytes());
    let (_, value) = parameters.find(|(name, _)| name == wanted)?;
    Some(value.into_owned())
}
