//! A video of a partner.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A video that is shown only on the pages of its partner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "videoUrl"]))]
#[graphql(complex)]
pub struct PromoVideo {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub video_url: String,
    pub video_thumbnail: Option<Image>,
}

impl Model for PromoVideo {
    const NAME: &'static str = "PromoVideo";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("description", self.description.as_deref());
        at.source("videoUrl", &self.video_url);
        at.nested_if_present("videoThumbnail", self.video_thumbnail.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn a_film_is_a_file_of_this_site_or_comes_over_https() {
        let errors = |url: &str| {
            let given = json!({"title": "Morning", "videoUrl": url});
            check_record::<PromoVideo>(&given.to_string())
                .err()
                .unwrap_or_default()
        };
        for url in ["/video/istanbul-panorama.webm", "https://media.example/a.mp4"] {
            assert_eq!(errors(url), [], "{url}");
        }
        for url in ["", "http://media.example/a.mp4", "//media.example/a.mp4"] {
            assert_eq!(errors(url)[0].field, "videoUrl", "{url}");
        }
    }
}
