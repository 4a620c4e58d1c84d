//! Our own videos, videos of other sites, and videos in a dialog.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::renderer::Renderer;

/// A video with captions and a transcript.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["videoUrl"]))]
#[graphql(complex)]
pub struct VideoPlayer {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub video_url: String,
    pub video_thumbnail: Option<Image>,
    /// URL of captions in the format `WebVTT`.
    pub captions_url: Option<String>,
    pub transcript: Option<String>,
    /// `transcript`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub transcript_html: Option<String>,
}

/// A button that opens a video over the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["buttonText", "title", "videoUrl"]))]
#[graphql(complex)]
pub struct VideoModal {
    #[serde(skip)]
    pub id: String,
    pub button_text: String,
    pub title: String,
    pub video_url: String,
    pub video_thumbnail: Option<Image>,
}

/// A video on `YouTube`. `YouTube` is contacted only after a press on play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["videoId", "title"]))]
#[graphql(complex)]
pub struct YoutubeEmbed {
    #[serde(skip)]
    pub id: String,
    pub video_id: String,
    /// Read by screen readers in place of the video.
    pub title: String,
}

fn is_video_id(id: &str) -> bool {
    id.len() == 11
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

impl Model for VideoPlayer {
    const NAME: &'static str = "VideoPlayer";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.optional("description", self.description.as_deref());
        at.source("videoUrl", &self.video_url);
        at.nested_if_present("videoThumbnail", self.video_thumbnail.as_ref());
        at.optional_source("captionsUrl", self.captions_url.as_deref());
        at.optional_markdown("transcript", self.transcript.as_deref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.transcript_html = self.transcript.as_deref().map(with.markdown);
    }
}

impl Model for VideoModal {
    const NAME: &'static str = "VideoModal";

    fn inspect(&self, at: &mut Inspection) {
        at.required("buttonText", &self.button_text);
        at.required("title", &self.title);
        at.source("videoUrl", &self.video_url);
        at.nested_if_present("videoThumbnail", self.video_thumbnail.as_ref());
    }
}

impl Model for YoutubeEmbed {
    const NAME: &'static str = "YoutubeEmbed";

    fn inspect(&self, at: &mut Inspection) {
        at.required("title", &self.title);
        if self.video_id.is_empty() {
            at.error("videoId", BlockErrorCode::Required, "must not be empty");
        } else if !is_video_id(&self.video_id) {
            at.error(
                "videoId",
                BlockErrorCode::NotAllowed,
                "must be the eleven characters after watch?v=",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn a_youtube_film_is_named_by_its_id_and_not_by_an_address() {
        for (id, good) in [
            ("dQw4w9WgXcQ", true),
            ("a-b_c-d_e-f", true),
            ("https://yout", false),
            ("dQw4w9WgXc\"", false),
        ] {
            let given = json!({"videoId": id, "title": "Breathing"}).to_string();
            assert_eq!(check_record::<YoutubeEmbed>(&given).is_ok(), good, "{id}");
        }
    }
}
