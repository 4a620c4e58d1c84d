//! Events that browsers report, and the figures for operators.
use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::StatusCode;
use http::header::CACHE_CONTROL;
use kit::error::{ErrorCode, Kind};
use kit::requester;
use proto::analytics::v1::{RecordWebEventsRequest, SummarizeRequest, WebEvent};
use proto::events::Event as _;
use proto::events::v1::SubscriptionActivated;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::openapi::parameters;
use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::rest::body::Json;
use crate::rest::idempotency::IdempotencyKey;
use crate::rest::viewer::{Operator, Viewer};
use crate::security::country;
use crate::state::AppState;

#[derive(Deserialize, ToSchema)]
pub struct EventBatch {
    #[serde(default)]
    events: Vec<Event>,
}

#[derive(Deserialize, ToSchema)]
pub struct Event {
    /// A UUID made by the browser: a repeat counts once.
    #[schema(example = "0199f0a4-6c1e-7cc0-9f3a-2b1d5f8a7c11")]
    id: String,
    #[schema(example = "page_view")]
    name: String,
    #[serde(default)]
    #[schema(schema_with = parameters::scalars)]
    fields: BTreeMap<String, Scalar>,
    /// Within the last week.
    #[schema(value_type = Option<String>, format = DateTime, min_length = 20)]
    occurred_at: Option<DateTime<Utc>>,
}

/// What a field may hold.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text, a number, true, false or null")]
pub enum Scalar {
    Text(String),
    Number(serde_json::Number),
    Flag(bool),
    Nothing(()),
}

impl Scalar {
    fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(number) => Some(number.to_string()),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Nothing(()) => None,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct Accepted {
    accepted: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SummaryQuery {
    /// 1 to 366.
    #[param(example = 30)]
    days: Option<i32>,
}

#[derive(Serialize, ToSchema)]
pub struct Summary {
    counts: Vec<Count>,
}

#[derive(Serialize, ToSchema)]
pub struct Count {
    /// UTC.
    #[schema(example = "2026-11-20")]
    day: String,
    #[schema(example = json!(SubscriptionActivated::SUBJECT))]
    event: String,
    #[serde(rename = "count")]
    times: i64,
}

/// A page view in a special programme, as its page is specified to report it.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct SpecialProgramEvent {
    #[schema(example = "/en/payment/")]
    full_path: String,
    #[schema(example = "Payment")]
    page_type: String,
    #[schema(example = "pageload")]
    event: String,
    #[serde(rename = "orderid")]
    order_id: Option<String>,
    /// Left out without consent; kept only where it is the member's who is signed in.
    #[serde(rename = "userid")]
    user_id: Option<String>,
}

/// Takes a batch of events; they are on the stream when this answers.
#[utoipa::path(
    post, path = "/api/analytics/events", tag = "analytics", request_body = EventBatch,
    responses(
        (status = 202, body = Accepted),
        (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn events(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    Json(body): Json<EventBatch>,
) -> HandlerResult<Response> {
    let events = body.events.into_iter().map(WebEvent::from).collect();
    record(&app, &headers, events).await
}

/// Takes a page view of a special programme; it is on the stream when this answers.
#[utoipa::path(
    post, path = "/api/analytics/special-program-events", tag = "analytics", request_body = SpecialProgramEvent,
    params(("Idempotency-Key" = Option<String>, Header, description = "A UUID: a repeat counts once")),
    responses(
        (status = 202, body = Accepted),
        (status = 422, body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn special_program_events(
    viewer: Option<Viewer>,
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    IdempotencyKey(key): IdempotencyKey,
    Json(reported): Json<SpecialProgramEvent>,
) -> HandlerResult<Response> {
    let id = if key.is_empty() {
        kit::ids::new_uuid(app.clock.now()).to_string()
    } else {
        key
    };
    let member = viewer.map(|viewer| viewer.user.user_id);
    let fields = [
        ("fullPath", Some(reported.full_path)),
        ("pageType", Some(reported.page_type)),
        ("orderid", reported.order_id),
        (
            "userid",
            reported.user_id.filter(|id| Some(id) == member.as_ref()),
        ),
    ];
    let event = WebEvent {
        event_id: id,
        name: reported.event,
        fields: fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect(),
        occurred_at: None,
    };
    record(&app, &headers, vec![event]).await
}

/// Counts by event and day, newest day first.
#[utoipa::path(
    get, path = "/api/analytics/summary", tag = "analytics", params(SummaryQuery), security(("operator" = [])),
    responses(
        (status = 200, body = Summary),
        (status = 401, body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn summary(
    _: Operator,
    State(app): State<Arc<AppState>>,
    span: Result<Query<SummaryQuery>, axum::extract::rejection::QueryRejection>,
) -> HandlerResult<Response> {
    let Query(span) = span.map_err(|_| {
        Problem::new(
            Kind::Invalid,
            ErrorCode::ValidationFailed,
            "The number of days cannot be read.",
        )
        .field("days", ErrorCode::WrongType, "Send a whole number from 1 to 366.")
    })?;
    let request = SummarizeRequest {
        days: span.days.unwrap_or_default(),
    };
    let answer = app.clients.analytics().summarize(request).await?.into_inner();
    let counts = answer
        .counts
        .into_iter()
        .map(|it| Count {
            day: it.day,
            event: it.event,
            times: it.count,
        })
        .collect();
    Ok(([(CACHE_CONTROL, "no-store")], axum::Json(Summary { counts })).into_response())
}

async fn record(app: &AppState, headers: &HeaderMap, events: Vec<WebEvent>) -> HandlerResult<Response> {
    let request = RecordWebEventsRequest {
        events,
        lang: requester::current().lang.unwrap_or_default(),
        country: country::decide(headers, app.config.clients.country_header.as_ref(), None),
    };
    let answer = app.clients.analytics().record_web_events(request).await?;
    let accepted = answer.into_inner().accepted;
    Ok((StatusCode::ACCEPTED, axum::Json(Accepted { accepted })).into_response())
}

impl From<Event> for WebEvent {
    fn from(event: Event) -> Self {
        let fields = event
            .fields
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.into_text()?)))
            .collect();
        Self {
            event_id: event.id,
            name: event.name,
            fields,
            occurred_at: event.occurred_at.map(proto::Timestamp::from),
        }
    }
}
