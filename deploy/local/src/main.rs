//! `local`: brings Stillpoint up on one machine, tests it, and keeps it tidy. Depends on nothing it builds.

mod bench;
mod build;
mod cancel;
mod command;
mod console;
mod context;
mod failure;
mod fleet;
mod journeys;
mod layout;
mod outside;
mod postgres;
mod probe;
mod process;
mod quality;
mod run;
mod screenshot;
mod settings;
mod stack;
mod test;
mod tools;

use std::{env, process::ExitCode};

use crate::{
    cancel::Cancel,
    console::Console,
    context::Context,
    failure::Failure,
    layout::Layout,
    settings::{Mode, Vars},
    test::Suite,
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
enum Verb {
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
        layout: Layout::find(),
        console: Console::new(),
        cancel: &CANCEL,
    };
    let ended = parse(&arguments, &context.vars).and_then(|verb| {
        ctrlc::set_handler(|| CANCEL.signal())
            .map_err(|error| Failure::new(format!("Cannot listen for Ctrl-C: {error}.")))?;
        perform(&context, verb)
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => ExitCode::from(130),
        Err(failure) => {
            console::complain(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn perform(context: &Context, verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Run(mode) => run::run(context, mode),
        Verb::Test(suite, cargo_args) => test::test(context, suite, &cargo_args),
        Verb::Bench => bench::bench(context),
        Verb::Fmt => quality::fmt(context),
        Verb::Lint => quality::lint(context),
        Verb::Advisories => quality::advisories(context),
        Verb::Screenshot => screenshot::screenshot(context),
        Verb::Help => {
            context.console.line(USAGE);
            Ok(())
        }
    }
}

fn parse(arguments: &[String], vars: &Vars) -> Result<Verb, Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["run"] => Ok(Verb::Run(Mode::parse(vars.get("MODE").unwrap_or("one"))?)),
        ["run", "--mode", mode] => Ok(Verb::Run(Mode::parse(mode)?)),
        ["test", rest @ ..] => {
            let (suite, rest) = match rest.first().map(|word| Suite::parse(word)) {
                Some(Some(suite)) => (Some(suite), &rest[1..]),
                _ => (None, rest),
            };
            match rest {
                [] => Ok(Verb::Test(suite, Vec::new())),
                ["--", cargo_args @ ..] => Ok(Verb::Test(
                    suite,
                    cargo_args.iter().map(|&word| word.to_owned()).collect(),
                )),
                [word, ..] => Err(misunderstood(word)),
            }
        }
        ["bench"] => Ok(Verb::Bench),
        ["fmt"] => Ok(Verb::Fmt),
        ["lint"] => Ok(Verb::Lint),
        ["advisories"] => Ok(Verb::Advisories),
        ["screenshot"] => Ok(Verb::Screenshot),
        [] | ["help" | "--help" | "-h"] => Ok(Verb::Help),
        [word, ..] => Err(misunderstood(word)),
    }
}

fn misunderstood(word: &str) -> Failure {
    Failure::new(format!("\"{word}\" is not understood here.\n\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Verb, Failure> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words, &Vars::default())
    }

    #[test]
    fn run_is_one_process_unless_told_otherwise() {
        assert_eq!(parsed("run"), Ok(Verb::Run(Mode::One)));
        assert_eq!(parsed("run --mode services"), Ok(Verb::Run(Mode::Services)));
    }

    #[test]
    fn a_test_run_can_be_narrowed() {
        assert_eq!(parsed("test"), Ok(Verb::Test(None, Vec::new())));
        let narrowed = Verb::Test(Some(Suite::Rust), vec!["-p".to_owned(), "auth".to_owned()]);
        assert_eq!(parsed("test rust -- -p auth"), Ok(narrowed));
    }

    #[test]
    fn an_unknown_word_shows_the_usage() {
        let sentence = parsed("rnu").expect_err("refused").to_string();
        assert!(sentence.starts_with("\"rnu\" is not understood here."));
        assert!(parsed("test everything").is_err());
        assert_eq!(parsed("advisories"), Ok(Verb::Advisories));
    }
}
