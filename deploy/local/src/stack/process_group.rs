//! The running child processes: started, checked until ready, stopped in order on every exit path.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use crate::{
    command::tail,
    context::Context,
    failure::Failure,
    paths::Paths,
    stack::probe,
    stack::process::{Launch, Process},
};

const POLL: Duration = Duration::from_millis(20);
const WATCH: Duration = Duration::from_millis(150);
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Longer than the time services have to drain.
const STOP_LIMIT: Duration = Duration::from_secs(6);
const CRASH_LINES: usize = 15;

/// When a child counts as ready.
#[derive(Debug, Clone)]
pub enum Ready {
    Listening(u16),
    /// `GET path` answers 2xx or 3xx.
    Http(u16, String),
    /// Postgres writes its state into this file.
    PostgresStatus(std::path::PathBuf),
}

impl Ready {
    fn is_met(&self) -> bool {
        match self {
            Self::Listening(port) => probe::is_listening(*port),
            Self::Http(port, path) => probe::http_status(*port, path, PROBE_TIMEOUT)
                .is_some_and(|status| (200..400).contains(&status)),
            Self::PostgresStatus(file) => {
                const STATE_LINE: usize = 7;
                fs::read_to_string(file).is_ok_and(|text| {
                    text.lines()
                        .nth(STATE_LINE)
                        .is_some_and(|state| state.trim() == "ready")
                })
            }
        }
    }
}

pub struct ProcessGroup<'a> {
    context: &'a Context,
    paths: &'a Paths,
    processes: Vec<Process>,
}

impl<'a> ProcessGroup<'a> {
    pub fn new(context: &'a Context, paths: &'a Paths) -> Self {
        Self {
            context,
            paths,
            processes: Vec::new(),
        }
    }

    pub fn start(&mut self, launch: &Launch) -> Result<(), Failure> {
        self.context.cancel.check()?;
        self.processes.push(Process::start(launch, self.paths)?);
        Ok(())
    }

    /// Waits until all are ready. Fails at once when a child ends.
    pub fn wait_until_ready(&mut self, checks: &[(&str, Ready)], limit: Duration) -> Result<(), Failure> {
        let started = Instant::now();
        for (name, ready) in checks {
            while !ready.is_met() {
                self.context.cancel.check()?;
                self.check_all_running()?;
                if started.elapsed() > limit {
                    let log = self.paths.log(name);
                    return Err(Failure::new(format!(
                        "{}\n\n{name} was not ready after {} seconds; the lines above are the last of {}.",
                        tail(&log, CRASH_LINES),
                        limit.as_secs(),
                        self.paths.relative(&log)
                    )));
                }
                thread::sleep(POLL);
            }
        }
        Ok(())
    }

    /// Returns after Ctrl-C, or with the failure of a child that ended by itself.
    pub fn run_until_stopped(&mut self) -> Result<(), Failure> {
        while !self.context.cancel.is_stop_requested() {
            self.check_all_running()?;
            thread::sleep(WATCH);
        }
        Ok(())
    }

    fn check_all_running(&mut self) -> Result<(), Failure> {
        // After Ctrl-C children end on request; that is no crash.
        self.context.cancel.check()?;
        for process in &mut self.processes {
            if let Some(end) = process.exit() {
                return Err(Failure::new(format!(
                    "{}\n\n{} ended by itself ({end}); the lines above are the last of {}.",
                    tail(&process.log, CRASH_LINES),
                    process.name,
                    self.paths.relative(&process.log)
                )));
            }
        }
        Ok(())
    }

    /// Stops the highest stage first; the next stage stops when all its processes have ended. A second Ctrl-C kills.
    pub fn stop(&mut self) {
        while let Some(stage) = self.processes.iter().map(|process| process.stage).max() {
            let (mut ending, staying) = self
                .processes
                .drain(..)
                .partition(|process| process.stage == stage);
            self.processes = staying;
            self.end(&mut ending);
        }
    }

    fn end(&self, ending: &mut Vec<Process>) {
        let asked = Instant::now();
        for process in ending.iter() {
            process.terminate();
        }
        while ending.iter_mut().any(|process| process.exit().is_none()) {
            if asked.elapsed() > STOP_LIMIT || self.context.cancel.is_kill_requested() {
                break;
            }
            thread::sleep(POLL);
        }
        for process in ending {
            if process.exit().is_none() {
                process.kill();
            }
            process.remove_pid_file();
        }
    }
}

impl Drop for ProcessGroup<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}
