//! The terminal output: one line per finished step, one updated line for the running steps.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, IsTerminal, Write},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

const QUIET_REPORT_EVERY: Duration = Duration::from_secs(20);
const LIVE_LINE_WIDTH_MAX: usize = 110;

pub struct Console {
    terminal: bool,
    active: Mutex<BTreeMap<String, Active>>,
}

struct Active {
    since: Instant,
    reported: Instant,
    detail: String,
}

impl Console {
    pub fn new() -> Self {
        Self {
            terminal: io::stdout().is_terminal(),
            active: Mutex::new(BTreeMap::new()),
        }
    }

    /// Prints a permanent line.
    pub fn line(&self, text: &str) {
        Self::write(&format!("{}{text}\n", self.erase()));
    }

    pub fn done(&self, what: &str, took: Duration) {
        self.active
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(what);
        self.line(&format!("  ✓ {what:<34} {:>5}", seconds(took)));
    }

    pub fn failed(&self, what: &str, took: Duration) {
        self.active
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(what);
        self.line(&format!("  ✗ {what:<34} {:>5}", seconds(took)));
    }

    /// Reports a running step: updates the last line of a terminal, or prints a line every 20 seconds to a log.
    pub fn busy(&self, what: &str, since: Instant, detail: &str) {
        let mut active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = active.entry(what.to_owned()).or_insert_with(|| Active {
            since,
            reported: since,
            detail: String::new(),
        });
        detail.trim().clone_into(&mut entry.detail);

        if self.terminal {
            let line = live_line(&active);
            Self::write(&format!("{}{line}", self.erase()));
        } else if entry.reported.elapsed() >= QUIET_REPORT_EVERY {
            entry.reported = Instant::now();
            let text = format!(
                "  … {what:<34} {:>5}  {}\n",
                seconds(since.elapsed()),
                entry.detail
            );
            Self::write(&text);
        }
    }

    fn erase(&self) -> &'static str {
        if self.terminal { "\r\x1b[2K" } else { "" }
    }

    // Ignores a closed pipe (`make run | head`): the children must still be stopped in order.
    fn write(text: &str) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

pub fn print_error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "\n{text}");
}

fn live_line(active: &BTreeMap<String, Active>) -> String {
    let mut line = String::from("  …");
    for (what, step) in active {
        let _ = write!(line, " {what} {}", seconds(step.since.elapsed()));
        if !step.detail.is_empty() {
            let _ = write!(line, " ({})", step.detail);
        }
        line.push_str(" ·");
    }
    line.trim_end_matches(" ·")
        .chars()
        .take(LIVE_LINE_WIDTH_MAX)
        .collect()
}

pub fn seconds(duration: Duration) -> String {
    let tenths = (duration.as_millis() + 50) / 100;
    if tenths >= 1200 {
        return format!("{}:{:02}", tenths / 600, tenths / 10 % 60);
    }
    format!("{}.{} s", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_show_tenths_and_long_ones_minutes() {
        assert_eq!(seconds(Duration::from_millis(149)), "0.1 s");
        assert_eq!(seconds(Duration::from_millis(3_960)), "4.0 s");
        assert_eq!(seconds(Duration::from_secs(197)), "3:17");
    }
}
