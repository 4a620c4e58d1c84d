//! One flag that cancels every wait: set by Ctrl-C, by SIGTERM, or by the first step that fails.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use crate::failure::Failure;

#[derive(Default)]
pub struct Cancel {
    signals: AtomicUsize,
    first_failure: Mutex<Option<Failure>>,
}

impl Cancel {
    pub const fn new() -> Self {
        Self {
            signals: AtomicUsize::new(0),
            first_failure: Mutex::new(None),
        }
    }

    pub fn request_stop(&self) {
        self.signals.fetch_add(1, Ordering::SeqCst);
    }

    /// True after Ctrl-C or SIGTERM.
    pub fn is_stop_requested(&self) -> bool {
        self.signals.load(Ordering::SeqCst) > 0
    }

    /// True after the second signal: kill instead of waiting for a clean end.
    pub fn is_kill_requested(&self) -> bool {
        self.signals.load(Ordering::SeqCst) > 1
    }

    pub fn check(&self) -> Result<(), Failure> {
        let failed = self
            .first_failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some();
        if failed || self.is_stop_requested() {
            Err(Failure::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Runs one of several parallel steps; its failure cancels the others.
    pub fn guard<T>(&self, step: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        step().inspect_err(|failure| {
            let mut first = self.first_failure.lock().unwrap_or_else(PoisonError::into_inner);
            if first.is_none() && *failure != Failure::Interrupted {
                *first = Some(failure.clone());
            }
        })
    }

    /// The failure to print: the first one, not the interruptions it caused. Clears the flag for the next command.
    pub fn take_root_cause(&self, failure: Failure) -> Failure {
        let mut first = self.first_failure.lock().unwrap_or_else(PoisonError::into_inner);
        first.take().unwrap_or(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_wins_over_the_interruptions_it_caused() {
        let cancel = Cancel::new();
        let first = cancel.guard(|| Err::<(), _>(Failure::new("no compiler")));
        assert!(first.is_err());
        let second = cancel.guard(|| cancel.check());
        assert_eq!(second, Err(Failure::Interrupted));
        assert_eq!(
            cancel.take_root_cause(Failure::Interrupted),
            Failure::new("no compiler")
        );
        assert_eq!(cancel.check(), Ok(()));
    }

    #[test]
    fn a_signal_interrupts_and_a_second_one_insists() {
        let cancel = Cancel::new();
        cancel.request_stop();
        assert_eq!(cancel.check(), Err(Failure::Interrupted));
        assert!(!cancel.is_kill_requested());
        cancel.request_stop();
        assert!(cancel.is_kill_requested());
    }
}
