//! One look at a time at each thing that is asked about. A provider tells of one event in many notifications at once; each is a
//! reason to ask, but an answer that was asked for after a notification came serves that one too.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug, Default)]
pub struct OneLook {
    queues: Mutex<HashMap<String, Arc<Queue>>>,
}

#[derive(Debug, Default)]
struct Queue {
    arrived: AtomicU64,
    /// The last who had arrived when the latest successful look began.
    served: tokio::sync::Mutex<u64>,
}

impl OneLook {
    /// Looks, unless somebody does so meanwhile who began after this was called and came to a good end.
    pub async fn at<E>(&self, what: &str, look: impl AsyncFnOnce() -> Result<(), E>) -> Result<(), E> {
        let queue = self.queue(what);
        // Of whoever is dropped half-way the place in the map is taken away all the same.
        let _leaving = Leaving { looks: self, what };
        let own = queue.arrived.fetch_add(1, Ordering::SeqCst) + 1;
        let mut served = queue.served.lock().await;
        if *served >= own {
            return Ok(());
        }
        let upto = queue.arrived.load(Ordering::SeqCst);
        look().await?;
        *served = upto;
        Ok(())
    }

    fn queue(&self, what: &str) -> Arc<Queue> {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(queues.entry(what.to_owned()).or_default())
    }
}

/// Dropped before the caller's own hold on the queue: with that and the map's, two are left when nobody else is there.
struct Leaving<'a> {
    looks: &'a OneLook,
    what: &'a str,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let mut queues = self.looks.queues.lock().unwrap_or_else(PoisonError::into_inner);
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
    use tokio::time::{Duration, sleep};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn many_who_come_at_once_need_two_looks() {
        let (looks, count) = (OneLook::default(), Cell::new(0));
        let look = async || {
            count.set(count.get() + 1);
            sleep(Duration::from_millis(10)).await;
            Ok::<(), Infallible>(())
        };
        let first = looks.at("sub_1", look);
        let others = async {
            sleep(Duration::from_millis(1)).await;
            join_all((0..20).map(|_| looks.at("sub_1", look))).await
        };
        let (first, others) = tokio::join!(first, others);
        assert!(first.is_ok() && others.iter().all(Result::is_ok));
        assert_eq!(count.get(), 2);
        assert!(looks.queues.lock().unwrap().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_after_a_look_began_is_not_served_by_it() {
        let (looks, seen, truth) = (OneLook::default(), Cell::new(0), Cell::new(1));
        let look = async || {
            let asked = truth.get();
            sleep(Duration::from_millis(10)).await;
            seen.set(asked);
            Ok::<(), Infallible>(())
        };
        let later = async {
            sleep(Duration::from_millis(5)).await;
            truth.set(2);
            looks.at("sub_1", look).await
        };
        let (first, later) = tokio::join!(looks.at("sub_1", look), later);
        assert!(first.is_ok() && later.is_ok());
        assert_eq!(seen.get(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waited_for_a_look_that_failed_looks_himself() {
        let (looks, count) = (OneLook::default(), Cell::new(0));
        let look = async || {
            sleep(Duration::from_millis(10)).await;
            count.set(count.get() + 1);
            if count.get() == 2 {
                Err("no answer")
            } else {
                Ok(())
            }
        };
        let answers = join_all((0..4).map(|_| looks.at("sub_1", look))).await;
        assert_eq!(answers, [Ok(()), Err("no answer"), Ok(()), Ok(())]);
        assert_eq!(count.get(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn other_things_do_not_wait_and_nothing_stays_of_who_leaves_early() {
        let looks = OneLook::default();
        let endless = looks.at("sub_1", async || {
            std::future::pending::<()>().await;
            Ok::<(), Infallible>(())
        });
        let given_up = tokio::time::timeout(Duration::from_millis(10), endless);
        let other = looks.at("sub_2", async || Ok::<(), Infallible>(()));
        let (given_up, other) = tokio::join!(given_up, other);
        assert!(given_up.is_err() && other.is_ok());
        assert!(looks.queues.lock().unwrap().is_empty());
    }
}
