//! Creates a release: drafts published together.

use kit::idempotency::Key;

use crate::domain::{Fault, Release, ReleaseId};
use crate::error::Error;
use crate::flows::Flows;
use crate::flows::idempotent_transaction::TransactionStart;
use crate::store::release;

const LONGEST_NAME: usize = 200;

impl Flows {
    pub async fn create_release(&self, name: &str, key: Option<Key>) -> Result<Release, Error> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::Invalid(vec![Fault::required("name")]));
        }
        if name.chars().count() > LONGEST_NAME {
            let message = format!("must be at most {LONGEST_NAME} characters");
            return Err(Error::Invalid(vec![Fault::new("name", "TOO_LONG", message)]));
        }
        let mut work = match self.begin::<ReleaseId>(key).await? {
            TransactionStart::New(work) => work,
            TransactionStart::Replayed(id) => return self.release(id).await,
        };
        let now = self.clock.now();
        let release = Release {
            id: ReleaseId::new(now),
            name: name.to_owned(),
            places: Vec::new(),
            created_at: now,
            published_at: None,
        };
        release::insert(work.connection(), &release).await?;
        work.commit(release.id).await?;
        Ok(release)
    }
}
