//! The head of a page: message to domain type and back.

use proto::content::v1 as wire;
use proto::content::v1::seo as parts;

use crate::domain::{Article, Breadcrumb, HowTo, Job, Seo, Video};

/// Both ways between two types whose fields have the same names.
macro_rules! alike {
    ($($domain:ident { $($field:ident),+ $(,)? })+) => {$(
        impl From<parts::$domain> for $domain {
            fn from(part: parts::$domain) -> Self {
                Self { $($field: part.$field,)+ }
            }
        }

        impl From<$domain> for parts::$domain {
            fn from(part: $domain) -> Self {
                Self { $($field: part.$field,)+ }
            }
        }
    )+};
}

alike! {
    Article { headline, author_name, date_published, date_modified }
    Breadcrumb { name, url }
    HowTo { name, steps }
    Video { name, description, thumbnail_url, upload_date, content_url, duration_secs }
    Job { title, description, date_posted, valid_through, employment_type, country }
}

impl From<wire::Seo> for Seo {
    fn from(seo: wire::Seo) -> Self {
        Self {
            title: seo.title,
            description: seo.description,
            noindex: seo.noindex,
            nofollow: seo.nofollow,
            image_url: seo.image_url,
            canonical_path: seo.canonical_path,
            article: seo.article.map(Article::from),
            breadcrumbs: seo.breadcrumbs.into_iter().map(Breadcrumb::from).collect(),
            how_to: seo.how_to.map(HowTo::from),
            speakable: seo.speakable,
            video: seo.video.map(Video::from),
            job: seo.job.map(Job::from),
            organization: seo.organization,
        }
    }
}

impl From<Seo> for wire::Seo {
    fn from(seo: Seo) -> Self {
        Self {
            title: seo.title,
            description: seo.description,
            noindex: seo.noindex,
            nofollow: seo.nofollow,
            image_url: seo.image_url,
            canonical_path: seo.canonical_path,
            article: seo.article.map(Into::into),
            breadcrumbs: seo.breadcrumbs.into_iter().map(Into::into).collect(),
            how_to: seo.how_to.map(Into::into),
            speakable: seo.speakable,
            video: seo.video.map(Into::into),
            job: seo.job.map(Into::into),
            organization: seo.organization,
        }
    }
}
