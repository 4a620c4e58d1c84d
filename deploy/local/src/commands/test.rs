//! `test`: fetches and builds in parallel, then runs the suites one after the other and prints all results.

mod failed_tests;
pub mod journeys;
mod rust;

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::{
    build::{self, Profile},
    command,
    commands::test::failed_tests::FailedTests,
    console::seconds,
    context::Context,
    failure::Failure,
    settings::Mode,
    tools,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// Unit and integration tests of all crates.
    Rust,
    /// Types, unit tests and size of the web app.
    Web,
    /// Stripe's own library against the sandbox's Stripe.
    Stripe,
    /// A browser against the whole of Stillpoint: a short pass in one process, all journeys with a process per service.
    Journeys,
}

impl Suite {
    const ALL: [Self; 4] = [Self::Rust, Self::Web, Self::Stripe, Self::Journeys];

    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "rust" => Some(Self::Rust),
            "web" => Some(Self::Web),
            "stripe" => Some(Self::Stripe),
            "journeys" => Some(Self::Journeys),
            _ => None,
        }
    }
}

struct Outcome {
    name: &'static str,
    /// What a suite that passed did not test.
    result: Result<Vec<String>, Failure>,
    took: Duration,
}

impl Outcome {
    fn measure(name: &'static str, suite: impl FnOnce() -> Result<Vec<String>, Failure>) -> Self {
        let began = Instant::now();
        Self {
            name,
            result: suite(),
            took: began.elapsed(),
        }
    }
}

pub fn test(context: &Context, only: Option<Suite>, cargo_args: &[String]) -> Result<(), Failure> {
    let began = Instant::now();
    context.paths.prepare()?;
    let suites: Vec<Suite> = only.map_or(Suite::ALL.to_vec(), |suite| vec![suite]);
    prepare_all(context, &suites, cargo_args);

    let mut outcomes = Vec::new();
    for suite in suites {
        context.cancel.check()?;
        match suite {
            Suite::Rust => outcomes.push(Outcome::measure("Rust tests", || {
                rust::run(context, cargo_args).map(|()| Vec::new())
            })),
            Suite::Web => outcomes.push(Outcome::measure("Web types, unit tests and size", || {
                web(context).map(|()| Vec::new())
            })),
            Suite::Stripe => outcomes.push(Outcome::measure("Stripe's library", || {
                stripe(context).map(|()| Vec::new())
            })),
            Suite::Journeys => outcomes.extend(
                [Mode::One, Mode::Services]
                    .map(|mode| Outcome::measure(journeys::title(mode), || journeys::run(context, mode))),
            ),
        }
    }
    context.cancel.check()?;
    print_summary(context, &outcomes, began.elapsed())
}

/// Fetches and builds in parallel. Each suite requests its parts again, at no cost when they exist, and
/// reports their errors: a broken web build does not hide the results of the Rust tests.
fn prepare_all(context: &Context, suites: &[Suite], cargo_args: &[String]) {
    thread::scope(|scope| {
        scope.spawn(|| -> Result<(), Failure> {
            if suites.contains(&Suite::Rust) {
                rust::prepare(context, cargo_args)?;
            }
            if suites.contains(&Suite::Journeys) || suites.contains(&Suite::Stripe) {
                build::binaries(context, Mode::One, Profile::Dev)?;
            }
            if suites.contains(&Suite::Journeys) {
                build::binaries(context, Mode::Services, Profile::Dev)?;
            }
            Ok(())
        });
        scope.spawn(|| -> Result<(), Failure> {
            if suites == [Suite::Web] || suites == [Suite::Stripe] {
                return Ok(());
            }
            tools::postgres::ensure(context)?;
            tools::nats::ensure(context)?;
            if suites.contains(&Suite::Rust) {
                tools::redis::ensure(context)?;
            }
            Ok(())
        });
        scope.spawn(|| -> Result<(), Failure> {
            if suites == [Suite::Rust] {
                return Ok(());
            }
            let node = tools::node::ensure(context)?;
            if suites.contains(&Suite::Stripe) {
                build::packages(context, &node, &context.paths.stripe_check())?;
            }
            if suites == [Suite::Stripe] {
                return Ok(());
            }
            build::packages(context, &node, &context.paths.web())?;
            if suites.contains(&Suite::Journeys) {
                build::pages(context, &node)?;
                journeys::prepare(context, &node)?;
            }
            Ok(())
        });
    });
}

fn web(context: &Context) -> Result<(), Failure> {
    let node = tools::node::ensure(context)?;
    let folder = context.paths.web();
    build::pages(context, &node)?;
    let failed_tests = FailedTests::prepare(&context.paths.state)?;
    // The build has generated the code of the GraphQL documents.
    for script in ["types", "unit", "size"] {
        let mut npm = node.command("npm");
        npm.args(["run", "--silent", script]).current_dir(&folder);
        if !command::run_streamed(context, failed_tests.add_to(&mut npm))? {
            return Err(failed_tests.failure(&format!("npm run {script} failed")));
        }
    }
    Ok(())
}

fn stripe(context: &Context) -> Result<(), Failure> {
    let node = tools::node::ensure(context)?;
    let folder = context.paths.stripe_check();
    build::packages(context, &node, &folder)?;
    let programs = build::binaries(context, Mode::One, Profile::Dev)?;
    let mut npm = node.command("npm");
    npm.args(["run", "--silent", "test"])
        .current_dir(&folder)
        .env("SANDBOX_BIN", programs.join("sandbox"));
    command::require_success(
        context,
        &mut npm,
        "the sandbox differs from what Stripe's library expects",
    )
}

fn print_summary(context: &Context, outcomes: &[Outcome], took: Duration) -> Result<(), Failure> {
    context.console.line("");
    let (mut failed, mut untested) = (0, 0);
    for Outcome { name, result, took } in outcomes {
        match result {
            Ok(notes) => {
                untested += notes.len();
                context.console.done(name, *took);
                for note in notes {
                    context.console.line(&format!("    ! {note}"));
                }
            }
            Err(failure) => {
                failed += 1;
                context.console.failed(name, *took);
                for line in failure.to_string().lines() {
                    context.console.line(&format!("      {line}"));
                }
            }
        }
    }
    if failed > 0 {
        return Err(Failure::new(format!(
            "{failed} of {} suites failed after {}.",
            outcomes.len(),
            seconds(took)
        )));
    }
    let passed = if untested == 0 {
        "All tests passed"
    } else {
        "All tests passed, except for the skipped ones above,"
    };
    context
        .console
        .line(&format!("\n  {passed} in {}.", seconds(took)));
    Ok(())
}
