//! `content lint`: what is wrong with a directory.

use std::path::{Path, PathBuf};

use clap::Args;

use super::report::{self, Format};
use super::{Desk, Verdict, campaigns_beside, in_dir};
use crate::lint::{self, Campaigns};
use crate::seed_dir::{Finding, SeedDir};

#[derive(Debug, Args)]
pub struct LintArgs {
    /// The directory: one folder per locale.
    dir: PathBuf,
    /// Where the campaigns are whose trials, prices and discounts the copy may promise. By default the folder `campaigns`
    /// beside the directory; without one, promises are not checked.
    #[arg(long, value_name = "DIR")]
    campaigns: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(args: &LintArgs, desk: &mut Desk<'_>) -> anyhow::Result<Verdict> {
    let (read, findings) = read_and_lint(&args.dir, args.campaigns.as_deref())?;
    report::tell(&findings, read.files.len(), args.format, desk.out)?;
    Ok(verdict(&findings))
}

/// The directory and all there is to say about it.
pub fn read_and_lint(dir: &Path, campaigns: Option<&Path>) -> anyhow::Result<(SeedDir, Vec<Finding>)> {
    let read = in_dir(dir, SeedDir::read_now(dir))?;
    let beside = campaigns.map(Path::to_path_buf).or_else(|| campaigns_beside(dir));
    let campaigns = match beside {
        Some(dir) => Some(Campaigns::read(&dir)?),
        None => None,
    };
    let findings = lint::check(&read, campaigns.as_ref());
    Ok((read, findings))
}

pub fn verdict(findings: &[Finding]) -> Verdict {
    if findings.iter().any(Finding::is_error) {
        Verdict::Faulty
    } else {
        Verdict::Good
    }
}
