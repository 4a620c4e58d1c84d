//! Adds drafts to a release.

use kit::error::ErrorCode;
use sqlx::PgConnection;

use crate::domain::{ContentKey, Release, ReleaseId, ValidationError};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::{draft, release};

/// They go live in one transaction.
const MOST_MEMBERS: usize = 1000;

impl Flows {
    pub async fn add_to_release(&self, id: ReleaseId, places: &[ContentKey]) -> Result<Release, Error> {
        let mut transaction = kit::database::begin(&self.pool).await?;
        let open = lock_open(&mut transaction, id).await?;
        let mut errors = Vec::new();
        for content_key in places {
            if draft::find(&mut transaction, content_key).await?.body.is_none() {
                let message = "has no open draft";
                errors.push(ValidationError::new(
                    format!("items[{content_key}]"),
                    ErrorCode::DraftNotFound,
                    message,
                ));
            }
        }
        let new = places
            .iter()
            .filter(|content_key| !open.places.contains(content_key))
            .count();
        if open.places.len() + new > MOST_MEMBERS {
            let message = format!("must be at most {MOST_MEMBERS}");
            errors.push(ValidationError::new("items", ErrorCode::TooLong, message));
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        for content_key in places {
            release::add(&mut transaction, id, content_key).await?;
        }
        let release = lock_open(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(release)
    }
}

/// Holds a release that can still be changed.
pub(in crate::flows) async fn lock_open(
    connection: &mut PgConnection,
    id: ReleaseId,
) -> Result<Release, Error> {
    match release::lock(connection, id).await? {
        None => Err(Error::NotFound(NotFoundKind::Release)),
        Some(release) if release.published_at.is_some() => Err(Error::ReleasePublished),
        Some(release) => Ok(release),
    }
}
