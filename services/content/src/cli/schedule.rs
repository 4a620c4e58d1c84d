//! `content schedule`: schedules a file.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::{CommandContext, Outcome, as_one, concerns, lint, runtime};
use crate::domain::{ContentKey, Draft, Note, Schedule, Scheduled};
use crate::error::{Error, NotFoundKind};
use crate::flows::{Flows, SaveDraft};
use crate::seed_dir::LintFinding;

#[derive(Debug, Args)]
pub struct ScheduleArgs {
    /// A file in its directory: `deploy/seed/content/en/home.yaml`. Of navigation and footer either one, both go live.
    file: PathBuf,
    /// Date and time on the clocks of the zone: `2026-12-01T09:00`.
    #[arg(long, value_name = "TIME")]
    at: String,
    /// The zone's IANA name: `Europe/Istanbul`.
    #[arg(long)]
    zone: String,
    /// As for `lint`.
    #[arg(long, value_name = "DIR")]
    campaigns: Option<PathBuf>,
}

pub fn run(args: &ScheduleArgs, context: &mut CommandContext<'_>) -> anyhow::Result<Outcome> {
    let (dir, name) = in_directory(&args.file)?;
    let (read, findings) = lint::read_and_lint(&dir, args.campaigns.as_deref())?;
    context.print_unchecked(&findings)?;
    let errors: Vec<LintFinding> = findings
        .into_iter()
        .filter(|finding| finding.is_error() && concerns(&finding.location.file, &name))
        .collect();
    if !errors.is_empty() {
        return context.refuse(&errors, "nothing was scheduled");
    }
    let file = read.files.into_iter().find(|file| file.name == name);
    let file = file.with_context(|| format!("{name} is no content of {}", dir.display()))?;
    let (schedule, note) = runtime()?.block_on(async {
        let flows = context.flows().await?;
        plan(&flows, file.draft, args).await
    })?;
    writeln!(
        context.out,
        "{name} goes live {} {} ({}), {}",
        schedule.local_time,
        schedule.time_zone,
        schedule.at.format("%Y-%m-%dT%H:%MZ"),
        schedule.id
    )?;
    if let Some(note) = note {
        writeln!(context.out, "{note}")?;
    }
    Ok(Outcome::Good)
}

async fn plan(flows: &Flows, draft: Draft, args: &ScheduleArgs) -> anyhow::Result<(Schedule, Option<Note>)> {
    let content_key = draft.content_key().map_err(Error::Invalid)?;
    let expected_revision = revision(flows, &content_key, &draft).await?;
    let save = SaveDraft {
        draft,
        expected_revision,
        base: None,
    };
    flows.save_draft(save, None).await?;
    let planned = flows.schedule_publish(Scheduled::Draft(content_key), &args.at, &args.zone, None);
    Ok(planned.await?)
}

/// An open draft is never overwritten.
async fn revision(flows: &Flows, content_key: &ContentKey, draft: &Draft) -> anyhow::Result<i64> {
    match flows.draft(content_key.clone()).await {
        Ok(view) if view.saved_at.is_some() && view.draft != *draft => {
            bail!("{content_key} has an open draft with other content: publish or discard it first")
        }
        Ok(view) => Ok(view.revision),
        Err(Error::NotFound(NotFoundKind::Draft)) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// The directory a file belongs to, and its name there.
fn in_directory(file: &Path) -> anyhow::Result<(PathBuf, String)> {
    let shown = file.display();
    let file = file.canonicalize().with_context(|| shown.to_string())?;
    let mut parts = file.ancestors();
    let (_, folder) = (parts.next(), parts.next());
    let is_record = folder.is_some_and(|folder| folder.ends_with("records"));
    let dir = parts.nth(usize::from(is_record));
    let dir = dir.with_context(|| format!("{shown} is in no folder of a locale"))?;
    let name = file.strip_prefix(dir)?.to_string_lossy().replace('\\', "/");
    Ok((dir.to_path_buf(), as_one(&name)))
}
