//! Runs a tool to its end, with its output in a log or in the terminal.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};

use crate::{
    context::Context,
    failure::{Failure, advice},
};

const POLL: Duration = Duration::from_millis(20);
const REPORT_EVERY: Duration = Duration::from_secs(1);
const GRACE: Duration = Duration::from_secs(3);
const TAIL_BYTES: i64 = 16 * 1024;
const SIGKILL: i32 = Signal::SIGKILL as i32;
const TAIL_LINES: usize = 30;

/// Runs with all output in the log of `what`. A failure carries the last lines of the log.
pub fn run_logged(context: &Context, what: &str, command: &mut Command) -> Result<(), Failure> {
    let log = create(&context.paths.log(what))?;
    let out = log
        .try_clone()
        .map_err(|error| Failure::new(format!("Cannot open a log twice: {error}.")))?;
    run(context, what, command.stdout(out).stderr(log))
}

/// Returns the standard output; the log of `what` holds the standard error.
pub fn run_with_stdout(context: &Context, what: &str, command: &mut Command) -> Result<String, Failure> {
    let log = context.paths.log(what);
    let out = log.with_extension("stdout");
    run(context, what, command.stdout(create(&out)?).stderr(create(&log)?))?;
    fs::read_to_string(&out).map_err(|error| Failure::file(&out, &error))
}

fn create(file: &Path) -> Result<File, Failure> {
    File::create(file).map_err(|error| Failure::file(file, &error))
}

/// The caller has directed the output to the log of `what`.
fn run(context: &Context, what: &str, command: &mut Command) -> Result<(), Failure> {
    let log = context.paths.log(what);
    let started = Instant::now();
    let child = spawn(command)?;
    let status = wait(context, child, || {
        context.console.busy(what, started, &last_line(&log));
    })?;

    if status.success() {
        context.console.done(what, started.elapsed());
        return Ok(());
    }
    context.console.failed(what, started.elapsed());
    Err(explain(context, what, &log, status))
}

/// Runs with its output where `command` directs it, by default the terminal. Returns whether it succeeded.
pub fn run_streamed(context: &Context, command: &mut Command) -> Result<bool, Failure> {
    let child = spawn(command)?;
    Ok(wait(context, child, || ())?.success())
}

/// Runs as [`run_streamed`]; `otherwise` is the failure of a command that did not succeed.
pub fn require_success(context: &Context, command: &mut Command, otherwise: &str) -> Result<(), Failure> {
    if run_streamed(context, command)? {
        Ok(())
    } else {
        Err(Failure::new(otherwise))
    }
}

/// The standard output of a short command, or `None` when it is missing or fails.
pub fn stdout_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The end of a log, in whole lines.
pub fn tail(log: &Path, lines: usize) -> String {
    let bytes = last_bytes(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

fn last_bytes(log: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(log)?;
    let length = i64::try_from(file.metadata()?.len()).unwrap_or(i64::MAX);
    file.seek(SeekFrom::End(-length.min(TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

// A process group of its own: Ctrl-C in the terminal reaches only this program, which then stops the whole group.
fn spawn(command: &mut Command) -> Result<Child, Failure> {
    command
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| missing(command, &error))
}

pub fn missing(command: &Command, error: &io::Error) -> Failure {
    let program = command.get_program().to_string_lossy().into_owned();
    if error.kind() != io::ErrorKind::NotFound {
        return Failure::new(format!("Cannot start {program}: {error}."));
    }
    let advice = match program.rsplit('/').next().unwrap_or_default() {
        "cargo" => "install Rust from https://rustup.rs",
        "npm" | "node" | "npx" => "install Node and npm (apt-get install npm)",
        "python3" => "install Python 3 with pip (apt-get install python3-pip)",
        "setpriv" => "install util-linux",
        _ => "install it, or check the path",
    };
    Failure::new(format!("{program} is missing: {advice}, then run this again."))
}

fn wait(context: &Context, mut child: Child, mut report: impl FnMut()) -> Result<ExitStatus, Failure> {
    let mut reported = Instant::now();
    loop {
        let polled = child.try_wait();
        if let Some(status) =
            polled.map_err(|error| Failure::new(format!("Lost a child process: {error}.")))?
        {
            return Ok(status);
        }
        if let Err(failure) = context.cancel.check() {
            end_group(&mut child);
            return Err(failure);
        }
        if reported.elapsed() >= REPORT_EVERY {
            reported = Instant::now();
            report();
        }
        thread::sleep(POLL);
    }
}

fn end_group(child: &mut Child) {
    let group = Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
    let _ = killpg(group, Signal::SIGTERM);
    let asked = Instant::now();
    while asked.elapsed() < GRACE {
        if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            break;
        }
        thread::sleep(POLL);
    }
    let _ = killpg(group, Signal::SIGKILL);
    let _ = child.wait();
}

fn explain(context: &Context, what: &str, log: &Path, status: ExitStatus) -> Failure {
    let output = tail(log, TAIL_LINES);
    let shown = context.paths.relative(log);
    if let Some(advice) = advice(&output) {
        return Failure::new(format!("{what}: {advice} (the whole output is in {shown})."));
    }
    let end = match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with code {code}"),
        (None, Some(SIGKILL)) => "was killed, perhaps for lack of memory".to_owned(),
        (None, signal) => format!("was ended by signal {}", signal.unwrap_or_default()),
    };
    Failure::new(format!(
        "{output}\n\n{what} {end}; the lines above are the last of {shown}."
    ))
}

/// The last line of the output that is no npm warning.
fn last_line(log: &Path) -> String {
    let output = tail(log, TAIL_LINES);
    output
        .lines()
        .rfind(|line| !line.starts_with("npm warn"))
        .unwrap_or_default()
        .to_owned()
}
