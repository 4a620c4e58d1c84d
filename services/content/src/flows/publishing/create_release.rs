//! Creates a release: drafts published together.

use kit::error::ErrorCode;
use kit::idempotency::{self, Key};

use crate::domain::{Release, ReleaseId, ValidationError};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::store::release;

const LONGEST_NAME: usize = 200;

impl Flows {
    pub async fn create_release(&self, name: &str, key: Option<Key>) -> Result<Release, Error> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::Invalid(vec![ValidationError::required("name")]));
        }
        if name.chars().count() > LONGEST_NAME {
            let message = format!("must be at most {LONGEST_NAME} characters");
            return Err(Error::Invalid(vec![ValidationError::new(
                "name",
                ErrorCode::TooLong,
                message,
            )]));
        }
        let mut tx = kit::database::begin(&self.pool).await?;
        if let Some(id) = idempotency::claim::<_, Error>(&mut tx, &self.clock, key.as_ref()).await? {
            let found = release::find(&mut tx, id).await?;
            return found.ok_or(Error::NotFound(NotFoundKind::Release));
        }
        let now = self.clock.now();
        let release = Release {
            id: ReleaseId::new(now),
            name: name.to_owned(),
            places: Vec::new(),
            created_at: now,
            published_at: None,
        };
        release::insert(&mut tx, &release).await?;
        idempotency::store(&mut tx, &self.clock, key.as_ref(), &release.id).await?;
        tx.commit().await?;
        Ok(release)
    }
}
