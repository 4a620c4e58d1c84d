//! Metadata of a page for search engines and link previews.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;

/// The metadata of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
pub struct PageSeo {
    /// Title in the browser tab and in search results.
    pub title: String,
    /// One or two sentences for search results.
    pub description: Option<String>,
    /// Search engines do not index the page.
    pub noindex: bool,
    /// Search engines do not follow its links.
    pub nofollow: bool,
    /// Preview image of shared links.
    pub image_url: Option<String>,
    /// Path of the page of this site that this page duplicates.
    pub canonical_path: Option<String>,
    pub article: Option<ArticleData>,
    /// The path from the home page to this page.
    pub breadcrumbs: Vec<Breadcrumb>,
    pub how_to: Option<HowTo>,
    /// CSS selectors of parts that an assistant may read aloud: `#id` or `.class`.
    pub speakable: Vec<String>,
    pub video: Option<VideoData>,
    pub job: Option<JobData>,
    /// Describes the organisation; for the home page only.
    pub organization: bool,
}

/// Structured data of an article.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
pub struct ArticleData {
    /// Absent: the title of the page.
    pub headline: Option<String>,
    pub author_name: Option<String>,
    /// A date, such as 2026-11-20.
    pub date_published: Option<String>,
    pub date_modified: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["name", "url"]))]
pub struct Breadcrumb {
    pub name: String,
    pub url: String,
}

/// Structured data of a guide.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["name", "steps"]))]
pub struct HowTo {
    pub name: String,
    pub steps: Vec<String>,
}

/// Structured data of a video.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["name", "description", "thumbnailUrl", "uploadDate", "contentUrl"]))]
pub struct VideoData {
    pub name: String,
    pub description: String,
    pub thumbnail_url: String,
    /// A date, such as 2026-11-20.
    pub upload_date: String,
    pub content_url: String,
    pub duration_secs: Option<i32>,
}

/// Structured data of an open position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "description", "datePosted"]))]
pub struct JobData {
    pub title: String,
    pub description: String,
    /// A date, such as 2026-11-20.
    pub date_posted: String,
    pub valid_through: Option<String>,
    /// Such as `FULL_TIME`.
    pub employment_type: Option<String>,
    /// ISO 3166-1 alpha-2, such as TR.
    pub country: Option<String>,
}

fn is_simple_selector(selector: &str) -> bool {
    let name = selector.strip_prefix(['#', '.']).unwrap_or_default();
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(allowed)
}

fn is_country(country: &str) -> bool {
    country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase())
}

impl Model for PageSeo {
    const NAME: &'static str = "PageSeo";

    fn inspect(&self, at: &mut Inspection) {
        at.required("title", &self.title);
        at.optional("description", self.description.as_deref());
        at.optional_source("imageUrl", self.image_url.as_deref());
        at.page_of_this_site("canonicalPath", self.canonical_path.as_deref());
        at.nested_if_present("article", self.article.as_ref());
        at.each("breadcrumbs", &self.breadcrumbs);
        at.nested_if_present("howTo", self.how_to.as_ref());
        at.nested_if_present("video", self.video.as_ref());
        at.nested_if_present("job", self.job.as_ref());
        for (index, selector) in self.speakable.iter().enumerate() {
            if !is_simple_selector(selector) {
                let field = format!("speakable[{index}]");
                at.error(&field, BlockErrorCode::NotAllowed, "must be #id or .class");
            }
        }
    }
}

impl Model for ArticleData {
    const NAME: &'static str = "ArticleData";

    fn inspect(&self, at: &mut Inspection) {
        at.optionals(&[("headline", &self.headline), ("authorName", &self.author_name)]);
        at.date("datePublished", self.date_published.as_deref());
        at.date("dateModified", self.date_modified.as_deref());
    }
}

impl Model for Breadcrumb {
    const NAME: &'static str = "Breadcrumb";

    fn inspect(&self, at: &mut Inspection) {
        at.required("name", &self.name);
        at.required_link("url", &self.url);
    }
}

impl Model for HowTo {
    const NAME: &'static str = "HowTo";

    fn inspect(&self, at: &mut Inspection) {
        at.required("name", &self.name);
        at.some_lines("steps", &self.steps);
    }
}

impl Model for VideoData {
    const NAME: &'static str = "VideoData";

    fn inspect(&self, at: &mut Inspection) {
        at.required("name", &self.name);
        at.required("description", &self.description);
        at.source("thumbnailUrl", &self.thumbnail_url);
        at.required_date("uploadDate", &self.upload_date);
        at.source("contentUrl", &self.content_url);
        at.within("durationSecs", self.duration_secs, 1..=86_400);
    }
}

impl Model for JobData {
    const NAME: &'static str = "JobData";

    fn inspect(&self, at: &mut Inspection) {
        at.required("title", &self.title);
        at.required("description", &self.description);
        at.required_date("datePosted", &self.date_posted);
        at.token("employmentType", self.employment_type.as_deref());
        at.date("validThrough", self.valid_through.as_deref());
        if self
            .country
            .as_deref()
            .is_some_and(|country| !is_country(country))
        {
            at.error(
                "country",
                BlockErrorCode::NotAllowed,
                "must be two letters, as TR",
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
    fn names_what_is_wrong_in_every_part() {
        let given = json!({
            "title": "Careers", "speakable": ["#intro", ".lead", "body *"], "canonicalPath": "https://a.example",
            "article": {"datePublished": "20 Nov"}, "breadcrumbs": [{"name": "Home"}], "howTo": {"name": "Breathe"},
            "video": {"name": "A", "description": "B", "thumbnailUrl": "/a.svg", "contentUrl": "/a.mp4", "uploadDate": "2026-02-30"},
            "job": {"title": "Coach", "description": "C", "datePosted": "2026-11-20", "country": "Turkey"},
        });
        let errors = check_record::<PageSeo>(&given.to_string()).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "canonicalPath",
                "article.datePublished",
                "breadcrumbs[0].url",
                "howTo.steps",
                "video.uploadDate",
                "job.country",
                "speakable[2]",
            ]
        );
    }
}
