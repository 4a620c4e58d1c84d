//! Publishes all members of a release atomically.

use kit::idempotency::{self, Key};
use sqlx::PgConnection;

use crate::domain::{ContentKey, ReleaseId, ValidationError};
use crate::emit;
use crate::error::Error;
use crate::flows::Flows;
use crate::flows::publishing::add_to_release::lock_open;
use crate::store::release;

impl Flows {
    /// How many members readers see changed.
    pub async fn publish_release(&self, id: ReleaseId, key: Option<Key>) -> Result<usize, Error> {
        idempotency::execute(&self.pool, &self.clock, key.as_ref(), async |connection| {
            let changed = self.apply_release(connection, id).await?;
            tracing::info!(release = %id, changed, "release published");
            Ok(changed)
        })
        .await
    }

    /// Returns the errors of all members. Commit only on success.
    pub(in crate::flows) async fn apply_release(
        &self,
        connection: &mut PgConnection,
        id: ReleaseId,
    ) -> Result<usize, Error> {
        let release = lock_open(connection, id).await?;
        if release.places.is_empty() {
            return Err(Error::Invalid(vec![ValidationError::required("items")]));
        }
        let mut changed = Vec::new();
        let mut errors = Vec::new();
        // Sorted: all transactions lock in the same order.
        for content_key in &release.places {
            match self.apply_draft(connection, content_key).await {
                Ok(published) if published.changed => changed.push(content_key.clone()),
                Ok(_) => {}
                Err(error) => errors.extend(errors_of(content_key, error.into_errors()?)),
            }
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        release::mark_published(connection, id, self.clock.now()).await?;
        emit::release_published(connection, &self.clock, &release, &changed).await?;
        Ok(changed.len())
    }
}

fn errors_of(
    content_key: &ContentKey,
    errors: Vec<ValidationError>,
) -> impl Iterator<Item = ValidationError> {
    let member = format!("items[{content_key}]");
    errors.into_iter().map(move |error| {
        let field = match error.field.as_str() {
            "" => member.clone(),
            field => format!("{member}.{field}"),
        };
        ValidationError { field, ..error }
    })
}
