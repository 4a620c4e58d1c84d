//! Coalesces concurrent fetches of one object. A provider sends several webhooks for one event; a fetch that begins
//! after a webhook arrived serves that webhook too.
//!
//! The single flight of the gateway's pages is another mechanism: its callers join a running render and share its result. Here a
//! caller must not join a running fetch, which may have read an older state, and after a failed fetch the next caller fetches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// One provider event causes several webhooks, most of them while the buyer's request is being settled:
/// their object is fetched once.
const BATCH_WINDOW: Duration = Duration::from_millis(100);

#[derive(Debug, Default)]
pub struct SingleFlight {
    queues: Mutex<HashMap<String, Arc<Queue>>>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Ids of webhooks that wait for a successful fetch that begins after their arrival.
    waiting: Mutex<Vec<String>>,
    turn: tokio::sync::Mutex<()>,
}

impl SingleFlight {
    /// Fetches for all waiting callers, unless a fetch that begins after this call
    /// succeeds meanwhile. `fetch` receives the ids of all callers that it serves.
    pub async fn run<E>(
        &self,
        what: &str,
        id: &str,
        fetch: impl AsyncFnOnce(&[String]) -> Result<(), E>,
    ) -> Result<(), E> {
        let queue = self.queue(what);
        // A caller that is dropped removes its map entry as well.
        let _guard = CallerGuard { flights: self, what };
        lock(&queue.waiting).push(id.to_owned());
        let _turn = queue.turn.lock().await;
        if !lock(&queue.waiting).iter().any(|it| it == id) {
            return Ok(());
        }
        tokio::time::sleep(BATCH_WINDOW).await;
        let waiting = lock(&queue.waiting).clone();
        let outcome = fetch(&waiting).await;
        lock(&queue.waiting).retain(|it| it != id && (outcome.is_err() || !waiting.contains(it)));
        outcome
    }

    fn queue(&self, what: &str) -> Arc<Queue> {
        Arc::clone(lock(&self.queues).entry(what.to_owned()).or_default())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Dropped before the caller's own reference to the queue: two references mean that no other caller waits.
struct CallerGuard<'a> {
    flights: &'a SingleFlight,
    what: &'a str,
}

impl Drop for CallerGuard<'_> {
    fn drop(&mut self) {
        let mut queues = lock(&self.flights.queues);
        if queues
            .get(self.what)
            .is_some_and(|queue| Arc::strong_count(queue) <= 2)
        {
            queues.remove(self.what);
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

    #[tokio::test(start_paused = true)]
    async fn concurrent_callers_need_two_fetches() {
        let (flights, count) = (SingleFlight::default(), Cell::new(0));
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
    async fn caller_after_the_start_of_a_fetch_is_not_served_by_it() {
        let (flights, seen, truth) = (SingleFlight::default(), Cell::new(0), Cell::new(1));
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
    async fn waiting_caller_fetches_after_a_failed_fetch() {
        let (flights, count) = (SingleFlight::default(), Cell::new(0));
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
    async fn other_things_do_not_wait_and_nothing_stays_of_who_leaves_early() {
        let flights = SingleFlight::default();
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
