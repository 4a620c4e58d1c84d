//! The command line: `checkout campaigns lint`, `diff` and `publish` for editors; [`withdrawals`] and [`operations`] for
//! operators.
//!
//! Commands read and write the service's database and need no running service. A running service publishes the events; every
//! replica then reloads its catalogue.

mod operations;
mod withdrawals;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ColorChoice, Parser, Subcommand};
use kit::clock::Clock;
use kit::config::Env;
use kit::database::Pool;
use secrecy::ExposeSecret;

use crate::app;
use crate::domain::pricing::campaign::Terms;
use crate::domain::pricing::catalogue_diff::{self, CampaignDiff};
use crate::domain::pricing::seed::{self, Seed, SeedError, SeedFile};
use crate::flows::api::operations::list_for_operators::list_published;
use crate::flows::jobs::publish_campaigns::publish_campaigns;
use crate::seed_dir;

/// The input has errors; nothing was changed.
const INVALID: u8 = 1;
/// A file or the database is not accessible.
const FAILED: u8 = 2;
/// The arguments are invalid.
const USAGE: u8 = 64;

/// Lints, compares and publishes a directory of campaigns, coupons and currencies.
#[derive(Debug, Parser)]
#[command(name = "checkout", color = ColorChoice::Never, disable_version_flag = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 errors in the files or the ledger, 2 failed, 64 wrong arguments.\n\
    Without a command it runs the checkout service."
)]
pub struct Command {
    #[command(subcommand)]
    noun: Noun,
}

#[derive(Debug, Subcommand)]
enum Noun {
    /// Campaigns, coupons and currencies.
    #[command(subcommand)]
    Campaigns(Verb),
    /// Withdrawals from a contract.
    #[command(subcommand)]
    Withdrawals(withdrawals::Verb),
    #[command(flatten)]
    Books(operations::Noun),
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Prints errors with file, line and fix; changes nothing.
    Lint(Folder),
    /// Prints the prices that `publish` would change; changes nothing.
    Diff(Folder),
    /// Publishes the directory, or nothing if it has errors. Prices of existing orders stay.
    Publish(Folder),
}

#[derive(Debug, Args)]
struct Folder {
    /// The directory with YAML files of campaigns, coupons, currencies and card offers.
    dir: PathBuf,
}

/// The outcome of a command that could be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    Invalid,
}

impl Command {
    /// `None` if the arguments belong to the service, not to the command line.
    pub fn parse(arguments: &[String]) -> Option<Result<Self, clap::Error>> {
        const HELP: [&str; 3] = ["help", "--help", "-h"];
        let first = arguments.first()?.as_str();
        (<Noun as Subcommand>::has_subcommand(first) || HELP.contains(&first)).then(|| {
            Self::try_parse_from(std::iter::once("checkout").chain(arguments.iter().map(String::as_str)))
        })
    }
}

/// Executes the command and returns its exit code.
pub fn run(command: Result<Command, clap::Error>) -> ExitCode {
    let command = match command {
        Ok(command) => command,
        Err(answer) => {
            let _ = answer.print();
            return ExitCode::from(if answer.use_stderr() { USAGE } else { 0 });
        }
    };
    let (env, mut out) = (Env::from_process(), io::stdout());
    let outcome = match command.noun {
        Noun::Campaigns(verb) => execute(&verb, &env, &mut out),
        Noun::Withdrawals(verb) => withdrawals::execute(&verb, &env, &mut out),
        Noun::Books(noun) => operations::execute(&noun, &env, &mut out),
    };
    match outcome {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Invalid) => ExitCode::from(INVALID),
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn execute(verb: &Verb, env: &Env, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let (Verb::Lint(folder) | Verb::Diff(folder) | Verb::Publish(folder)) = verb;
    let files = read(&folder.dir)?;
    let seed = match seed::read(&files) {
        Ok(seed) => seed,
        Err(errors) => return refuse(&errors.0, out),
    };
    match verb {
        Verb::Lint(_) => writeln!(out, "{} files, nothing wrong", files.len())?,
        Verb::Diff(_) => block_on(diff(env, &files, &seed, out))?,
        Verb::Publish(_) => block_on(publish(env, &files, out))?,
    }
    Ok(Verdict::Good)
}

fn read(dir: &Path) -> anyhow::Result<Vec<SeedFile>> {
    let files = seed_dir::read(dir)?;
    anyhow::ensure!(
        !files.is_empty(),
        "{}: there is no YAML file in it",
        dir.display()
    );
    Ok(files)
}

fn refuse(errors: &[SeedError], out: &mut dyn Write) -> anyhow::Result<Verdict> {
    for error in errors {
        writeln!(out, "{error}")?;
    }
    writeln!(out, "{} wrong; nothing was changed", errors.len())?;
    Ok(Verdict::Invalid)
}

fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(work)
}

async fn database(env: &Env) -> anyhow::Result<Pool> {
    let url = match env.secret_value("CHECKOUT_DATABASE_URL")? {
        Some(own) => Some(own),
        None => env.secret_value("DATABASE_URL")?,
    };
    let url = url.context("set CHECKOUT_DATABASE_URL or DATABASE_URL to the service's database")?;
    Ok(kit::database::open(url.expose_secret(), "checkout", &app::MIGRATIONS).await?)
}

async fn publish(env: &Env, files: &[SeedFile], out: &mut dyn Write) -> anyhow::Result<()> {
    let pool = database(env).await?;
    let changed = publish_campaigns(&pool, &Clock::system(), files).await?;
    for code in &changed {
        writeln!(out, "published {code}")?;
    }
    writeln!(out, "{} changed", changed.len())?;
    Ok(())
}

async fn diff(env: &Env, files: &[SeedFile], seed: &Seed, out: &mut dyn Write) -> anyhow::Result<()> {
    let pool = database(env).await?;
    let (published, on_sale) = list_published(&pool).await?;
    let changes = catalogue_diff::diff(seed, on_sale)?;
    print_diff(files, &published, &changes, out)?;
    Ok(())
}

fn print_diff(
    files: &[SeedFile],
    published: &[SeedFile],
    changes: &[CampaignDiff],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut touched = 0;
    for file in files.iter().filter(|file| !published.contains(file)) {
        let known = published.iter().any(|other| other.name == file.name);
        let what = if known { "changed" } else { "new" };
        writeln!(out, "{}: {what}", file.name)?;
        touched += 1;
    }
    for gone in published {
        if !files.iter().any(|file| file.name == gone.name) {
            writeln!(out, "{}: gone", gone.name)?;
            touched += 1;
        }
    }
    for change in changes.iter().filter(|change| !change.is_empty()) {
        writeln!(out, "{}:", change.campaign)?;
        for price in &change.outdated {
            writeln!(out, "  - {}", line(&price.terms))?;
        }
        for terms in &change.new {
            writeln!(out, "  + {}", line(terms))?;
        }
    }
    writeln!(out, "{touched} files differ from what is published")
}

fn line(terms: &Terms) -> String {
    let coupon = Some(format!("with {}", terms.coupon_code)).filter(|_| !terms.coupon_code.is_empty());
    let country = Some(format!("in {}", terms.country)).filter(|_| !terms.country.is_empty());
    let trial = Some(format!("after {} days", terms.trial_days)).filter(|_| terms.trial_days > 0);
    let parts = [
        Some(terms.kind.name().to_owned()),
        Some(format!("{} {}", terms.amount.major(), terms.currency().code())),
        coupon,
        country,
        trial,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");

    fn lint(dir: &Path) -> (Verdict, String) {
        let mut out = Vec::new();
        let verb = Verb::Lint(Folder { dir: dir.into() });
        let verdict = execute(&verb, &Env::from_pairs::<&str, &str>([]), &mut out).unwrap();
        (verdict, String::from_utf8(out).unwrap())
    }

    #[test]
    fn shipped_campaigns_have_no_errors() {
        let (verdict, said) = lint(Path::new(SEED_DIR));
        assert_eq!(verdict, Verdict::Good, "{said}");
    }

    #[test]
    fn error_is_printed_with_file_line_and_fix() {
        let dir = std::env::temp_dir().join(format!("stillpoint-campaigns-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(
            dir.join("a.yaml"),
            "kind: currencies\ndefault: EURO\nby_language: {}\n",
        )
        .unwrap();
        let (verdict, said) = lint(&dir);
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(verdict, Verdict::Invalid);
        assert!(
            said.contains("a.yaml:2: default: ") && said.contains("use an ISO 4217 code"),
            "{said}"
        );
    }

    #[test]
    fn arguments_that_are_not_ours_start_the_service() {
        let parse = |arguments: &[&str]| {
            let owned: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
            Command::parse(&owned)
        };
        assert!(parse(&[]).is_none() && parse(&["--check-config"]).is_none());
        assert!(parse(&["campaigns", "lint", "somewhere"]).is_some_and(|parsed| parsed.is_ok()));
        assert!(parse(&["campaigns", "burn"]).is_some_and(|parsed| parsed.is_err()));
    }
}
