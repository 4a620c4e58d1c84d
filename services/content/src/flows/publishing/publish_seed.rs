//! Publishes the valid, changed files of a directory.

use std::path::PathBuf;

use crate::error::Error;
use crate::flows::Flows;
use crate::seed_dir::{LintFinding, SeedDir, SeedFile};
use crate::store::seed_import;

/// What became of a directory.
#[derive(Debug, Default)]
pub struct SeedOutcome {
    /// The files whose content readers now see for the first time.
    pub published: Vec<String>,
    pub unchanged: usize,
    pub errors: Vec<LintFinding>,
}

impl Flows {
    /// At start: only files that changed since they were last seeded, so that what an editor published in the meantime
    /// stays. A file with errors is passed over and the others go live: the site must not hang on one file.
    pub async fn publish_seed(&self, dir: PathBuf) -> Result<SeedOutcome, Error> {
        let read = SeedDir::read(dir).await?;
        let known = seed_import::all(&mut *self.pool.acquire().await?).await?;
        let has_changed = |file: &SeedFile| {
            known
                .get(&file.name)
                .is_none_or(|hash| hash.as_slice() != file.validated.content_hash().as_bytes())
        };
        let (changed, same): (Vec<_>, Vec<_>) = read.files.into_iter().partition(has_changed);
        for error in &read.errors {
            tracing::error!(%error, "seed file has errors; not published");
        }
        let mut outcome = self.publish_files(changed).await?;
        outcome.unchanged += same.len();
        outcome.errors = read.errors;
        let (published, errors) = (outcome.published.len(), outcome.errors.len());
        tracing::info!(
            published,
            unchanged = outcome.unchanged,
            errors,
            "seed content published"
        );
        Ok(outcome)
    }

    /// On an editor's word, after the files were found good.
    pub async fn publish_files(&self, files: Vec<SeedFile>) -> Result<SeedOutcome, Error> {
        let mut outcome = SeedOutcome::default();
        for SeedFile {
            name,
            validated: ready,
            ..
        } in files
        {
            let changed = self.publish_validated(&ready).await?.changed();
            // Not in the transaction of the publish: if it is lost, the next start finds the same content there.
            seed_import::remember(&mut *self.pool.acquire().await?, &name, ready.content_hash()).await?;
            if changed {
                outcome.published.push(name);
            } else {
                outcome.unchanged += 1;
            }
        }
        Ok(outcome)
    }
}
