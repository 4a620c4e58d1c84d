//! The no-JS form adapter: the same endpoints, answered by a redirect to a page.
//!
//! Pages are the same for every visitor. `redirectPage`, an order and the token of a mailed link are therefore read from the
//! address of the page that sent the form.
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use blocks::Locale;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, LOCATION, REFERER, RETRY_AFTER};
use http::{HeaderValue, StatusCode, Uri};
use kit::error::{ErrorCode, Kind};
use serde::Deserialize;
use url::form_urlencoded::{Serializer, parse};
use url::{Position, Url};

use crate::protocol::error::{CHALLENGE, Problem};
use crate::protocol::locale;
use crate::rest::body::is_form;
use crate::security::redirects::OwnPath;
use crate::state::AppState;

/// The result of a reset, in the page's address.
const PASSWORD_SAVED: &str = "PASSWORD_SAVED";
/// The result of a session that its mailed link ended, in the page's address.
const SESSION_ENDED: &str = "SESSION_ENDED";

const HERE: &str = "https://here.invalid";
/// Query parameters that the gateway adds to report a result.
const RESULT_PARAMETERS: [&str; 2] = ["error", "done"];
/// Parameters of the form's own page; they are not carried to the next page.
const PAGE_PARAMETERS: [&str; 5] = ["error", "done", "token", CHALLENGE, "redirectPage"];
/// The largest body that is read. Request bodies have a lower limit, and responses are far smaller.
const BODY_BYTES_MAX: usize = 16 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum FormKind {
    SignUp,
    SignIn,
    /// Back to the form's page with this `done` code.
    Done(&'static str),
}

impl FormKind {
    /// The kind of a form with its default page, for browsers that send no `Referer`.
    fn of(path: &str) -> Option<(Self, &'static str)> {
        match path {
            "/api/auth/register" => Some((Self::SignUp, "signup")),
            "/api/auth/email-signup" => Some((Self::SignUp, "email-signup")),
            "/api/auth/login" | "/api/account/second-factor/verify" => Some((Self::SignIn, "signin")),
            "/api/auth/forgot-password" => Some((Self::Done("LINK_SENT"), "forgot-password")),
            "/api/auth/reset-password" => Some((Self::Done(PASSWORD_SAVED), "forgot-password")),
            "/api/account/sessions/end" => Some((Self::Done(SESSION_ENDED), "account/end-session")),
            _ => None,
        }
    }
}

/// The page that sent the form.
#[derive(Clone)]
struct FormPage {
    locale: Locale,
    path: OwnPath,
    query: Vec<(String, String)>,
}

impl FormPage {
    fn of(headers: &HeaderMap, origin: &str) -> Option<Self> {
        let address = headers.get(REFERER)?.to_str().ok()?.strip_prefix(origin)?;
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let path = OwnPath::parse(path)?.with_slash();
        let locale = path.as_str().split('/').nth(1)?.parse().ok()?;
        let query = parse(query.as_bytes()).into_owned().collect();
        Some(Self { locale, path, query })
    }

    fn usual(headers: &HeaderMap, name: &str) -> Option<Self> {
        let locale = locale::negotiate(headers);
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

    /// The same page with the result: in the query for scripts, in the fragment for style sheets.
    fn with_result(&self, parameter: &str, code: &str) -> String {
        let link_codes = [ErrorCode::LinkExpired, ErrorCode::LinkInvalid].map(|code| code.as_str_name());
        let is_link_over = [PASSWORD_SAVED, SESSION_ENDED].contains(&code) || link_codes.contains(&code);
        let is_challenge_over = code == ErrorCode::ChallengeExpired.as_str_name();
        let is_over = |name: &str| name == "token" && is_link_over || name == CHALLENGE && is_challenge_over;
        let keep = |name: &str| !(RESULT_PARAMETERS.contains(&name) || is_over(name));
        let mut query = Serializer::new(String::new());
        query.extend_pairs(self.query.iter().filter(|(name, _)| keep(name)));
        query.append_pair(parameter, code);
        format!("{}?{}#{code}", self.path.as_str(), query.finish())
    }

    /// The same page with the challenge of a sign-in that waits for its second factor.
    fn with_challenge(mut self, problem: &Problem) -> Self {
        if let Some(challenge) = problem.failure().details.get(CHALLENGE) {
            self.query.retain(|(name, _)| name != CHALLENGE);
            self.query.push((CHALLENGE.to_owned(), challenge.clone()));
        }
        self
    }

    /// Another page, with the query parameters of this one that it lacks.
    fn with_carried_query(&self, path: &str) -> Option<String> {
        let mut url = Url::parse(HERE).and_then(|here| here.join(path)).ok()?;
        let known: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
        let carried =
            |name: &str| !PAGE_PARAMETERS.contains(&name) && !known.iter().any(|there| there == name);
        let rest: Vec<_> = self.query.iter().filter(|(name, _)| carried(name)).collect();
        if !rest.is_empty() {
            url.query_pairs_mut().extend_pairs(rest);
        }
        Some(url[Position::BeforePath..].to_owned())
    }
}

/// The outermost layer: turns the response to a form into a redirect.
pub async fn redirect_after_post(
    State(app): State<Arc<AppState>>,
    mut request: Request,
    next: Next,
) -> Response {
    let call = FormKind::of(request.uri().path()).filter(|_| is_form(request.headers()));
    let Some((call, name)) = call else {
        return next.run(request).await;
    };
    let headers = request.headers();
    let page = FormPage::of(headers, app.config.site.origin()).or_else(|| FormPage::usual(headers, name));
    let Some(page) = page else {
        return next.run(request).await;
    };
    if let Some(uri) = with_redirect_page(request.uri(), &page) {
        *request.uri_mut() = uri;
    }
    request.extensions_mut().insert(page.clone());
    let response = next.run(request).await;
    let problem = response.extensions().get::<Problem>().cloned();
    match problem {
        // A form of another site gets no redirect.
        Some(problem) if problem.failure().error_code() == Some(ErrorCode::CrossSite) => response,
        Some(problem) => {
            let page = page.with_challenge(&problem);
            see_other(response, &page.with_result("error", &error_code(&problem)))
        }
        None => redirect_on_success(response, call, &page).await,
    }
}

/// Adds fields from the page's URL to the form. Runs inside the body limit.
pub async fn add_page_fields(request: Request, next: Next) -> Response {
    let Some(page) = request.extensions().get::<FormPage>().cloned() else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    let sent = to_bytes(body, BODY_BYTES_MAX).await.unwrap_or_default();
    let body = Body::from(with_page_fields(&sent, &page));
    next.run(Request::from_parts(parts, body)).await
}

fn with_page_fields(sent: &[u8], page: &FormPage) -> String {
    let known: Vec<_> = parse(sent).into_owned().collect();
    let order = page.parameter("orderid").or_else(|| page.parameter("orderId"));
    let lang = page.locale.to_string();
    let mut form = Serializer::new(String::new());
    form.extend_pairs(&known);
    for (name, value) in [
        ("token", page.parameter("token")),
        (CHALLENGE, page.parameter(CHALLENGE)),
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

fn with_redirect_page(uri: &Uri, page: &FormPage) -> Option<Uri> {
    let requested = page.parameter("redirectPage").filter(|_| uri.query().is_none())?;
    let mut query = Serializer::new(String::new());
    query.append_pair("redirectPage", requested);
    format!("{}?{}", uri.path(), query.finish()).parse().ok()
}

/// A code from a closed set. Input of the visitor never appears in a URL.
fn error_code(problem: &Problem) -> String {
    let failure = problem.failure();
    match (failure.error_code(), failure.kind, failure.fields.first()) {
        (
            Some(
                code @ (ErrorCode::R100
                | ErrorCode::InvalidCredentials
                | ErrorCode::LinkExpired
                | ErrorCode::LinkInvalid
                | ErrorCode::SecondFactorRequired
                | ErrorCode::ChallengeExpired),
            ),
            _,
            _,
        ) => code.as_str_name().to_owned(),
        (_, Kind::TooMany, _) => ErrorCode::TooManyAttempts.as_str_name().to_owned(),
        // This code names its field.
        (Some(ErrorCode::ValidationFailed), _, Some(error))
            if error.code == ErrorCode::PasswordBreached.as_str_name() =>
        {
            error.code.clone()
        }
        (Some(ErrorCode::ValidationFailed), _, Some(error)) => {
            format!("{}_{}", error.field, error.code).to_ascii_uppercase()
        }
        _ => "FAILED".to_owned(),
    }
}

async fn redirect_on_success(response: Response, call: FormKind, page: &FormPage) -> Response {
    if let FormKind::Done(code) = call {
        return see_other(response, &page.with_result("done", code));
    }
    let (parts, body) = response.into_parts();
    let answered = to_bytes(body, BODY_BYTES_MAX).await.unwrap_or_default();
    let place = match serde_json::from_slice::<SignedIn>(&answered) {
        Ok(signed_in) => next_page(call, page, &signed_in),
        Err(_) => None,
    };
    let home = || format!("/{}/", page.locale);
    see_other(
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

/// The target that the page's script would choose. The app is reached through a page, because a redirect cannot post its
/// token.
fn next_page(call: FormKind, page: &FormPage, signed_in: &SignedIn) -> Option<String> {
    let SignedIn { user, redirect_page } = signed_in;
    let locale = page.locale;
    let requested = page.parameter("redirectPage").unwrap_or_default();
    let path = match redirect_page {
        _ if requested == "redeemCode" => format!("/{locale}/autosignin/?redirectPage=redeemCode"),
        _ if requested == "regular" && user.coaching => format!("/{locale}/coach/"),
        _ if requested == "regular" && !user.therapy => format!("/{locale}/autosignin/?redirectPage=regular"),
        Some(decided) => decided.clone(),
        None if call == FormKind::SignUp => format!("/{locale}/success-page/"),
        None if user.therapy && !user.coaching => format!("/{locale}/success/counseling-welcome/"),
        None => format!("/{locale}/"),
    };
    page.with_carried_query(&path)
}

/// Keeps the cookies and drops the body.
fn see_other(response: Response, place: &str) -> Response {
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
mod tests;
