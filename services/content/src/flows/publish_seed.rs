//! A directory of files goes live, as far as it is right and has changed.

use std::path::PathBuf;

use super::Flows;
use crate::error::Error;
use crate::seed_dir::{Finding, SeedDir, SeedFile};
use crate::store::seeded;

/// What became of a directory.
#[derive(Debug, Default)]
pub struct SeedOutcome {
    /// The files whose content readers now see for the first time.
    pub published: Vec<String>,
    pub unchanged: usize,
    pub faults: Vec<Finding>,
}

impl Flows {
    /// At start: only files that changed since they were last seeded, so that what an editor published in the meantime
    /// stays. A file with faults is passed over and the others go live: the site must not hang on one file.
    pub async fn publish_seed(&self, dir: PathBuf) -> Result<SeedOutcome, Error> {
        let read = SeedDir::read(dir).await?;
        let known = seeded::all(&mut *self.pool.acquire().await?).await?;
        let has_changed = |file: &SeedFile| {
            known
                .get(&file.name)
                .is_none_or(|hash| hash.as_slice() != file.ready.content_hash().as_bytes())
        };
        let (changed, same): (Vec<_>, Vec<_>) = read.files.into_iter().partition(has_changed);
        for fault in &read.faults {
            tracing::error!(%fault, "a seed file has a fault and is not published");
        }
        let mut outcome = self.publish_files(changed).await?;
        outcome.unchanged += same.len();
        outcome.faults = read.faults;
        let (published, faults) = (outcome.published.len(), outcome.faults.len());
        tracing::info!(
            published,
            unchanged = outcome.unchanged,
            faults,
            "seed content is in place"
        );
        Ok(outcome)
    }

    /// On an editor's word, after the files were found good.
    pub async fn publish_files(&self, files: Vec<SeedFile>) -> Result<SeedOutcome, Error> {
        let mut outcome = SeedOutcome::default();
        for SeedFile { name, ready, .. } in files {
            let changed = self.publish_ready(&ready).await?.changed();
            // Not in the transaction of the publish: if it is lost, the next start finds the same content there.
            seeded::remember(&mut *self.pool.acquire().await?, &name, ready.content_hash()).await?;
            if changed {
                outcome.published.push(name);
            } else {
                outcome.unchanged += 1;
            }
        }
        Ok(outcome)
    }
}
