//! One look at a time at each thing that is asked about. A provider tells of one event in many notifications at once; each is a
//! reason to ask, but an answer that was asked for after a notification came serves that one too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// One event of a provider's makes several notifications, and most come while the buyer's own request is still being settled:
/// what they all tell is asked for once.
const GATHER: Duration = Duration::from_millis(100);

#[derive(Debug, Default)]
pub struct OneLook {
    queues: Mutex<HashMap<String, Arc<Queue>>>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Each notification's id, until a look that began after it came has come to a good end.
    waiting: Mutex<Vec<String>>,
    turn: tokio::sync::Mutex<()>,
}

impl OneLook {
    /// Looks on behalf of all who wait, unless somebody does so meanwhile who began after this was called and came to a good
    /// end. `look` is given the ids of all whom it serves.
    pub async fn at<E>(
        &self,
        what: &str,
        id: &str,
        look: impl AsyncFnOnce(&[String]) -> Result<(), E>,
    ) -> Result<(), E> {
        let queue = self.queue(what);
        // Of whoever is dropped half-way the place in the map is taken away all the same.
        let _leaving = Leaving { looks: self, what };
        lock(&queue.waiting).push(id.to_owned());
        let _turn = queue.turn.lock().await;
        if !lock(&queue.waiting).iter().any(|it| it == id) {
            return Ok(());
        }
        tokio::time::sleep(GATHER).await;
        let waiting = lock(&queue.waiting).clone();
        let outcome = look(&waiting).await;
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

/// Dropped before the caller's own hold on the queue: with that and the map's, two are left when nobody else is there.
struct Leaving<'a> {
    looks: &'a OneLook,
    what: &'a str,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let mut queues = lock(&self.looks.queues);
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
    async fn many_who_come_at_once_need_two_looks() {
        let (looks, count) = (OneLook::default(), Cell::new(0));
        let look = async |_: &[String]| {
            count.set(count.get() + 1);
            sleep(Duration::from_millis(10)).await;
            Ok::<(), Infallible>(())
        };
        let first = looks.at("sub_1", "evt_first", look);
        let others = async {
            sleep(GATHER + Duration::from_millis(1)).await;
            let ids: Vec<String> = (0..20).map(|n| format!("evt_{n}")).collect();
            join_all(ids.iter().map(|id| looks.at("sub_1", id, look))).await
        };
        let (first, others) = tokio::join!(first, others);
        assert!(first.is_ok() && others.iter().all(Result::is_ok));
        assert_eq!(count.get(), 2);
        assert!(looks.queues.lock().unwrap().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_after_a_look_began_is_not_served_by_it() {
        let (looks, seen, truth) = (OneLook::default(), Cell::new(0), Cell::new(1));
        let look = async |_: &[String]| {
            let asked = truth.get();
            sleep(Duration::from_millis(10)).await;
            seen.set(asked);
            Ok::<(), Infallible>(())
        };
        let later = async {
            sleep(GATHER + Duration::from_millis(5)).await;
            truth.set(2);
            looks.at("sub_1", "evt_2", look).await
        };
        let (first, later) = tokio::join!(looks.at("sub_1", "evt_1", look), later);
        assert!(first.is_ok() && later.is_ok());
        assert_eq!(seen.get(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waited_for_a_look_that_failed_looks_himself() {
        let (looks, count) = (OneLook::default(), Cell::new(0));
        let look = async |_: &[String]| {
            sleep(Duration::from_millis(10)).await;
            count.set(count.get() + 1);
            if count.get() == 1 {
                Err("no answer")
            } else {
                Ok(())
            }
        };
        let ids = ["evt_1", "evt_2", "evt_3"];
        let answers = join_all(ids.map(|id| looks.at("sub_1", id, look))).await;
        assert_eq!(answers, [Err("no answer"), Ok(()), Ok(())]);
        assert_eq!(count.get(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn other_things_do_not_wait_and_nothing_stays_of_who_leaves_early() {
        let looks = OneLook::default();
        let endless = looks.at("sub_1", "evt_1", async |_| {
            std::future::pending::<()>().await;
            Ok::<(), Infallible>(())
        });
        let given_up = tokio::time::timeout(Duration::from_millis(10), endless);
        let other = looks.at("sub_2", "evt_2", async |_| Ok::<(), Infallible>(()));
        let (given_up, other) = tokio::join!(given_up, other);
        assert!(given_up.is_err() && other.is_ok());
        assert!(looks.queues.lock().unwrap().is_empty());
    }
}
