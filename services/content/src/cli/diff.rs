//! `content diff`: lists what publishing would change.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::report::counted;
use super::{CommandContext, Outcome, in_dir, runtime};
use crate::domain::{Change, ChangeKind, ContentKey};
use crate::flows::Flows;
use crate::seed_dir::{SeedDir, SeedFile};

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The directory: one folder per locale.
    dir: PathBuf,
}

/// A file compared with the published content of the same key.
struct Compared {
    name: String,
    content_key: ContentKey,
    is_new: bool,
    changes: Vec<Change>,
}

pub fn run(args: &DiffArgs, context: &mut CommandContext<'_>) -> anyhow::Result<Outcome> {
    let read = in_dir(&args.dir, SeedDir::read_now(&args.dir))?;
    let errors = read.errors.len();
    let (compared, only_published) = runtime()?.block_on(async {
        let flows = context.flows().await?;
        let published = published(&flows).await?;
        let compared = compare(&flows, &read.files, &published).await?;
        let in_files: BTreeSet<ContentKey> = compared.iter().map(|file| file.content_key.clone()).collect();
        let others: Vec<ContentKey> = published.difference(&in_files).cloned().collect();
        anyhow::Ok((compared, others))
    })?;
    tell(&compared, &only_published, context.out)?;
    if errors > 0 {
        writeln!(
            context.out,
            "{} not compared: see `content lint`",
            counted(errors, "error")
        )?;
    }
    Ok(Outcome::Good)
}

async fn published(flows: &Flows) -> anyhow::Result<BTreeSet<ContentKey>> {
    let mut places: Vec<ContentKey> = Vec::new();
    loop {
        let more = flows.published(None, places.last()).await?;
        if more.is_empty() {
            return Ok(places.into_iter().collect());
        }
        places.extend(more.into_iter().map(|(content_key, _)| content_key));
    }
}

async fn compare(
    flows: &Flows,
    files: &[SeedFile],
    published: &BTreeSet<ContentKey>,
) -> anyhow::Result<Vec<Compared>> {
    let mut compared = Vec::with_capacity(files.len());
    for file in files {
        let content_key = file.validated.content_key();
        compared.push(Compared {
            name: file.name.clone(),
            is_new: !published.contains(&content_key),
            changes: flows.changes_by(&file.validated).await?,
            content_key,
        });
    }
    Ok(compared)
}

fn tell(compared: &[Compared], only_published: &[ContentKey], out: &mut dyn Write) -> io::Result<()> {
    let (mut new, mut changed) = (0, 0);
    for file in compared {
        if file.is_new {
            new += 1;
            writeln!(out, "{} ({}): new", file.name, file.content_key)?;
        } else if !file.changes.is_empty() {
            changed += 1;
            writeln!(out, "{} ({}):", file.name, file.content_key)?;
            for change in &file.changes {
                writeln!(out, "  {}", line(change))?;
            }
        }
    }
    for content_key in only_published {
        writeln!(
            out,
            "{content_key}: only published; publishing the directory leaves it as it is"
        )?;
    }
    let unchanged = compared.len() - new - changed;
    writeln!(
        out,
        "{new} new, {changed} changed, {unchanged} unchanged, {} only published",
        only_published.len()
    )
}

fn line(change: &Change) -> String {
    let one_line = |text: &str| text.replace('\n', " ⏎ ");
    let (before, after) = (one_line(&change.before), one_line(&change.after));
    match change.kind {
        ChangeKind::Added => format!("+ {}: {after}", change.field),
        ChangeKind::Removed => format!("- {}: {before}", change.field),
        ChangeKind::Moved => format!("> {}: moved", change.field),
        ChangeKind::Changed => format!("~ {}: {before} → {after}", change.field),
    }
}
