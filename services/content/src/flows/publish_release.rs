//! All members of a release go live together, or none does.

use kit::idempotency::Key;
use sqlx::PgConnection;

use super::Flows;
use super::add_to_release::lock_open;
use super::work::Begun;
use crate::domain::{Fault, Place, ReleaseId};
use crate::emit;
use crate::error::Error;
use crate::store::release;

impl Flows {
    /// How many members readers see changed.
    pub async fn publish_release(&self, id: ReleaseId, key: Option<Key>) -> Result<usize, Error> {
        let mut work = match self.begin(key).await? {
            Begun::Work(work) => work,
            Begun::Answered(changed) => return Ok(changed),
        };
        let changed = self.put_release_live(work.connection(), id).await?;
        tracing::info!(release = %id, changed, "a release was published");
        work.commit(changed).await
    }

    /// Tells the faults of all members at once. Only good for a commit when it succeeds.
    pub(super) async fn put_release_live(
        &self,
        connection: &mut PgConnection,
        id: ReleaseId,
    ) -> Result<usize, Error> {
        let release = lock_open(connection, id).await?;
        if release.places.is_empty() {
            return Err(Error::Invalid(vec![Fault::required("items")]));
        }
        let mut changed = Vec::new();
        let mut faults = Vec::new();
        // In their order: whoever locks the same items as well does so in the same one.
        for place in &release.places {
            match self.put_draft_live(connection, place).await {
                Ok(published) if published.changed => changed.push(place.clone()),
                Ok(_) => {}
                Err(error) => faults.extend(faults_of(place, error.into_faults()?)),
            }
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        release::mark_published(connection, id, self.clock.now()).await?;
        emit::release_published(connection, &self.clock, &release, &changed).await?;
        Ok(changed.len())
    }
}

fn faults_of(place: &Place, faults: Vec<Fault>) -> impl Iterator<Item = Fault> {
    let member = format!("items[{place}]");
    faults.into_iter().map(move |fault| {
        let field = match fault.field.as_str() {
            "" => member.clone(),
            field => format!("{member}.{field}"),
        };
        Fault { field, ..fault }
    })
}
