//! The running children together: started, watched until ready, stopped in order whatever happens.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use crate::{
    command::tail,
    context::Context,
    failure::Failure,
    layout::Layout,
    probe,
    process::{Launch, Process},
};

const POLL: Duration = Duration::from_millis(20);
const WATCH: Duration = Duration::from_millis(150);
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Longer than the grace the services are given to drain.
const STOP_LIMIT: Duration = Duration::from_secs(6);
const CRASH_LINES: usize = 15;

/// When a child counts as up.
#[derive(Debug, Clone)]
pub enum Ready {
    Accepts(u16),
    /// `GET path` answers 2xx or 3xx.
    Answers(u16, String),
    /// Postgres writes its state into this file.
    PostgresSays(std::path::PathBuf),
}

impl Ready {
    fn now(&self) -> bool {
        match self {
            Self::Accepts(port) => probe::accepts(*port),
            Self::Answers(port, path) => probe::http_status(*port, path, PROBE_TIMEOUT)
                .is_some_and(|status| (200..400).contains(&status)),
            Self::PostgresSays(file) => {
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

pub struct Fleet<'a> {
    context: &'a Context,
    layout: &'a Layout,
    processes: Vec<Process>,
}

impl<'a> Fleet<'a> {
    pub fn new(context: &'a Context, layout: &'a Layout) -> Self {
        Self {
            context,
            layout,
            processes: Vec::new(),
        }
    }

    pub fn start(&mut self, launch: &Launch) -> Result<(), Failure> {
        self.context.cancel.check()?;
        self.processes.push(Process::start(launch, self.layout)?);
        Ok(())
    }

    /// Waits until all are up; a child that ends meanwhile is a failure at once.
    pub fn await_ready(&mut self, checks: &[(&str, Ready)], limit: Duration) -> Result<(), Failure> {
        let started = Instant::now();
        for (name, ready) in checks {
            while !ready.now() {
                self.context.cancel.check()?;
                self.require_all_alive()?;
                if started.elapsed() > limit {
                    let log = self.layout.log(name);
                    return Err(Failure::new(format!(
                        "{}\n\n{name} was not ready after {} seconds; the lines above are the last of {}.",
                        tail(&log, CRASH_LINES),
                        limit.as_secs(),
                        self.layout.shown(&log)
                    )));
                }
                thread::sleep(POLL);
            }
        }
        Ok(())
    }

    /// Returns when somebody asks to stop, or with the failure of a child that ended by itself.
    pub fn watch(&mut self) -> Result<(), Failure> {
        while !self.context.cancel.asked() {
            self.require_all_alive()?;
            thread::sleep(WATCH);
        }
        Ok(())
    }

    fn require_all_alive(&mut self) -> Result<(), Failure> {
        // A signal to our own children is an end we asked for, not a crash.
        self.context.cancel.check()?;
        for process in &mut self.processes {
            if let Some(end) = process.ended() {
                return Err(Failure::new(format!(
                    "{}\n\n{} ended by itself ({end}); the lines above are the last of {}.",
                    tail(&process.log, CRASH_LINES),
                    process.name,
                    self.layout.shown(&process.log)
                )));
            }
        }
        Ok(())
    }

    /// Highest stage first; a stage begins when the one before has ended. A second Ctrl-C kills.
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
            process.ask_to_stop();
        }
        while ending.iter_mut().any(|process| process.ended().is_none()) {
            if asked.elapsed() > STOP_LIMIT || self.context.cancel.insisted() {
                break;
            }
            thread::sleep(POLL);
        }
        for process in ending {
            if process.ended().is_none() {
                process.kill();
            }
            process.forget();
        }
    }
}

impl Drop for Fleet<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}
