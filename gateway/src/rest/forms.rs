//! Forms that a browser sends by itself, before a page's scripts are there or where none run: the same calls, answered by leading on.
//!
//! A page is the same for everybody. What only its address says, where to go next, an order, the token of a mailed link, is therefore
//! read from the address the form came from.
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use blocks::Locale;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, REFERER, RETRY_AFTER};
use http::{HeaderValue, StatusCode, Uri};
use kit::error::Kind;
use serde::Deserialize;
use url::form_urlencoded::{Serializer, parse};
use url::{Position, Url};

use crate::app::App;
use crate::error::Problem;
use crate::pages::locale;
use crate::rest::body::is_form;
use crate::security::redirects::OwnPath;

const HERE: &str = "https://here.invalid";
/// Where the gateway itself comes back to a page.
const SAID: [&str; 2] = ["error", "done"];
/// For the page the form stands on, and for no other.
const OWN: [&str; 4] = ["error", "done", "token", "redirectPage"];
/// Forms are held to less before they come here, and answers are far smaller.
const MOST_BYTES: usize = 16 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    SignUp,
    SignIn,
    /// What the page then shows.
    Done(&'static str),
}

impl Call {
    /// With the page it belongs to, for browsers that keep to themselves where they come from.
    fn of(path: &str) -> Option<(Self, &'static str)> {
        match path {
            "/api/auth/register" => Some((Self::SignUp, "signup")),
            "/api/auth/email-signup" => Some((Self::SignUp, "email-signup")),
            "/api/auth/login" => Some((Self::SignIn, "signin")),
            "/api/auth/forgot-password" => Some((Self::Done("LINK_SENT"), "forgot-password")),
            "/api/auth/reset-password" => Some((Self::Done("PASSWORD_SAVED"), "forgot-password")),
            _ => None,
        }
    }
}

/// The page a form stands on.
#[derive(Clone)]
struct Page {
    locale: Locale,
    path: OwnPath,
    query: Vec<(String, String)>,
}

impl Page {
    fn of(headers: &HeaderMap, origin: &str) -> Option<Self> {
        let address = headers.get(REFERER)?.to_str().ok()?.strip_prefix(origin)?;
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let path = OwnPath::parse(path)?.with_slash();
        let locale = path.as_str().split('/').nth(1)?.parse().ok()?;
        let query = parse(query.as_bytes()).into_owned().collect();
        Some(Self { locale, path, query })
    }

    fn usual(headers: &HeaderMap, name: &str) -> Option<Self> {
        let locale = locale::of_visitor(headers);
        let path = OwnPath::parse(&format!("/{locale}/{name}/"))?;
        Some(Self {
            locale,
            path,
            query: Vec::new(),
        })
    }

    fn parameter(&self, wanted: &str) -> Option<&str> {
        let found = self.query.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    }

    /// The page once more, telling what came of the form: in the query for scripts, in the fragment for style sheets.
    fn telling(&self, parameter: &str, code: &str) -> String {
        let is_over = matches!(code, "LINK_EXPIRED" | "PASSWORD_SAVED");
        let keep = |name: &str| !(SAID.contains(&name) || is_over && name == "token");
        let mut query = Serializer::new(String::new());
        query.extend_pairs(self.query.iter().filter(|(name, _)| keep(name)));
        query.append_pair(parameter, code);
        format!("{}?{}#{code}", self.path.as_str(), query.finish())
    }

    /// Another page, which gets what this one was told and it was not.
    fn leading_to(&self, path: &str) -> Option<String> {
        let mut url = Url::parse(HERE).and_then(|here| here.join(path)).ok()?;
        let known: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
        let carried = |name: &str| !OWN.contains(&name) && !known.iter().any(|there| there == name);
        let rest: Vec<_> = self.query.iter().filter(|(name, _)| carried(name)).collect();
        if !rest.is_empty() {
            url.query_pairs_mut().extend_pairs(rest);
        }
        Some(url[Position::BeforePath..].to_owned())
    }
}

/// Around everything else of a call: whatever is answered, a browser that sent a form gets a page.
pub async fn lead_on(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let call = Call::of(request.uri().path()).filter(|_| is_form(request.headers()));
    let Some((call, name)) = call else {
        return next.run(request).await;
    };
    let headers = request.headers();
    let page = Page::of(headers, app.config.site.origin()).or_else(|| Page::usual(headers, name));
    let Some(page) = page else {
        return next.run(request).await;
    };
    if let Some(uri) = with_wish(request.uri(), &page) {
        *request.uri_mut() = uri;
    }
    request.extensions_mut().insert(page.clone());
    let response = next.run(request).await;
    let problem = response.extensions().get::<Problem>().cloned();
    match problem {
        // Not our form: nothing leads back to where it came from.
        Some(problem) if problem.failure().code == "CROSS_SITE" => response,
        Some(problem) => led(response, &page.telling("error", &told(&problem))),
        None => done(response, call, &page).await,
    }
}

/// Inside of what bounds the body: adds what the form could not know.
pub async fn complete(request: Request, next: Next) -> Response {
    let Some(page) = request.extensions().get::<Page>().cloned() else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    let sent = to_bytes(body, MOST_BYTES).await.unwrap_or_default();
    let body = Body::from(completed(&sent, &page));
    next.run(Request::from_parts(parts, body)).await
}

fn completed(sent: &[u8], page: &Page) -> String {
    let known: Vec<_> = parse(sent).into_owned().collect();
    let order = page.parameter("orderid").or_else(|| page.parameter("orderId"));
    let lang = page.locale.to_string();
    let mut form = Serializer::new(String::new());
    form.extend_pairs(&known);
    for (name, value) in [
        ("token", page.parameter("token")),
        ("orderid", order),
        ("lang", Some(lang.as_str())),
    ] {
        let is_sent = known.iter().any(|(sent, _)| sent == name);
        if let Some(value) = value.filter(|_| !is_sent) {
            form.append_pair(name, value);
        }
    }
    form.finish()
}

fn with_wish(uri: &Uri, page: &Page) -> Option<Uri> {
    let wish = page.parameter("redirectPage").filter(|_| uri.query().is_none())?;
    let mut query = Serializer::new(String::new());
    query.append_pair("redirectPage", wish);
    format!("{}?{}", uri.path(), query.finish()).parse().ok()
}

/// A closed set: nothing that was typed comes back in an address.
fn told(problem: &Problem) -> String {
    let failure = problem.failure();
    match (failure.code.as_str(), failure.kind, failure.fields.first()) {
        (code @ ("R100" | "INVALID_CREDENTIALS" | "LINK_EXPIRED"), _, _) => code.to_owned(),
        (_, Kind::TooMany, _) => "TOO_MANY_ATTEMPTS".to_owned(),
        ("VALIDATION_FAILED", _, Some(fault)) => {
            format!("{}_{}", fault.field, fault.code).to_ascii_uppercase()
        }
        _ => "FAILED".to_owned(),
    }
}

async fn done(response: Response, call: Call, page: &Page) -> Response {
    if let Call::Done(code) = call {
        return led(response, &page.telling("done", code));
    }
    let (parts, body) = response.into_parts();
    let answered = to_bytes(body, MOST_BYTES).await.unwrap_or_default();
    let place = match serde_json::from_slice::<SignedIn>(&answered) {
        Ok(signed_in) => onwards(call, page, &signed_in),
        Err(_) => None,
    };
    let home = || format!("/{}/", page.locale);
    led(
        Response::from_parts(parts, Body::empty()),
        &place.unwrap_or_else(home),
    )
}

#[derive(Deserialize)]
struct SignedIn {
    user: User,
    #[serde(rename = "redirectPage")]
    redirect_page: Option<String>,
}

#[derive(Deserialize)]
struct User {
    #[serde(rename = "isCoachingUser")]
    coaching: bool,
    #[serde(rename = "isTherapyUser")]
    therapy: bool,
}

/// As the page would lead on. The app is reached from a page: a redirect cannot carry the token that is posted to it.
fn onwards(call: Call, page: &Page, signed_in: &SignedIn) -> Option<String> {
    let SignedIn { user, redirect_page } = signed_in;
    let locale = page.locale;
    let wish = page.parameter("redirectPage").unwrap_or_default();
    let path = match redirect_page {
        _ if wish == "redeemCode" => format!("/{locale}/autosignin/?redirectPage=redeemCode"),
        _ if wish == "regular" && user.coaching => format!("/{locale}/coach/"),
        _ if wish == "regular" && !user.therapy => format!("/{locale}/autosignin/?redirectPage=regular"),
        Some(decided) => decided.clone(),
        None if call == Call::SignUp => format!("/{locale}/success-page/"),
        None if user.therapy && !user.coaching => format!("/{locale}/success/counseling-welcome/"),
        None => format!("/{locale}/"),
    };
    page.leading_to(&path)
}

/// Cookies stay, the rest of the answer was for programs.
fn led(response: Response, place: &str) -> Response {
    let Ok(location) = HeaderValue::try_from(place) else {
        return response;
    };
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::SEE_OTHER;
    for header in [CONTENT_TYPE, CONTENT_LENGTH, RETRY_AFTER] {
        parts.headers.remove(header);
    }
    parts.headers.insert(LOCATION, location);
    parts
        .headers
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Response::from_parts(parts, Body::empty())
}

#[cfg(test)]
#[path = "forms_tests.rs"]
mod tests;
