//! Metadata for search engines and link previews.

use chrono::NaiveDate;
use kit::error::ErrorCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::url_path::UrlPath;
use crate::domain::validation_error::ValidationError;

const LONGEST_TEXT: usize = 500;
const LONGEST_LONG_TEXT: usize = 5000;
const MOST_PARTS: usize = 50;
/// As schema.org has them.
const EMPLOYMENT_TYPES: [&str; 8] = [
    "FULL_TIME",
    "PART_TIME",
    "CONTRACTOR",
    "TEMPORARY",
    "INTERN",
    "VOLUNTEER",
    "PER_DIEM",
    "OTHER",
];

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("required" = ["title"]))]
pub struct Seo {
    /// In the tab, and in search results.
    pub title: String,
    /// One or two sentences for search results.
    pub description: String,
    /// Search engines leave the page out.
    pub noindex: bool,
    /// Search engines do not follow its links.
    pub nofollow: bool,
    /// Shown where the page is shared.
    pub image_url: String,
    /// A page of this site; empty: the page itself.
    pub canonical_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub article: Option<Article>,
    pub breadcrumbs: Vec<Breadcrumb>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how_to: Option<HowTo>,
    /// CSS selectors of what may be read aloud.
    pub speakable: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<Video>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
    /// Organisation metadata for the home page.
    pub organization: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Article {
    /// Without one the title of the page.
    pub headline: String,
    pub author_name: String,
    /// As 2026-11-20.
    pub date_published: String,
    /// Not before `datePublished`; without one that.
    pub date_modified: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("required" = ["name", "url"]))]
pub struct Breadcrumb {
    pub name: String,
    pub url: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("required" = ["name", "steps"]))]
pub struct HowTo {
    pub name: String,
    pub steps: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("required" = ["name", "description", "thumbnailUrl", "uploadDate", "contentUrl"]))]
pub struct Video {
    pub name: String,
    pub description: String,
    pub thumbnail_url: String,
    /// As 2026-11-20.
    pub upload_date: String,
    pub content_url: String,
    /// 0: unknown.
    pub duration_secs: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("required" = ["title", "description", "datePosted"]))]
pub struct Job {
    pub title: String,
    pub description: String,
    /// As 2026-11-20.
    pub date_posted: String,
    /// As 2026-11-20.
    pub valid_through: String,
    /// As `FULL_TIME`.
    pub employment_type: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
}

impl Seo {
    pub fn check(&self, errors: &mut Vec<ValidationError>) {
        let mut check = Check { errors };
        check.text("seo.title", &self.title);
        check.length("seo.description", &self.description, LONGEST_TEXT);
        check.source("seo.imageUrl", &self.image_url);
        if !self.canonical_path.is_empty() && self.canonical_path.parse::<UrlPath>().is_err() {
            check.refuse("seo.canonicalPath", "must be the path of a page of this site");
        }
        if let Some(article) = &self.article {
            article.check(&mut check);
        }
        self.check_lists(&mut check);
        if let Some(video) = &self.video {
            video.check(&mut check);
        }
        if let Some(job) = &self.job {
            job.check(&mut check);
        }
    }

    fn check_lists(&self, check: &mut Check<'_>) {
        check.count("seo.breadcrumbs", self.breadcrumbs.len());
        for (index, crumb) in self.breadcrumbs.iter().enumerate() {
            check.text(&format!("seo.breadcrumbs[{index}].name"), &crumb.name);
            let url = format!("seo.breadcrumbs[{index}].url");
            check.text(&url, &crumb.url);
            check.source(&url, &crumb.url);
        }
        if let Some(how_to) = &self.how_to {
            check.text("seo.howTo.name", &how_to.name);
            check.count("seo.howTo.steps", how_to.steps.len());
            if how_to.steps.is_empty() {
                check.errors.push(ValidationError::required("seo.howTo.steps"));
            }
            for (index, step) in how_to.steps.iter().enumerate() {
                check.text(&format!("seo.howTo.steps[{index}]"), step);
            }
        }
        check.count("seo.speakable", self.speakable.len());
        for (index, selector) in self.speakable.iter().enumerate() {
            if !is_selector(selector) {
                check.refuse(&format!("seo.speakable[{index}]"), "must be #id or .class");
            }
        }
    }
}

impl Article {
    fn check(&self, check: &mut Check<'_>) {
        check.length("seo.article.headline", &self.headline, LONGEST_TEXT);
        check.length("seo.article.authorName", &self.author_name, LONGEST_TEXT);
        let published = check.optional_date("seo.article.datePublished", &self.date_published);
        let modified = check.optional_date("seo.article.dateModified", &self.date_modified);
        if modified.is_some() && modified < published {
            check.refuse("seo.article.dateModified", "must not be before datePublished");
        }
    }
}

impl Video {
    fn check(&self, check: &mut Check<'_>) {
        check.text("seo.video.name", &self.name);
        check.long_text("seo.video.description", &self.description);
        for (field, url) in [
            ("seo.video.thumbnailUrl", &self.thumbnail_url),
            ("seo.video.contentUrl", &self.content_url),
        ] {
            check.text(field, url);
            check.source(field, url);
        }
        check.date("seo.video.uploadDate", &self.upload_date);
        if self.duration_secs < 0 {
            check.refuse("seo.video.durationSecs", "must not be negative");
        }
    }
}

impl Job {
    fn check(&self, check: &mut Check<'_>) {
        check.text("seo.job.title", &self.title);
        check.long_text("seo.job.description", &self.description);
        check.date("seo.job.datePosted", &self.date_posted);
        check.optional_date("seo.job.validThrough", &self.valid_through);
        let kind = self.employment_type.as_str();
        if !kind.is_empty() && !EMPLOYMENT_TYPES.contains(&kind) {
            let known = EMPLOYMENT_TYPES.join(", ");
            check.refuse("seo.job.employmentType", &format!("must be one of {known}"));
        }
        let country = &self.country;
        let is_code = country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
        if !country.is_empty() && !is_code {
            check.refuse("seo.job.country", "must be a country's two capital letters");
        }
    }
}

struct Check<'a> {
    errors: &'a mut Vec<ValidationError>,
}

impl Check<'_> {
    fn refuse(&mut self, field: &str, message: &str) {
        self.errors.push(ValidationError::not_allowed(field, message));
    }

    fn text(&mut self, field: &str, text: &str) {
        self.required(field, text);
        self.length(field, text, LONGEST_TEXT);
    }

    fn long_text(&mut self, field: &str, text: &str) {
        self.required(field, text);
        self.length(field, text, LONGEST_LONG_TEXT);
    }

    fn required(&mut self, field: &str, text: &str) {
        if text.trim().is_empty() {
            self.errors.push(ValidationError::required(field));
        }
    }

    fn length(&mut self, field: &str, text: &str, longest: usize) {
        if text.chars().count() > longest {
            let message = format!("must be at most {longest} characters");
            self.errors
                .push(ValidationError::new(field, ErrorCode::TooLong, message));
        }
    }

    fn count(&mut self, field: &str, count: usize) {
        if count > MOST_PARTS {
            let message = format!("must be at most {MOST_PARTS}");
            self.errors
                .push(ValidationError::new(field, ErrorCode::TooLong, message));
        }
    }

    fn source(&mut self, field: &str, url: &str) {
        if !is_source(url) {
            self.refuse(field, "must start with / or https://");
        }
    }

    fn date(&mut self, field: &str, date: &str) -> Option<NaiveDate> {
        self.required(field, date);
        self.optional_date(field, date)
    }

    fn optional_date(&mut self, field: &str, date: &str) -> Option<NaiveDate> {
        if date.is_empty() {
            return None;
        }
        // Two digits each: the parser alone would take 2026-1-5 as well.
        let parsed = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok();
        let parsed = parsed.filter(|_| date.len() == "2026-11-20".len());
        if parsed.is_none() {
            self.refuse(field, "must be a date as 2026-11-20");
        }
        parsed
    }
}

fn is_selector(text: &str) -> bool {
    let name = text.strip_prefix(['#', '.']).unwrap_or_default();
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(allowed)
}

/// Empty, a path of this site, or an https address.
pub(in crate::domain) fn is_source(url: &str) -> bool {
    url.is_empty() || url.starts_with("https://") || (url.starts_with('/') && !url.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn errors(seo: serde_json::Value) -> Vec<String> {
        let seo: Seo = serde_json::from_value(seo).unwrap();
        let mut errors = Vec::new();
        seo.check(&mut errors);
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_full_head_has_no_error() {
        let seo = json!({
            "title": "Sleep", "canonicalPath": "/sleep", "imageUrl": "/a.png", "organization": true,
            "article": {"headline": "H", "authorName": "A", "datePublished": "2026-01-05", "dateModified": "2026-01-05"},
            "breadcrumbs": [{"name": "Home", "url": "/"}], "howTo": {"name": "Breathe", "steps": ["In", "Out"]},
            "speakable": ["#faq", ".lead"],
            "video": {"name": "V", "description": "D", "thumbnailUrl": "/a.svg", "uploadDate": "2026-01-05",
                      "contentUrl": "https://v.example/a.mp4", "durationSecs": 90},
            "job": {"title": "Coach", "description": "D", "datePosted": "2026-01-05", "validThrough": "2026-02-05",
                    "employmentType": "FULL_TIME", "country": "TR"},
        });
        assert_eq!(errors(seo), [""; 0]);
    }

    #[test]
    fn an_article_needs_no_fact_but_a_date_must_be_one() {
        assert_eq!(errors(json!({"title": "Sleep", "article": {}})), [""; 0]);
        let soon = json!({"title": "Sleep", "article": {"datePublished": "soon"}});
        assert_eq!(errors(soon), ["seo.article.datePublished"]);
        let modified = json!({"title": "Sleep", "article": {"dateModified": "2026-01-05"}});
        assert_eq!(errors(modified), [""; 0]);
    }

    #[test]
    fn every_error_of_a_head_is_returned() {
        let seo = json!({
            "canonicalPath": "sleep/", "imageUrl": "//evil.example/a.png",
            "article": {"headline": "H", "datePublished": "2026-01-05", "dateModified": "2025-12-31"},
            "breadcrumbs": [{"name": "Home", "url": "javascript:alert(1)"}], "howTo": {"name": "Breathe"},
            "speakable": ["#faq > a", "main", "#"],
            "video": {"name": "V", "description": "D", "thumbnailUrl": "/a.svg", "uploadDate": "2026-1-5",
                      "contentUrl": "", "durationSecs": -1},
            "job": {"title": "Coach", "description": "D", "datePosted": "soon", "employmentType": "FULLTIME", "country": "tr"},
        });
        let expected = [
            "seo.title",
            "seo.imageUrl",
            "seo.canonicalPath",
            "seo.article.dateModified",
            "seo.breadcrumbs[0].url",
            "seo.howTo.steps",
            "seo.speakable[0]",
            "seo.speakable[1]",
            "seo.speakable[2]",
            "seo.video.contentUrl",
            "seo.video.uploadDate",
            "seo.video.durationSecs",
            "seo.job.datePosted",
            "seo.job.employmentType",
            "seo.job.country",
        ];
        assert_eq!(errors(seo), expected);
    }

    #[test]
    fn what_is_not_said_is_not_written() {
        let text = serde_json::to_string(&Seo::default()).unwrap();
        assert!(!text.contains("null") && !text.contains("article"), "{text}");
    }
}
