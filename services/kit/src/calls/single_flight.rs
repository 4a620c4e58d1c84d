//! Coalesces concurrent work on one key: callers that wait for the same key are served by one run that begins after all of them
//! arrived.
//!
//! A caller never joins a run that has begun, because it may have read an older state. A failed run serves only its own caller;
//! the next waiting one runs again. Results are not shared, so [`SingleFlight::run`] returns none.
//!
//! Two other mechanisms look alike and stay where they are, because only the map of keys would be common:
//!
//! - `gateway/src/pages/single_flight.rs` joins a running render and shares its result, unless a publication made it stale.
//! - `content/src/flows/reading/page_reader.rs` collects different keys into one statement and returns a row for each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Debug)]
pub struct SingleFlight {
    batch_window: Duration,
    queues: Mutex<HashMap<String, Arc<Queue>>>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Callers that wait for a successful run that begins after their arrival.
    waiting: Mutex<Vec<String>>,
    turn: tokio::sync::Mutex<()>,
}

impl SingleFlight {
    /// A run begins `batch_window` after its turn, so that more callers can arrive before it.
    pub fn new(batch_window: Duration) -> Self {
        Self {
            batch_window,
            queues: Mutex::default(),
        }
    }

    /// Runs `work` for all callers that wait for `key`, unless a run that begins after this call succeeds meanwhile. `work`
    /// receives the ids of the callers it serves; `caller` is unique among those of a key.
    pub async fn run<E>(
        &self,
        key: &str,
        caller: &str,
        work: impl AsyncFnOnce(&[String]) -> Result<(), E>,
    ) -> Result<(), E> {
        let queue = self.queue(key);
        // A caller that is dropped removes its map entry as well.
        let _guard = CallerGuard { flights: self, key };
        lock(&queue.waiting).push(caller.to_owned());
        let _turn = queue.turn.lock().await;
        if !lock(&queue.waiting).iter().any(|it| it == caller) {
            return Ok(());
        }
        tokio::time::sleep(self.batch_window).await;
        let waiting = lock(&queue.waiting).clone();
        let outcome = work(&waiting).await;
        lock(&queue.waiting).retain(|it| it != caller && (outcome.is_err() || !waiting.contains(it)));
        outcome
    }

    fn queue(&self, key: &str) -> Arc<Queue> {
        Arc::clone(lock(&self.queues).entry(key.to_owned()).or_default())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Dropped before the caller's own reference to the queue: two references mean that no other caller waits.
struct CallerGuard<'a> {
    flights: &'a SingleFlight,
    key: &'a str,
}

impl Drop for CallerGuard<'_> {
    fn drop(&mut self) {
        let mut queues = lock(&self.flights.queues);
        if queues
            .get(self.key)
            .is_some_and(|queue| Arc::strong_count(queue) <= 2)
        {
            queues.remove(self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use futures::future::join_all;
    use tokio::time::sleep;

    use super::*;

    const BATCH_WINDOW: Duration = Duration::from_millis(100);

    #[tokio::test(start_paused = true)]
    async fn concurrent_callers_need_two_runs() {
        let (flights, count) = (SingleFlight::new(BATCH_WINDOW), Cell::new(0));
        let fetch = async |_: &[String]| {
            count.set(count.get() + 1);
            sleep(Duration::from_millis(10)).await;
            Ok::<(), Infallible>(())
        };
        let first = flights.run("sub_1", "evt_first", fetch);
        let others = async {
            sleep(BATCH_WINDOW + Duration::from_millis(1)).await;
            let ids: Vec<String> = (0..20).map(|n| format!("evt_{n}")).collect();
            join_all(ids.iter().map(|id| flights.run("sub_1", id, fetch))).await
        };
        let (first, others) = tokio::join!(first, others);
        assert!(first.is_ok() && others.iter().all(Result::is_ok));
        assert_eq!(count.get(), 2);
        assert!(flights.queues.lock().unwrap().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn caller_after_the_start_of_a_run_is_not_served_by_it() {
        let (flights, seen, truth) = (SingleFlight::new(BATCH_WINDOW), Cell::new(0), Cell::new(1));
        let fetch = async |_: &[String]| {
            let asked = truth.get();
            sleep(Duration::from_millis(10)).await;
            seen.set(asked);
            Ok::<(), Infallible>(())
        };
        let later = async {
            sleep(BATCH_WINDOW + Duration::from_millis(5)).await;
            truth.set(2);
            flights.run("sub_1", "evt_2", fetch).await
        };
        let (first, later) = tokio::join!(flights.run("sub_1", "evt_1", fetch), later);
        assert!(first.is_ok() && later.is_ok());
        assert_eq!(seen.get(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_caller_runs_after_a_failed_run() {
        let (flights, count) = (SingleFlight::new(BATCH_WINDOW), Cell::new(0));
        let fetch = async |_: &[String]| {
            sleep(Duration::from_millis(10)).await;
            count.set(count.get() + 1);
            if count.get() == 1 {
                Err("no answer")
            } else {
                Ok(())
            }
        };
        let ids = ["evt_1", "evt_2", "evt_3"];
        let answers = join_all(ids.map(|id| flights.run("sub_1", id, fetch))).await;
        assert_eq!(answers, [Err("no answer"), Ok(()), Ok(())]);
        assert_eq!(count.get(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn other_keys_do_not_wait_and_a_dropped_caller_leaves_no_entry() {
        let flights = SingleFlight::new(BATCH_WINDOW);
        let endless = flights.run("sub_1", "evt_1", async |_| {
            std::future::pending::<()>().await;
            Ok::<(), Infallible>(())
        });
        let given_up = tokio::time::timeout(Duration::from_millis(10), endless);
        let other = flights.run("sub_2", "evt_2", async |_| Ok::<(), Infallible>(()));
        let (given_up, other) = tokio::join!(given_up, other);
        assert!(given_up.is_err() && other.is_ok());
        assert!(flights.queues.lock().unwrap().is_empty());
    }
}
