//! Metadata of a page for search engines.
use async_graphql::SimpleObject;
use blocks::{ArticleData, Breadcrumb, HowTo, JobData, VideoData};
use proto::content::v1 as content;
use proto::content::v1::seo;

#[derive(SimpleObject)]
pub struct Seo {
    title: String,
    description: String,
    noindex: bool,
    nofollow: bool,
    image_url: Option<String>,
    /// A page of this site; null: the page itself.
    canonical_path: Option<String>,
    article: Option<ArticleData>,
    breadcrumbs: Vec<Breadcrumb>,
    how_to: Option<HowTo>,
    /// CSS selectors of what may be read aloud.
    speakable: Vec<String>,
    video: Option<VideoData>,
    job: Option<JobData>,
    /// Whether the page describes the organisation.
    organization: bool,
}

impl From<content::Seo> for Seo {
    fn from(seo: content::Seo) -> Self {
        Self {
            title: seo.title,
            description: seo.description,
            noindex: seo.noindex,
            nofollow: seo.nofollow,
            image_url: non_empty(seo.image_url),
            canonical_path: non_empty(seo.canonical_path),
            article: seo.article.map(article),
            breadcrumbs: seo.breadcrumbs.into_iter().map(breadcrumb).collect(),
            how_to: seo.how_to.map(how_to),
            speakable: seo.speakable,
            video: seo.video.map(video),
            job: seo.job.map(job),
            organization: seo.organization,
        }
    }
}

fn article(article: seo::Article) -> ArticleData {
    ArticleData {
        headline: non_empty(article.headline),
        author_name: non_empty(article.author_name),
        date_published: non_empty(article.date_published),
        date_modified: non_empty(article.date_modified),
    }
}

fn breadcrumb(breadcrumb: seo::Breadcrumb) -> Breadcrumb {
    Breadcrumb {
        name: breadcrumb.name,
        url: breadcrumb.url,
    }
}

fn how_to(how_to: seo::HowTo) -> HowTo {
    HowTo {
        name: how_to.name,
        steps: how_to.steps,
    }
}

fn video(video: seo::Video) -> VideoData {
    VideoData {
        name: video.name,
        description: video.description,
        thumbnail_url: video.thumbnail_url,
        upload_date: video.upload_date,
        content_url: video.content_url,
        duration_secs: (video.duration_secs != 0).then_some(video.duration_secs),
    }
}

fn job(job: seo::Job) -> JobData {
    JobData {
        title: job.title,
        description: job.description,
        date_posted: job.date_posted,
        valid_through: non_empty(job.valid_through),
        employment_type: non_empty(job.employment_type),
        country: non_empty(job.country),
    }
}

pub fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
