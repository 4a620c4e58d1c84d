//! `content publish`: publishes changes, or nothing on errors.

use std::path::PathBuf;

use clap::Args;

use super::{CommandContext, Outcome, as_one, concerns, lint, runtime};
use crate::seed_dir::{LintFinding, SeedFile};

#[derive(Debug, Args)]
pub struct PublishArgs {
    /// The directory: one folder per locale.
    dir: PathBuf,
    /// Only these files or folders, named as in the directory: `en/home.yaml`, `tr`. May be given more than once.
    #[arg(long, value_name = "FILE")]
    only: Vec<String>,
    /// As for `lint`.
    #[arg(long, value_name = "DIR")]
    campaigns: Option<PathBuf>,
}

pub fn run(args: &PublishArgs, context: &mut CommandContext<'_>) -> anyhow::Result<Outcome> {
    let (read, findings) = lint::read_and_lint(&args.dir, args.campaigns.as_deref())?;
    context.print_unchecked(&findings)?;
    let errors: Vec<LintFinding> = findings
        .into_iter()
        .filter(|finding| finding.is_error() && is_in_the_way(&finding.location.file, &args.only))
        .collect();
    if !errors.is_empty() {
        return context.refuse(&errors, "nothing was published");
    }
    let is_there = |only: &&String| read.files.iter().any(|file| is_named(&file.name, only));
    if let Some(unknown) = args.only.iter().find(|only| !is_there(only)) {
        anyhow::bail!("there is no {unknown} in {}", args.dir.display());
    }
    let is_wanted =
        |file: &SeedFile| args.only.is_empty() || args.only.iter().any(|only| is_named(&file.name, only));
    let wanted: Vec<SeedFile> = read.files.into_iter().filter(is_wanted).collect();
    let outcome = runtime()?.block_on(async {
        let flows = context.flows().await?;
        anyhow::Ok(flows.publish_files(wanted).await?)
    })?;
    for name in &outcome.published {
        writeln!(context.out, "published {name}")?;
    }
    let published = outcome.published.len();
    writeln!(
        context.out,
        "{published} published, {} unchanged",
        outcome.unchanged
    )?;
    Ok(Outcome::Good)
}

/// `tr` names the whole folder.
fn is_named(name: &str, only: &str) -> bool {
    let rest = as_one(name)
        .strip_prefix(&as_one(only.trim_end_matches('/')))
        .map(str::to_owned);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_in_the_way(wrong: &str, only: &[String]) -> bool {
    only.is_empty()
        || only
            .iter()
            .any(|only| is_named(wrong, only) || concerns(wrong, only))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_can_be_named() {
        assert!(is_named("tr/home.yaml", "tr/"));
        assert!(is_named("tr/home.yaml", "tr/home.yaml"));
        assert!(is_named("tr/navigation.yaml", "tr/footer.yaml"));
        assert!(!is_named("tr/home.yaml", "tr/hom") && !is_named("tr/home.yaml", "en/home.yaml"));
    }

    #[test]
    fn what_is_wrong_with_the_english_file_is_in_the_way_of_its_translations_and_nothing_else_is() {
        let only = ["tr/home.yaml".to_owned()];
        assert!(is_in_the_way("tr/home.yaml", &only) && is_in_the_way("en/home.yaml", &only));
        assert!(!is_in_the_way("de/home.yaml", &only) && !is_in_the_way("en/plans.yaml", &only));
        assert!(is_in_the_way("de/home.yaml", &[]));
    }
}
