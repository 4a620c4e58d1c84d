//! The background tasks of a process: detects panics and waits for the end at shutdown.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use tokio::task::JoinSet;

use super::Task;

#[derive(Debug, Default)]
pub(crate) struct TaskSet {
    running: JoinSet<Result<&'static str, Panicked>>,
}

/// A task panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("task `{0}` panicked")]
pub(crate) struct Panicked(pub &'static str);

impl TaskSet {
    pub fn start(&mut self, task: Task) {
        let name = task.name;
        self.running.spawn(async move {
            AssertUnwindSafe(task.future)
                .catch_unwind()
                .await
                .map_or(Err(Panicked(name)), |()| Ok(name))
        });
    }

    /// Returns when a task panics: a process without one of its tasks must not continue.
    pub async fn first_panic(&mut self) -> Panicked {
        loop {
            match self.running.join_next().await {
                Some(Ok(Err(panicked))) => return panicked,
                Some(Ok(Ok(name))) => tracing::debug!(task = name, "task ended"),
                Some(Err(_)) => {}
                None => std::future::pending().await,
            }
        }
    }

    /// Waits for all tasks; false if some did not end in time.
    pub async fn finish_within(mut self, grace: Duration) -> bool {
        let all = async { while self.running.join_next().await.is_some() {} };
        tokio::time::timeout(grace, all).await.is_ok()
    }

    /// Aborts all tasks, as a kill of the process would.
    pub async fn kill(mut self) {
        self.running.shutdown().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_reported_by_name_and_an_end_is_not() {
        let mut tasks = TaskSet::default();
        tasks.start(Task::new("short", async {}));
        tasks.start(Task::new("clumsy", async { panic!("on purpose") }));
        assert_eq!(tasks.first_panic().await, Panicked("clumsy"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_does_not_end_is_left_behind_after_the_grace() {
        let mut tasks = TaskSet::default();
        tasks.start(Task::new("stubborn", std::future::pending()));
        assert!(!tasks.finish_within(Duration::from_secs(1)).await);
    }
}
