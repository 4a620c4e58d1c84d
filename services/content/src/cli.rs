//! The editor's command line: `content lint`, `diff`, `publish`, `schedule`, `export` and `schema`.
//!
//! What reads or changes published content goes straight to the service's database, so it works the same whichever way
//! the service runs; a running one sends out the events and so empties the page caches.

mod diff;
mod export;
mod lint;
mod publish;
mod report;
mod schedule;
mod schema;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{ColorChoice, Parser, Subcommand};
use kit::clock::Clock;
use kit::config::Env;
use secrecy::ExposeSecret;

use diff::DiffArgs;
use export::ExportArgs;
use lint::LintArgs;
use publish::PublishArgs;
use report::Format;
use schedule::ScheduleArgs;
use schema::SchemaArgs;

use crate::app;
use crate::flows::Flows;
use crate::seed_dir::LintFinding;

/// The content has errors: nothing was done.
const INVALID: u8 = 1;
/// A file, the database or the answer could not be reached.
const FAILED: u8 = 2;
/// The command line itself is wrong.
const USAGE: u8 = 64;

/// Lints, compares and publishes a directory of content: one folder per locale, one YAML or JSON file per page.
#[derive(Debug, Parser)]
#[command(name = "content", color = ColorChoice::Never, disable_version_flag = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 the content has errors, 2 it could not be done, 64 wrong arguments.\n\
    Without a verb this program is the content service."
)]
pub struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Says what is wrong, with file, line and fix; changes nothing.
    Lint(LintArgs),
    /// Lists what `publish` would change.
    Diff(DiffArgs),
    /// Publishes what changed, or nothing if something is wrong.
    Publish(PublishArgs),
    /// Has one file go live at a time to come.
    Schedule(ScheduleArgs),
    /// Writes what is published as files.
    Export(ExportArgs),
    /// Writes JSON Schemas of pages and blocks, for editors.
    Schema(SchemaArgs),
}

/// How a verb ended that could be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Good,
    Invalid,
}

/// What verbs work with: injected, so that tests can look.
struct CommandContext<'a> {
    env: Env,
    out: &'a mut dyn Write,
}

impl Command {
    /// `None`: the arguments are not for this command line.
    pub fn parse(arguments: &[String]) -> Option<Result<Self, clap::Error>> {
        const OTHERS: [&str; 3] = ["help", "--help", "-h"];
        let first = arguments.first()?.as_str();
        let is_verb = <Verb as Subcommand>::has_subcommand(first);
        (is_verb || OTHERS.contains(&first)).then(|| {
            Self::try_parse_from(std::iter::once("content").chain(arguments.iter().map(String::as_str)))
        })
    }

    fn execute(self, context: &mut CommandContext<'_>) -> anyhow::Result<Outcome> {
        match self.verb {
            Verb::Lint(args) => lint::run(&args, context),
            Verb::Diff(args) => diff::run(&args, context),
            Verb::Publish(args) => publish::run(&args, context),
            Verb::Schedule(args) => schedule::run(&args, context),
            Verb::Export(args) => export::run(&args, context),
            Verb::Schema(args) => schema::run(&args, context),
        }
    }
}

/// Runs what was asked for and says how it ended.
pub fn run(command: Result<Command, clap::Error>) -> ExitCode {
    let command = match command {
        Ok(command) => command,
        Err(answer) => {
            let _ = answer.print();
            return ExitCode::from(if answer.use_stderr() { USAGE } else { 0 });
        }
    };
    let mut out = io::stdout();
    let mut context = CommandContext {
        env: Env::from_process(),
        out: &mut out,
    };
    match command.execute(&mut context) {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Invalid) => ExitCode::from(INVALID),
        // The reader closed the pipe, as `head` does.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.downcast_ref::<io::Error>().is_some_and(closed)
}

impl CommandContext<'_> {
    fn refuse(&mut self, errors: &[LintFinding], so: &str) -> anyhow::Result<Outcome> {
        report::print(errors, 0, Format::Text, self.out)?;
        writeln!(self.out, "{so}")?;
        Ok(Outcome::Invalid)
    }

    /// States which checks were left out: `publish` and `schedule` print no other warnings.
    fn print_unchecked(&mut self, findings: &[LintFinding]) -> io::Result<()> {
        let unchecked = findings
            .iter()
            .filter(|finding| finding.code == crate::lint::UNCHECKED);
        for finding in unchecked {
            writeln!(self.out, "{finding}")?;
        }
        Ok(())
    }

    /// The flows over the service's database.
    async fn flows(&self) -> anyhow::Result<Flows> {
        let url = match self.env.secret_value("CONTENT_DATABASE_URL")? {
            Some(own) => Some(own),
            None => self.env.secret_value("DATABASE_URL")?,
        };
        let url = url.context("set CONTENT_DATABASE_URL or DATABASE_URL to the service's database")?;
        let pool = kit::database::open(url.expose_secret(), app::NAME, &app::MIGRATIONS).await?;
        Ok(Flows::new(pool, Clock::system()))
    }
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

fn in_dir<T>(dir: &std::path::Path, read: io::Result<T>) -> anyhow::Result<T> {
    read.with_context(|| dir.display().to_string())
}

/// Whether what is wrong with one file keeps another from being published: itself, and the English file it may translate.
/// A locale's navigation and footer go live together, under the name of the navigation.
fn concerns(wrong: &str, name: &str) -> bool {
    let english = |name: &str| name.split_once('/').map(|(_, file)| format!("en/{file}"));
    let (wrong, name) = (as_one(wrong), as_one(name));
    wrong == name || Some(&wrong) == english(&name).as_ref()
}

fn as_one(name: &str) -> String {
    name.replace("/footer.", "/navigation.")
}

/// Where campaigns lie beside a directory of content, as in `deploy/seed`.
fn campaigns_beside(dir: &std::path::Path) -> Option<PathBuf> {
    let beside = dir.canonicalize().ok()?.parent()?.join("campaigns");
    beside.is_dir().then_some(beside)
}

#[cfg(test)]
mod tests;
