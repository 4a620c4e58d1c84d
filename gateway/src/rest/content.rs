//! Sample meditations for visitors, in the specified data/error envelope.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use proto::content::v1::ListSamplesRequest;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::openapi::parameters;
use crate::protocol::error::{EnvelopeError, HandlerResult, Problem};
use crate::protocol::locale;
use crate::rest::body;
use crate::rest::body::JsonOrForm;
use crate::state::AppState;

/// `lang` and `category` are optional; defaults: English, and the general category.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct SamplesRequest {
    #[schema(example = "tr")]
    lang: Option<String>,
    /// A number, or one as text: the page sends what its storage held.
    #[serde(deserialize_with = "body::number")]
    #[schema(schema_with = parameters::number_or_text)]
    category: Option<i32>,
}

#[derive(Serialize, ToSchema)]
pub struct SamplesResponse {
    data: Samples,
    #[schema(value_type = Option<String>)]
    error: Option<()>,
    #[schema(value_type = Option<String>)]
    error_code: Option<()>,
}

#[derive(Serialize, ToSchema)]
pub struct Samples {
    #[schema(value_type = Vec<Sample>)]
    items: Box<RawValue>,
}

/// How an item looks; content writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what content hands over as it stands")]
pub struct Sample {
    #[schema(example = "Rain on leaves")]
    title: String,
    #[schema(rename = "subTitle")]
    sub_title: Option<String>,
    image: Option<SampleImage>,
    #[schema(rename = "popoverText")]
    popover_text: Option<String>,
    #[schema(rename = "audioUrl", example = "/audio/rain.mp3")]
    audio_url: Option<String>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what content hands over as it stands")]
pub struct SampleImage {
    url: String,
    alt: String,
}

/// The samples of a category; none for one that is unknown.
#[utoipa::path(
    post, path = "/external/samples", tag = "content", request_body = SamplesRequest,
    responses(
        (status = 200, body = SamplesResponse),
        (status = 400, body = EnvelopeError, description = "The body cannot be read"),
        (status = 503, body = EnvelopeError, description = "Content does not answer"),
    )
)]
pub async fn samples(
    State(app): State<Arc<AppState>>,
    JsonOrForm(asked): JsonOrForm<SamplesRequest>,
) -> HandlerResult<Json<SamplesResponse>> {
    let locale = asked
        .lang
        .as_deref()
        .and_then(locale::supported)
        .unwrap_or_default();
    let request = ListSamplesRequest {
        locale: locale.code().to_owned(),
        category: asked.category.unwrap_or_default(),
    };
    let answer = app.clients.content().list_samples(request).await?.into_inner();
    let items = RawValue::from_string(answer.items_json).map_err(|_| Problem::internal())?;
    Ok(Json(SamplesResponse {
        data: Samples { items },
        error: None,
        error_code: None,
    }))
}
