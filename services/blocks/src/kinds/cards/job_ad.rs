//! Open positions.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// Open positions with links to apply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["jobs"]))]
#[graphql(complex)]
pub struct JobAd {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub jobs: Vec<Job>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["jobName", "link"]))]
pub struct Job {
    pub job_name: String,
    /// Place or mode of work, such as "Remote".
    pub tag: Option<String>,
    pub button_label: Option<String>,
    pub link: String,
}

impl Model for JobAd {
    const NAME: &'static str = "JobAd";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("jobs", &self.jobs);
    }
}

impl Model for Job {
    const NAME: &'static str = "Job";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("jobName", &self.job_name);
        at.optionals(&[("tag", &self.tag), ("buttonLabel", &self.button_label)]);
        at.required_link("link", &self.link);
    }
}
