//! Processes due rows until shutdown. Rounds never overlap, and shutdown waits for the current batch.

use std::fmt::Display;
use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, stream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::periodic;

/// A worker of one queue. Replicas share the queue by their leases.
#[async_trait]
pub trait Reconciler: Send + Sync {
    type Item: Send;
    type Error: Display + Send;

    /// Of the task, and in logs.
    const NAME: &'static str;
    const BATCH: i64 = 20;
    const CONCURRENCY: usize = 4;
    /// An item that takes longer is dropped, as by a crash, and is due again when its lease ends.
    const TIMEOUT: Duration = Duration::from_mins(2);

    /// Leases at most `limit` due items.
    async fn lease(&self, limit: i64) -> Result<Vec<Self::Item>, Self::Error>;

    /// The id of an item in logs.
    fn id(item: &Self::Item) -> String;

    /// Processes a leased item and schedules its next run or ends it. After an error the item is due when its lease ends, unless
    /// this function has scheduled it otherwise.
    async fn process(&self, item: Self::Item) -> Result<(), Self::Error>;
}

/// Starts a round every `period`, in real time: due times are compared with the reconciler's own clock.
pub async fn reconcile<R: Reconciler>(reconciler: R, period: Duration, shutdown: CancellationToken) {
    periodic::every(period, R::NAME, &shutdown, || async {
        // A full batch: more may be due.
        while round(&reconciler).await? && !shutdown.is_cancelled() {}
        Ok::<(), R::Error>(())
    })
    .await;
}

/// Processes one batch; true if it was full.
async fn round<R: Reconciler>(reconciler: &R) -> Result<bool, R::Error> {
    let due = reconciler.lease(R::BATCH).await?;
    let is_full = i64::try_from(due.len()).is_ok_and(|leased| leased >= R::BATCH);
    stream::iter(due)
        .for_each_concurrent(R::CONCURRENCY, |item| async move {
            let id = R::id(&item);
            match timeout(R::TIMEOUT, reconciler.process(item)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(reconciler = R::NAME, id, %error, "item not processed; retried later");
                }
                Err(_) => tracing::warn!(
                    reconciler = R::NAME,
                    id,
                    "item timed out; retried when its lease ends"
                ),
            }
        })
        .await;
    Ok(is_full)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::time::{Instant, sleep};

    use super::*;

    /// Items are durations of their processing in seconds; zero fails. `log` has the seconds at which each ended.
    struct Sleeper {
        due: Mutex<Vec<u64>>,
        log: Mutex<Vec<(u64, u64)>>,
        started: Instant,
        shutdown: CancellationToken,
    }

    #[async_trait]
    impl Reconciler for &Sleeper {
        type Item = u64;
        type Error = &'static str;
        const NAME: &'static str = "sleep";
        const BATCH: i64 = 3;
        const CONCURRENCY: usize = 2;
        const TIMEOUT: Duration = Duration::from_secs(10);

        async fn lease(&self, limit: i64) -> Result<Vec<u64>, &'static str> {
            let mut due = self.due.lock().unwrap();
            let batch = due.len().min(usize::try_from(limit).unwrap());
            if batch == 0 {
                self.shutdown.cancel();
            }
            Ok(due.drain(..batch).collect())
        }

        fn id(item: &u64) -> String {
            item.to_string()
        }

        async fn process(&self, item: u64) -> Result<(), &'static str> {
            if item == 0 {
                return Err("on purpose");
            }
            sleep(Duration::from_secs(item)).await;
            self.log
                .lock()
                .unwrap()
                .push((item, self.started.elapsed().as_secs()));
            Ok(())
        }
    }

    async fn run(due: &[u64]) -> Vec<(u64, u64)> {
        let sleeper = Sleeper {
            due: Mutex::new(due.to_vec()),
            log: Mutex::default(),
            started: Instant::now(),
            shutdown: CancellationToken::new(),
        };
        reconcile(&sleeper, Duration::from_mins(1), sleeper.shutdown.clone()).await;
        sleeper.log.into_inner().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn items_run_concurrently_and_a_full_batch_is_followed_at_once() {
        // 3 begins when 1 ends; 4 is of the next batch, which begins when 3 ends.
        assert_eq!(run(&[1, 2, 3, 4]).await, [(1, 1), (2, 2), (3, 4), (4, 8)]);
    }

    #[tokio::test(start_paused = true)]
    async fn failed_and_overdue_items_do_not_stop_the_others() {
        assert_eq!(run(&[0, 99, 1]).await, [(1, 1)]);
    }
}
