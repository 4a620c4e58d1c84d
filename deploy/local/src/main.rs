//! `local`: runs, tests and lints Stillpoint on one machine. Depends on no crate of the workspace.

mod build;
mod cancel;
mod command;
mod commands;
mod console;
mod context;
mod failure;
mod paths;
mod settings;
mod stack;
mod tools;

use std::{env, process::ExitCode};

use crate::{
    cancel::Cancel,
    commands::{
        bench, lint, run, screenshot,
        test::{self, Suite},
    },
    console::Console,
    context::Context,
    failure::Failure,
    paths::Paths,
    settings::{Mode, Vars},
};

const USAGE: &str = "\
Usage: local <command>

  run [--mode one|services]     start everything (MODE=services does the same)
  test [rust|web|stripe|journeys] [-- <cargo test arguments>]
                                run every test, or one kind of them
  bench                         measure the hot paths of release programs
  fmt                           format Rust and web sources
  lint                          every check that needs no running program
  advisories                    known vulnerabilities of the crates in use; a part of lint
  screenshot                    draw docs/home.jpg from a running instance

Ports and engines are settings: see deploy/local/README.md.";

static CANCEL: Cancel = Cancel::new();

#[derive(Debug, PartialEq, Eq)]
enum Action {
    Run(Mode),
    Test(Option<Suite>, Vec<String>),
    Bench,
    Fmt,
    Lint,
    Advisories,
    Screenshot,
    Help,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let context = Context {
        vars: Vars::from_process(),
        paths: Paths::find(),
        console: Console::new(),
        cancel: &CANCEL,
    };
    let ended = parse(&arguments, &context.vars).and_then(|action| {
        ctrlc::set_handler(|| CANCEL.request_stop())
            .map_err(|error| Failure::new(format!("Cannot listen for Ctrl-C: {error}.")))?;
        execute(&context, action)
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => ExitCode::from(130),
        Err(failure) => {
            console::print_error(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn execute(context: &Context, action: Action) -> Result<(), Failure> {
    match action {
        Action::Run(mode) => run::run(context, mode),
        Action::Test(suite, cargo_args) => test::test(context, suite, &cargo_args),
        Action::Bench => bench::bench(context),
        Action::Fmt => lint::fmt(context),
        Action::Lint => lint::lint(context),
        Action::Advisories => lint::advisories(context),
        Action::Screenshot => screenshot::screenshot(context),
        Action::Help => {
            context.console.line(USAGE);
            Ok(())
        }
    }
}

fn parse(arguments: &[String], vars: &Vars) -> Result<Action, Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run"] => Ok(Action::Run(Mode::parse(vars.get("MODE").unwrap_or("one"))?)),
        ["run", "--mode", mode] => Ok(Action::Run(Mode::parse(mode)?)),
        ["test", rest @ ..] => {
            let (suite, rest) = match rest.first().map(|word| Suite::parse(word)) {
                Some(Some(suite)) => (Some(suite), &rest[1..]),
                _ => (None, rest),
            };
            match rest {
                [] => Ok(Action::Test(suite, Vec::new())),
                ["--", cargo_args @ ..] => Ok(Action::Test(
                    suite,
                    cargo_args.iter().map(|&word| word.to_owned()).collect(),
                )),
                [word, ..] => Err(unknown_argument(word)),
            }
        }
        ["bench"] => Ok(Action::Bench),
        ["fmt"] => Ok(Action::Fmt),
        ["lint"] => Ok(Action::Lint),
        ["advisories"] => Ok(Action::Advisories),
        ["screenshot"] => Ok(Action::Screenshot),
        [] | ["help" | "--help" | "-h"] => Ok(Action::Help),
        [word, ..] => Err(unknown_argument(word)),
    }
}

fn unknown_argument(word: &str) -> Failure {
    Failure::new(format!("\"{word}\" is not understood here.\n\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Action, Failure> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words, &Vars::default())
    }

    #[test]
    fn run_is_one_process_by_default() {
        assert_eq!(parsed("run"), Ok(Action::Run(Mode::One)));
        assert_eq!(parsed("run --mode services"), Ok(Action::Run(Mode::Services)));
    }

    #[test]
    fn a_test_run_can_be_narrowed() {
        assert_eq!(parsed("test"), Ok(Action::Test(None, Vec::new())));
        let narrowed = Action::Test(Some(Suite::Rust), vec!["-p".to_owned(), "auth".to_owned()]);
        assert_eq!(parsed("test rust -- -p auth"), Ok(narrowed));
    }

    #[test]
    fn an_unknown_word_shows_the_usage() {
        let sentence = parsed("rnu").expect_err("refused").to_string();
        assert!(sentence.starts_with("\"rnu\" is not understood here."));
        assert!(parsed("test everything").is_err());
        assert_eq!(parsed("advisories"), Ok(Action::Advisories));
    }
}
