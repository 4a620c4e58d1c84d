//! The editor's command line: `content lint <directory>` and `content publish <directory>`.
//!
//! Publishing goes straight to the service's database, so it works the same whichever way the service runs; a running
//! one sends out the events and so empties the page caches.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use kit::clock::Clock;
use kit::config::Env;

use crate::app;
use crate::flows::{Flows, SeedOutcome};
use crate::seed_dir::{FileFault, SeedDir};

const USAGE: &str = "usage: content lint <directory>\n       content publish <directory>";
const USAGE_EXIT: u8 = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Says what is wrong and publishes nothing.
    Lint(PathBuf),
    /// Publishes what changed, or nothing if something is wrong.
    Publish(PathBuf),
    /// Begun like one of the others, but not complete.
    Unclear,
}

impl Command {
    /// `None`: the arguments are not for this command line.
    pub fn parse(arguments: &[String]) -> Option<Self> {
        let verb = arguments.first()?;
        match (verb.as_str(), &arguments[1..]) {
            ("lint", [dir]) => Some(Self::Lint(dir.into())),
            ("publish", [dir]) => Some(Self::Publish(dir.into())),
            ("lint" | "publish", _) => Some(Self::Unclear),
            _ => None,
        }
    }

    pub fn run(self) -> ExitCode {
        let done = match self {
            Self::Lint(dir) => lint(&dir, &mut io::stdout()),
            Self::Publish(dir) => publish(dir, &mut io::stdout()),
            Self::Unclear => {
                let _ = writeln!(io::stderr(), "{USAGE}");
                return ExitCode::from(USAGE_EXIT);
            }
        };
        match done {
            Ok(Verdict::Good) => ExitCode::SUCCESS,
            Ok(Verdict::Faulty) => ExitCode::FAILURE,
            Err(error) => {
                let _ = writeln!(io::stderr(), "{error:#}");
                ExitCode::FAILURE
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    Faulty,
}

fn lint(dir: &std::path::Path, out: &mut impl Write) -> anyhow::Result<Verdict> {
    let read = SeedDir::read_now(dir).map_err(|error| anyhow::anyhow!("{}: {error}", dir.display()))?;
    let faults = read.check();
    if faults.is_empty() {
        writeln!(out, "{} files, nothing wrong", read.files.len())?;
        return Ok(Verdict::Good);
    }
    tell(&faults, out)?;
    Ok(Verdict::Faulty)
}

fn publish(dir: PathBuf, out: &mut impl Write) -> anyhow::Result<Verdict> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(publish_with(&Env::from_process(), dir))?;
    if !outcome.faults.is_empty() {
        tell(&outcome.faults, out)?;
        writeln!(out, "nothing was published")?;
        return Ok(Verdict::Faulty);
    }
    for name in &outcome.published {
        writeln!(out, "published {name}")?;
    }
    writeln!(
        out,
        "{} published, {} unchanged",
        outcome.published.len(),
        outcome.unchanged
    )?;
    Ok(Verdict::Good)
}

async fn publish_with(env: &Env, dir: PathBuf) -> anyhow::Result<SeedOutcome> {
    let url = env
        .get("CONTENT_DATABASE_URL")
        .or_else(|| env.get("DATABASE_URL"));
    let url = url.ok_or_else(|| anyhow::anyhow!("set CONTENT_DATABASE_URL or DATABASE_URL"))?;
    let pool = kit::database::open(url, app::NAME, &app::MIGRATOR).await?;
    Ok(Flows::new(pool, Clock::system()).publish_dir(dir).await?)
}

fn tell(faults: &[FileFault], out: &mut impl Write) -> io::Result<()> {
    for fault in faults {
        writeln!(out, "{fault}")?;
    }
    writeln!(out, "{} faults", faults.len())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn parse(arguments: &[&str]) -> Option<Command> {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Command::parse(&arguments)
    }

    #[test]
    fn only_its_own_verbs_are_taken() {
        assert_eq!(parse(&["lint", "a"]), Some(Command::Lint("a".into())));
        assert_eq!(parse(&["publish", "a"]), Some(Command::Publish("a".into())));
        assert_eq!(parse(&["publish"]), Some(Command::Unclear));
        assert_eq!(parse(&["--check-config"]), None);
        assert_eq!(parse(&[]), None);
    }

    #[test]
    fn the_content_we_ship_has_no_fault() {
        let dir = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/content"));
        let mut said = Vec::new();
        let verdict = lint(dir, &mut said).unwrap();
        assert_eq!(verdict, Verdict::Good, "{}", String::from_utf8_lossy(&said));
    }
}
