//! The answers of a survey. They may be about health: only the browser that holds the survey's cookie and the member whose
//! survey it is read them, and no answer is logged or cached.
use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use blocks::Locale;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, LOCATION, REFERER, SET_COOKIE};
use http::{HeaderValue, StatusCode};
use kit::error::Kind;
use proto::checkout::v1::{
    CreateSurveyOrderRequest, CreateSurveyPlaylistRequest, GetSurveyRequest, GetSurveyResponse,
    SaveSurveyAnswersRequest, SurveyAnswer,
};
use serde::{Deserialize, Serialize};
use url::form_urlencoded::parse;
use utoipa::{IntoParams, ToSchema};

use crate::protocol::error::{EnvelopeError, HandlerResult, Problem, ProblemBody};
use crate::protocol::locale;
use crate::rest::body::Json as JsonBody;
use crate::rest::viewer::{SessionViewer, Viewer};
use crate::security::country;
use crate::security::redirects::OwnPath;
use crate::security::survey_cookie::SurveyCookie;
use crate::state::AppState;

/// A question's fields in a form begin with this.
const QUESTION_PREFIX: &str = "q.";

#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct SurveyQuery {
    /// Left out: the survey of the cookie, else the last one that the member has answered.
    #[param(example = "svo_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    orderid: String,
}

#[derive(Deserialize, ToSchema)]
pub struct SurveyAnswersRequest {
    /// Left out: the survey of the cookie.
    #[serde(default)]
    #[schema(example = "svo_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    orderid: String,
    /// Question → chosen options, by the ids that content gives them. Other questions keep their answers.
    #[serde(default)]
    #[schema(example = json!({"categories": ["101"], "nights": ["slowly"]}))]
    answers: BTreeMap<String, Vec<String>>,
    /// The programme that was suggested.
    #[serde(default)]
    #[schema(example = "sleep")]
    program: String,
}

#[derive(Serialize, ToSchema)]
pub struct SurveyResponse {
    /// Null: none is open to the caller.
    survey: Option<Survey>,
}

#[derive(Serialize, ToSchema)]
pub struct Survey {
    #[schema(example = "svo_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    orderid: String,
    flow: i32,
    variant: i32,
    abgroup: Option<String>,
    #[schema(example = json!({"categories": ["101"], "nights": ["slowly"]}))]
    answers: BTreeMap<String, Vec<String>>,
    /// The programme that was suggested.
    #[schema(example = "sleep")]
    program: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct PlaylistResponse {
    data: Playlist,
    #[schema(value_type = Option<String>)]
    error: Option<()>,
    #[schema(value_type = Option<String>)]
    error_code: Option<()>,
}

#[derive(Serialize, ToSchema)]
pub struct Playlist {
    orderid: String,
    #[schema(example = "pls_0199f0a46c1e7cc09f3a2b1d5f8a7c11")]
    playlist_id: String,
}

impl From<GetSurveyResponse> for Survey {
    fn from(found: GetSurveyResponse) -> Self {
        let answers = found.answers.into_iter();
        Self {
            orderid: found.order_id,
            flow: found.flow,
            variant: found.variant,
            abgroup: Some(found.ab_group).filter(|group| !group.is_empty()),
            answers: answers.map(|answer| (answer.question, answer.options)).collect(),
            program: Some(found.program).filter(|program| !program.is_empty()),
        }
    }
}

/// A survey with its answers.
#[utoipa::path(
    get, path = "/api/survey", tag = "checkout", params(SurveyQuery),
    responses((status = 200, body = SurveyResponse))
)]
pub async fn get_survey(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    Query(SurveyQuery { orderid }): Query<SurveyQuery>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    let user_id = viewer.map(|viewer| viewer.user.user_id).unwrap_or_default();
    let held = SurveyCookie::read(app.session_cookie, &headers)
        .filter(|held| orderid.is_empty() || held.order_id == orderid);
    let wanted = held
        .as_ref()
        .map_or(orderid.clone(), |held| held.order_id.clone());
    let request = GetSurveyRequest {
        order_id: wanted.clone(),
        access_key: held.map(|held| held.access_key).unwrap_or_default(),
        user_id: user_id.clone(),
    };
    let mut found = None;
    if !wanted.is_empty() || !user_id.is_empty() {
        found = unless_not_found(app.clients.checkout().get_survey(request).await)?;
    }
    // The cookie may belong to a survey that another person answered in this browser.
    if found.is_none() && orderid.is_empty() && !wanted.is_empty() && !user_id.is_empty() {
        let request = GetSurveyRequest {
            user_id,
            ..Default::default()
        };
        found = unless_not_found(app.clients.checkout().get_survey(request).await)?;
    }
    let survey = found.map(Survey::from);
    Ok(([(CACHE_CONTROL, "no-store")], Json(SurveyResponse { survey })).into_response())
}

/// Stores answers. Repeatable: the last answer to a question counts.
#[utoipa::path(
    put, path = "/api/survey/answers", tag = "checkout", request_body = SurveyAnswersRequest,
    responses(
        (status = 204),
        (status = 404, body = ProblemBody, content_type = "application/problem+json", description = "UNKNOWN_ORDER"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn save_survey_answers(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    JsonBody(given): JsonBody<SurveyAnswersRequest>,
) -> HandlerResult<Response> {
    let order_id = match given.orderid.as_str() {
        "" => SurveyCookie::read(app.session_cookie, &headers)
            .map(|held| held.order_id)
            .unwrap_or_default(),
        named => named.to_owned(),
    };
    let request = SaveSurveyAnswersRequest {
        access_key: SurveyCookie::key_of(app.session_cookie, &headers, &order_id),
        order_id,
        user_id: viewer.map(|viewer| viewer.user.user_id).unwrap_or_default(),
        answers: answers_to_proto(given.answers),
        program: given.program,
    };
    app.clients.checkout().save_survey_answers(request).await?;
    Ok((StatusCode::NO_CONTENT, [(CACHE_CONTROL, "no-store")]).into_response())
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "the description is derived from it")]
struct SurveyFormFields {
    flow: Option<String>,
    variant: Option<String>,
    abgroup: Option<String>,
    producttype: Option<String>,
    #[schema(rename = "nextPage")]
    next_page: Option<String>,
}

/// The whole survey as a form, from a browser without scripts: opens the order where there is none, stores the answers, and
/// leads to the page that follows.
#[utoipa::path(
    post, path = "/api/survey/answers", tag = "checkout",
    request_body(content = Option<SurveyFormFields>, content_type = "application/x-www-form-urlencoded",
        description = "`q.<question>` once per chosen option, and these fields; all are optional"),
    responses((status = 303, description = "To the page that follows"))
)]
pub async fn submit_survey(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    body: Bytes,
) -> HandlerResult<Response> {
    let form = SurveyForm::read(&headers, app.config.site.origin(), &body);
    let user_id = viewer.map(|viewer| viewer.user.user_id).unwrap_or_default();
    if let Some(held) = SurveyCookie::read(app.session_cookie, &headers)
        && save_form(&app, held, &form, user_id.clone()).await?
    {
        return Ok(see_other(&form.next_page(), None));
    }
    let order = form.order(&app, &headers);
    let opened = app
        .clients
        .checkout()
        .create_survey_order(order)
        .await?
        .into_inner();
    let cookie = app
        .session_cookie
        .set_survey(&opened.order_id, &opened.access_key);
    let held = SurveyCookie {
        order_id: opened.order_id,
        access_key: opened.access_key,
    };
    save_form(&app, held, &form, user_id).await?;
    Ok(see_other(&form.next_page(), cookie))
}

/// False where the survey of the cookie is not open any more: another takes its place.
async fn save_form(
    app: &AppState,
    held: SurveyCookie,
    form: &SurveyForm,
    user_id: String,
) -> HandlerResult<bool> {
    let request = SaveSurveyAnswersRequest {
        order_id: held.order_id,
        access_key: held.access_key,
        user_id,
        answers: answers_to_proto(form.answers()),
        ..Default::default()
    };
    let saved = app.clients.checkout().save_survey_answers(request).await;
    match saved.map_err(Problem::from) {
        Ok(_) => Ok(true),
        Err(problem) if problem.failure().kind == Kind::NotFound => Ok(false),
        Err(problem) => Err(problem),
    }
}

/// Fixes the programme of a paid survey. For the surveys that have a playlist: variants 79 and 80.
#[utoipa::path(
    get, path = "/specialprogram/createsurveyplaylist", tag = "checkout", params(SurveyQuery), security(("session" = [])),
    responses(
        (status = 200, body = PlaylistResponse),
        (status = 401, body = EnvelopeError, description = "V100"),
        (status = 403, body = EnvelopeError, description = "SESSION_REQUIRED: an access token does not open this call"),
        (status = 404, body = EnvelopeError, description = "UNKNOWN_ORDER"),
        (status = 422, body = EnvelopeError, description = "NO_PLAYLIST, ORDER_UNPAID"),
    )
)]
pub async fn create_survey_playlist(
    SessionViewer(viewer): SessionViewer,
    State(app): State<Arc<AppState>>,
    Query(SurveyQuery { orderid }): Query<SurveyQuery>,
) -> HandlerResult<Json<PlaylistResponse>> {
    let request = CreateSurveyPlaylistRequest {
        user_id: viewer.user.user_id,
        order_id: orderid.clone(),
    };
    let answer = app.clients.checkout().create_survey_playlist(request).await?;
    Ok(Json(PlaylistResponse {
        data: Playlist {
            orderid,
            playlist_id: answer.into_inner().playlist_id,
        },
        error: None,
        error_code: None,
    }))
}

/// The fields that a browser without scripts posted, and those in the URL of its page, which is the same for all visitors.
struct SurveyForm {
    locale: Locale,
    sent: Vec<(String, String)>,
    address: Vec<(String, String)>,
}

impl SurveyForm {
    fn read(headers: &HeaderMap, origin: &str, body: &[u8]) -> Self {
        let from = headers.get(REFERER).and_then(|value| value.to_str().ok());
        let from = from
            .and_then(|address| address.strip_prefix(origin))
            .unwrap_or_default();
        let (path, query) = from.split_once('?').unwrap_or((from, ""));
        let named = path.split('/').nth(1).and_then(|locale| locale.parse().ok());
        Self {
            locale: named.unwrap_or_else(|| locale::preferred(headers)),
            sent: parse(body).into_owned().collect(),
            address: parse(query.as_bytes()).into_owned().collect(),
        }
    }

    fn field(&self, name: &str) -> &str {
        let all = self.address.iter().chain(&self.sent);
        let found = all.filter(|(field, value)| field == name && !value.is_empty());
        found.map(|(_, value)| value.as_str()).next().unwrap_or_default()
    }

    fn order(&self, app: &AppState, headers: &HeaderMap) -> CreateSurveyOrderRequest {
        CreateSurveyOrderRequest {
            flow: self.field("flow").parse().ok(),
            variant: self.field("variant").parse().ok(),
            ab_group: match self.field("abGroup") {
                "" => self.field("abgroup").to_owned(),
                group => group.to_owned(),
            },
            product_type: self.field("producttype").to_owned(),
            lang: self.locale.to_string(),
            country: country::decide(headers, app.config.clients.country_header.as_ref(), None),
            ..Default::default()
        }
    }

    fn answers(&self) -> BTreeMap<String, Vec<String>> {
        let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let categories = self
            .field("categories")
            .split(',')
            .filter(|category| !category.is_empty());
        for category in categories {
            answers
                .entry("categories".into())
                .or_default()
                .push(category.into());
        }
        for (field, option) in &self.sent {
            if let Some(question) = field.strip_prefix(QUESTION_PREFIX) {
                answers.entry(question.into()).or_default().push(option.clone());
            }
        }
        answers
    }

    /// A page of this site in the form's locale; its home where the form names none.
    fn next_page(&self) -> String {
        let named = OwnPath::parse(&format!("/{}{}", self.locale, self.field("nextPage")));
        let page = named.or_else(|| OwnPath::parse(&format!("/{}", self.locale)));
        page.map_or_else(|| "/".to_owned(), |page| page.with_slash().location(None))
    }
}

fn see_other(place: &str, cookie: Option<HeaderValue>) -> Response {
    let mut response = (StatusCode::SEE_OTHER, [(CACHE_CONTROL, "no-store")]).into_response();
    if let Ok(location) = HeaderValue::try_from(place) {
        response.headers_mut().insert(LOCATION, location);
    }
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

fn answers_to_proto(answers: BTreeMap<String, Vec<String>>) -> Vec<SurveyAnswer> {
    let answers = answers.into_iter();
    answers
        .map(|(question, options)| SurveyAnswer { question, options })
        .collect()
}

/// `None` where the survey is not open to the caller.
fn unless_not_found(
    answer: Result<tonic::Response<GetSurveyResponse>, tonic::Status>,
) -> HandlerResult<Option<GetSurveyResponse>> {
    match answer.map_err(Problem::from) {
        Ok(found) => Ok(Some(found.into_inner())),
        Err(problem) if problem.failure().kind == Kind::NotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}
