//! The Rust tests: one Postgres for all, the test executables two at a time.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    build, command,
    commands::test::failed_tests,
    context::Context,
    failure::Failure,
    paths::{Paths, TestData},
    settings::Ports,
    stack::{
        postgres::{self, Durability},
        process::stop_leftovers,
        process_group::ProcessGroup,
    },
    tools,
};

const POSTGRES_LIMIT: Duration = Duration::from_secs(30);
/// Most tests wait: for Postgres, for NATS, for a process. Six at once keep two processors busy.
const EXECUTABLES_AT_ONCE: usize = 2;
const TEST_THREADS: &str = "--test-threads=2";

/// What every test executable needs.
struct Services {
    database_url: String,
    nats: PathBuf,
    redis: PathBuf,
}

impl Services {
    fn add_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("TEST_DATABASE_URL", &self.database_url)
            .env("NATS_BIN", &self.nats)
            .env("REDIS_BIN", &self.redis)
    }
}

/// One executable of `cargo test --no-run`.
#[derive(Debug, PartialEq, Eq)]
struct TestExecutable {
    program: PathBuf,
    /// The folder of its package: where it runs.
    folder: PathBuf,
    target: String,
}

pub fn run(context: &Context, cargo_args: &[String]) -> Result<(), Failure> {
    let paths = context.paths.test_instance("rust");
    paths.prepare()?;
    stop_leftovers(&paths)?;
    let _data = TestData::prepare(&paths)?;
    let programs = tools::postgres::ensure(context)?;
    let port = Ports::free()?.postgres;
    let postgres = postgres::prepare(context, &paths, &programs, port, Durability::Off)?;
    let mut processes = ProcessGroup::new(context, &paths);
    processes.start(&postgres.launch)?;
    processes.wait_until_ready(&[("postgres", postgres.ready)], POSTGRES_LIMIT)?;

    let services = Services {
        database_url: postgres.url,
        nats: tools::nats::ensure(context)?,
        redis: tools::redis::ensure(context)?,
    };
    if cargo_args.is_empty() {
        let executables = compile(context, cargo_args)?;
        return run_all(context, &paths, &services, executables);
    }
    let mut cargo = cargo_test(context, cargo_args);
    command::require_success(context, services.add_to(&mut cargo), "a Rust test failed")
}

/// Compiles the tests that `cargo_args` select.
pub fn prepare(context: &Context, cargo_args: &[String]) -> Result<(), Failure> {
    compile(context, cargo_args).map(|_| ())
}

fn compile(context: &Context, cargo_args: &[String]) -> Result<Vec<TestExecutable>, Failure> {
    // The arguments after `--` are for the executables.
    let selected: Vec<String> = cargo_args
        .iter()
        .take_while(|argument| *argument != "--")
        .cloned()
        .collect();
    let mut cargo = cargo_test(context, &selected);
    cargo.args(["--no-run", "--message-format=json-render-diagnostics"]);
    executables(&command::run_with_stdout(context, "compile tests", &mut cargo)?)
}

/// The test executables of cargo's messages. None at all is an error: it would be a run without a test.
fn executables(messages: &str) -> Result<Vec<TestExecutable>, Failure> {
    let found: Vec<_> = messages.lines().filter_map(executable).collect();
    if found.is_empty() {
        return Err(Failure::new("cargo reported no test executable"));
    }
    Ok(found)
}

// A package named by the caller is tested alone; otherwise all are, so that features resolve as in every other build.
fn cargo_test(context: &Context, cargo_args: &[String]) -> Command {
    let mut cargo = build::cargo(context);
    cargo.args(["test", "--no-fail-fast"]);
    if !cargo_args
        .iter()
        .any(|argument| argument == "-p" || argument == "--package")
    {
        cargo.arg("--workspace");
    }
    cargo.args(cargo_args);
    cargo
}

/// The test executable of one of cargo's messages; `None` for every other message.
fn executable(message: &str) -> Option<TestExecutable> {
    let program = text(message, "\"executable\":\"")?;
    let profile = message.split_once("\"profile\":{")?.1.split_once('}')?.0;
    // A program that tests start is compiled along; it is no test.
    if !profile.contains("\"test\":true") {
        return None;
    }
    let manifest = text(message, "\"manifest_path\":\"")?;
    let target = message.split_once("\"target\":{")?.1;
    Some(TestExecutable {
        program: PathBuf::from(program),
        folder: Path::new(manifest).parent()?.to_path_buf(),
        target: text(target, "\"name\":\"")?.to_owned(),
    })
}

fn text<'a>(json: &'a str, before: &str) -> Option<&'a str> {
    Some(json.split_once(before)?.1.split_once('"')?.0)
}

/// Runs the largest executables first: the last ones to finish are small then.
fn run_all(
    context: &Context,
    paths: &Paths,
    services: &Services,
    mut executables: Vec<TestExecutable>,
) -> Result<(), Failure> {
    executables.sort_by_cached_key(|executable| {
        let size = fs::metadata(&executable.program).map_or(0, |meta| meta.len());
        (std::cmp::Reverse(size), executable.program.clone())
    });
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..EXECUTABLES_AT_ONCE {
            scope.spawn(|| {
                while let Some(executable) = executables.get(next.fetch_add(1, Ordering::SeqCst)) {
                    if let Err(failure) = run_one(context, paths, services, executable) {
                        failures
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(failure);
                    }
                }
            });
        }
    });
    context.cancel.check()?;
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    if failures.is_empty() {
        return Ok(());
    }
    let sentences: Vec<String> = failures.iter().map(ToString::to_string).collect();
    Err(Failure::new(sentences.join("\n")))
}

fn run_one(
    context: &Context,
    paths: &Paths,
    services: &Services,
    executable: &TestExecutable,
) -> Result<(), Failure> {
    let name = format!(
        "{} {}",
        context.paths.relative(&executable.folder),
        executable.target
    );
    let log = paths.log(&name);
    let out = File::create(&log).map_err(|error| Failure::file(&log, &error))?;
    let err = out.try_clone().map_err(|error| Failure::file(&log, &error))?;
    let mut test = Command::new(&executable.program);
    test.arg(TEST_THREADS)
        .current_dir(&executable.folder)
        .env("CARGO_MANIFEST_DIR", &executable.folder)
        .stdout(out)
        .stderr(err);
    let began = Instant::now();
    let exited_well = command::run_streamed(context, services.add_to(&mut test))?;
    let output = fs::read_to_string(&log).unwrap_or_default();
    let label = format!("{name} ({})", counted(&output));
    if exited_well && reports_success(&output) {
        context.console.done(&label, began.elapsed());
        return Ok(());
    }
    context.console.failed(&label, began.elapsed());
    context.console.line(failures_of(&output));
    let log = context.paths.relative(&log);
    let sentence = format!("{name} failed; its output is in {log}");
    Err(failed_tests::failure(&sentence, names_of_failed(&output)))
}

/// The line at the end of the output. An executable that ends early, even with success, has none.
fn result_line(output: &str) -> Option<&str> {
    output.lines().rfind(|line| line.starts_with("test result: "))
}

fn reports_success(output: &str) -> bool {
    result_line(output).is_some_and(|line| line.starts_with("test result: ok. "))
}

/// How many tests passed and failed.
fn counted(output: &str) -> String {
    let Some(result) = result_line(output) else {
        return "ended without a result".to_owned();
    };
    result
        .trim_start_matches("test result: ok. ")
        .trim_start_matches("test result: FAILED. ")
        .split("; ")
        .filter(|part| part.ends_with(" passed") || part.ends_with(" failed") || part.ends_with(" ignored"))
        .filter(|part| !part.starts_with("0 "))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The output of the failed tests, or all of it when the executable did not come that far.
fn failures_of(output: &str) -> &str {
    output.find("\nfailures:\n").map_or(output, |at| &output[at..])
}

/// The names at the end of the output of a failed executable.
fn names_of_failed(output: &str) -> impl Iterator<Item = &str> {
    let list = output.rsplit_once("\nfailures:\n").map_or("", |(_, list)| list);
    list.lines().map_while(|line| line.strip_prefix("    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///r/services/kit#0.1.0","manifest_path":"/r/services/kit/Cargo.toml","target":{"kind":["test"],"crate_types":["bin"],"name":"it","src_path":"/r/services/kit/tests/it/main.rs","edition":"2024","doc":false,"doctest":false,"test":true},"profile":{"opt_level":"0","debuginfo":1,"debug_assertions":true,"overflow_checks":true,"test":true},"features":[],"filenames":["/t/debug/deps/it-1"],"executable":"/t/debug/deps/it-1","fresh":true}"#;

    #[test]
    fn a_test_executable_is_read_from_cargos_message() {
        let expected = TestExecutable {
            program: PathBuf::from("/t/debug/deps/it-1"),
            folder: PathBuf::from("/r/services/kit"),
            target: "it".to_owned(),
        };
        assert_eq!(executable(MESSAGE), Some(expected));
    }

    #[test]
    fn programs_and_libraries_are_not_run() {
        let program = MESSAGE.replace(
            r#""overflow_checks":true,"test":true"#,
            r#""overflow_checks":true,"test":false"#,
        );
        assert_eq!(executable(&program), None);
        let library = MESSAGE.replace(r#""executable":"/t/debug/deps/it-1""#, r#""executable":null"#);
        assert_eq!(executable(&library), None);
        assert_eq!(executable(r#"{"reason":"build-finished","success":true}"#), None);
    }

    #[test]
    fn run_without_a_test_executable_fails() {
        assert_eq!(executables(&format!("{MESSAGE}\n")).unwrap().len(), 1);
        let message = r#"{"reason":"build-finished","success":true}"#;
        assert_eq!(
            executables(message).unwrap_err().to_string(),
            "cargo reported no test executable"
        );
    }

    #[test]
    fn executable_that_ends_without_a_result_fails() {
        assert!(!reports_success("running 2 tests\ntest a ... ok\n"));
        assert!(!reports_success(""));
        assert!(!reports_success(
            "test result: FAILED. 1 passed; 1 failed; finished in 0.01s\n"
        ));
        assert!(reports_success(
            "running 1 test\n\ntest result: ok. 1 passed; 0 failed; finished in 0.01s\n"
        ));
    }

    #[test]
    fn tests_are_counted_by_the_result_line() {
        let passed = "running 2 tests\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
        assert_eq!(counted(passed), "2 passed");
        let failed = "test result: FAILED. 1 passed; 1 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
        assert_eq!(counted(failed), "1 passed, 1 failed, 3 ignored");
        assert_eq!(counted("killed"), "ended without a result");
    }

    #[test]
    fn failed_tests_are_named() {
        let output = "\nfailures:\n\n---- a stdout ----\nno\n\n\nfailures:\n    a\n    b::c\n\ntest result: FAILED. 1 passed";
        assert_eq!(names_of_failed(output).collect::<Vec<_>>(), ["a", "b::c"]);
        assert_eq!(names_of_failed("killed").count(), 0);
    }

    #[test]
    fn the_output_of_failed_tests_is_shown() {
        let output = "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nno";
        assert_eq!(failures_of(output), "\nfailures:\n\n---- b stdout ----\nno");
    }
}
