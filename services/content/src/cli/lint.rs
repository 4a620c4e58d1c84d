//! `content lint`: lists findings of a directory.

use std::path::{Path, PathBuf};

use clap::Args;

use super::report::{self, Format};
use super::{CommandContext, Outcome, campaigns_beside, in_dir};
use crate::lint::{self, Campaigns};
use crate::seed_dir::{LintFinding, SeedDir};

#[derive(Debug, Args)]
pub struct LintArgs {
    /// The directory: one folder per locale.
    dir: PathBuf,
    /// Where the campaigns are whose trials, prices and discounts the copy may promise. By default the folder `campaigns`
    /// beside the directory; without one, campaigns and promises are not checked, and a warning states it.
    #[arg(long, value_name = "DIR")]
    campaigns: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(args: &LintArgs, context: &mut CommandContext<'_>) -> anyhow::Result<Outcome> {
    let (read, findings) = read_and_lint(&args.dir, args.campaigns.as_deref())?;
    report::print(&findings, read.files.len(), args.format, context.out)?;
    Ok(verdict(&findings))
}

/// The directory and all there is to say about it.
pub fn read_and_lint(dir: &Path, campaigns: Option<&Path>) -> anyhow::Result<(SeedDir, Vec<LintFinding>)> {
    let read = in_dir(dir, SeedDir::read_now(dir))?;
    let beside = campaigns.map(Path::to_path_buf).or_else(|| campaigns_beside(dir));
    let campaigns = match beside {
        Some(dir) => Some(Campaigns::read(&dir)?),
        None => None,
    };
    let findings = lint::check(&read, campaigns.as_ref());
    Ok((read, findings))
}

pub fn verdict(findings: &[LintFinding]) -> Outcome {
    if findings.iter().any(LintFinding::is_error) {
        Outcome::Invalid
    } else {
        Outcome::Good
    }
}
