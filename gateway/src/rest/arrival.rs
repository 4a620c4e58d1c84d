//! What comes with a sign-up or sign-in besides its form.
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::header::USER_AGENT;
use http::request::Parts;
use http::{HeaderMap, Uri};
use proto::auth::v1::Caller;

use crate::app::App;
use crate::error::{Answer, Problem};
use crate::rest::idempotency::IdempotencyKey;
use crate::security::redirects::{Parameter, Redirects};
use crate::security::{cookies, country};

const LONGEST_USER_AGENT: usize = 512;

pub struct Arrival {
    pub caller: Caller,
    /// Empty where the caller sent none.
    pub idempotency_key: String,
    /// Where `redirectPage` may lead; `None` where it is absent or leads off the site.
    pub redirect_page: Option<String>,
    headers: HeaderMap,
}

impl Arrival {
    pub fn country(&self, app: &App, chosen: Option<&str>) -> String {
        country::decide(&self.headers, app.config.clients.country_header.as_ref(), chosen)
    }

    /// What this browser began with a provider of sign-in hangs on this.
    pub fn social_browser(&self) -> String {
        cookies::social_browser(&self.headers)
    }
}

impl FromRequestParts<Arc<App>> for Arrival {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Answer<Self> {
        let IdempotencyKey(idempotency_key) = IdempotencyKey::from_request_parts(parts, app).await?;
        Ok(Self {
            caller: caller(parts, app),
            idempotency_key,
            redirect_page: redirect_page(&parts.uri, &app.config.redirects),
            headers: parts.headers.clone(),
        })
    }
}

fn caller(parts: &Parts, app: &App) -> Caller {
    let user_agent = parts
        .headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok());
    let user_agent = user_agent.and_then(|text| text.get(..text.len().min(LONGEST_USER_AGENT)));
    let device_mark = cookies::read(&parts.headers, cookies::DEVICE);
    Caller {
        user_agent: user_agent.unwrap_or_default().to_owned(),
        address: app
            .limits
            .client_of(&parts.headers, &parts.extensions)
            .to_string(),
        device_mark: device_mark.unwrap_or_default().to_owned(),
    }
}

fn redirect_page(uri: &Uri, redirects: &Redirects) -> Option<String> {
    let query = uri.query().unwrap_or_default();
    let mut parameters = url::form_urlencoded::parse(query.as_bytes());
    let (_, wanted) = parameters.find(|(name, _)| name == "redirectPage")?;
    redirects.lead(Parameter::Page, &wanted)
}
