//! A meditation that is played on the page.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::renderer::Renderer;

/// A recording with a transcript.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "audioUrl"]))]
#[graphql(complex)]
pub struct MeditationPlayer {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub sub_title: Option<String>,
    pub audio_url: String,
    pub duration_secs: Option<i32>,
    pub image: Option<Image>,
    /// URL of captions in the format `WebVTT`.
    pub captions_url: Option<String>,
    pub transcript: Option<String>,
    /// `transcript`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub transcript_html: Option<String>,
}

impl Model for MeditationPlayer {
    const NAME: &'static str = "MeditationPlayer";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("subTitle", self.sub_title.as_deref());
        at.source("audioUrl", &self.audio_url);
        at.within("durationSecs", self.duration_secs, 1..=86_400);
        at.nested_if_present("image", self.image.as_ref());
        at.optional_source("captionsUrl", self.captions_url.as_deref());
        at.optional_markdown("transcript", self.transcript.as_deref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.transcript_html = self.transcript.as_deref().map(with.markdown);
    }
}
