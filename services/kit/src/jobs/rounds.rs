//! Counts the rounds of background tasks in a log of their host, so that a test can wait for rounds instead of a time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

tokio::task_local! {
    /// The log of the host that has started the current task. Only test hosts have one.
    static LOG: RoundLog;
}

/// The running tasks of one host. Clones share the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundLog(watch::Sender<Vec<Rounds>>);

/// The rounds of one running task.
#[derive(Clone, Debug)]
struct Rounds {
    id: u64,
    task: String,
    begun: u64,
    ended: u64,
}

impl RoundLog {
    /// Counts the rounds of `task` in this log.
    pub async fn observe(self, task: impl Future<Output = ()>) {
        LOG.scope(self, task).await;
    }

    /// Resolves once every running task of this name has begun and ended `count` rounds after this call. A round that was
    /// running at the call does not count. Waits for the task if none runs yet.
    pub fn after(&self, task: &str, count: u64) -> impl Future<Output = ()> + Send + use<> {
        let begun: BTreeMap<u64, u64> = self.0.borrow().iter().map(|of| (of.id, of.begun)).collect();
        let (log, task) = (self.clone(), task.to_owned());
        async move {
            let is_done = |running: &Vec<Rounds>| {
                let mut named = running.iter().filter(|of| of.task == task).peekable();
                let has_ended =
                    |of: &Rounds| of.ended >= begun.get(&of.id).copied().unwrap_or_default() + count;
                named.peek().is_some() && named.all(has_ended)
            };
            // The sender is `log`, so waiting cannot fail.
            drop(log.0.subscribe().wait_for(is_done).await);
        }
    }

    /// Resolves once every running task of this name waits for its next round.
    pub fn idle(&self, task: &str) -> impl Future<Output = ()> + Send + use<> {
        let (log, task) = (self.clone(), task.to_owned());
        async move {
            let is_idle = |running: &Vec<Rounds>| {
                let mut named = running.iter().filter(|of| of.task == task).peekable();
                named.peek().is_some() && named.all(|of| of.ended > 0 && of.ended == of.begun)
            };
            drop(log.0.subscribe().wait_for(is_idle).await);
        }
    }

    /// The names of the running tasks.
    pub fn names(&self) -> Vec<String> {
        self.0.borrow().iter().map(|of| of.task.clone()).collect()
    }
}

/// Counts the rounds of one task until it is dropped.
pub(crate) struct RoundCounter {
    id: u64,
    log: Option<RoundLog>,
}

impl RoundCounter {
    /// In the log of the current task, if it has one.
    pub fn start(task: &str) -> Self {
        static LAST_ID: AtomicU64 = AtomicU64::new(0);
        let id = LAST_ID.fetch_add(1, Ordering::Relaxed);
        let log = LOG.try_with(RoundLog::clone).ok();
        if let Some(log) = &log {
            let rounds = Rounds {
                id,
                task: task.to_owned(),
                begun: 0,
                ended: 0,
            };
            log.0.send_modify(|running| running.push(rounds));
        }
        Self { id, log }
    }

    /// Runs one round.
    pub async fn count<T>(&self, round: impl Future<Output = T>) -> T {
        self.update(|of| of.begun += 1);
        let outcome = round.await;
        self.update(|of| of.ended += 1);
        outcome
    }

    fn update(&self, change: impl FnOnce(&mut Rounds)) {
        if let Some(log) = &self.log {
            log.0.send_modify(|running| {
                if let Some(rounds) = running.iter_mut().find(|of| of.id == self.id) {
                    change(rounds);
                }
            });
        }
    }
}

impl Drop for RoundCounter {
    fn drop(&mut self) {
        if let Some(log) = &self.log {
            log.0.send_modify(|running| running.retain(|of| of.id != self.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures::FutureExt;

    use super::*;

    const TASK: &str = "a-task";

    /// A started task with its counter, in `log`.
    async fn counter_in(log: &RoundLog) -> RoundCounter {
        LOG.scope(log.clone(), async { RoundCounter::start(TASK) }).await
    }

    async fn round(counter: &RoundCounter) {
        counter.count(async {}).await;
    }

    #[tokio::test]
    async fn running_round_does_not_count() {
        let log = RoundLog::default();
        let counter = counter_in(&log).await;
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let mut running = Box::pin(counter.count(ended));
        assert!(running.as_mut().now_or_never().is_none());
        let mut one = Box::pin(log.after(TASK, 1));
        end.send(()).unwrap();
        running.await.unwrap();
        assert!(one.as_mut().now_or_never().is_none());
        round(&counter).await;
        assert!(one.as_mut().now_or_never().is_some());
    }

    #[tokio::test]
    async fn every_replica_must_end_its_rounds() {
        let log = RoundLog::default();
        let (first, second) = (counter_in(&log).await, counter_in(&log).await);
        let mut two = Box::pin(log.after(TASK, 2));
        for _ in 0..3 {
            round(&first).await;
        }
        round(&second).await;
        assert!(two.as_mut().now_or_never().is_none());
        round(&second).await;
        assert!(two.as_mut().now_or_never().is_some());
    }

    #[tokio::test]
    async fn task_is_idle_between_two_rounds() {
        let log = RoundLog::default();
        let counter = counter_in(&log).await;
        assert!(log.idle(TASK).now_or_never().is_none(), "it has had no round");
        round(&counter).await;
        assert!(log.idle(TASK).now_or_never().is_some());
        let mut running = Box::pin(counter.count(std::future::pending::<()>()));
        assert!(running.as_mut().now_or_never().is_none());
        assert!(log.idle(TASK).now_or_never().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn missing_and_ended_tasks_have_no_rounds() {
        let log = RoundLog::default();
        drop(counter_in(&log).await);
        assert_eq!(log.names(), Vec::<String>::new());
        let waiting = tokio::time::timeout(Duration::from_secs(1), log.after(TASK, 1));
        assert!(waiting.await.is_err());
    }
}
