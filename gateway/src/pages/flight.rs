//! One flight per path: whoever asks for a page that is being made waits for that one.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};

use crate::pages::entry::Entry;
use crate::pages::key::{Born, Marks};
use crate::pages::render::RenderFault;

pub type Landing = Shared<BoxFuture<'static, Result<Arc<Entry>, RenderFault>>>;

#[derive(Clone, Default)]
pub struct Flights {
    aloft: Arc<Mutex<HashMap<Box<str>, Flight>>>,
}

struct Flight {
    born: Born,
    landing: Landing,
}

impl Flights {
    /// Joins the flight for this path, unless something the page shows was published after it departed.
    pub fn join<F>(&self, path: &str, newest: &Marks, depart: impl FnOnce() -> (Born, F)) -> Landing
    where
        F: Future<Output = Result<Arc<Entry>, RenderFault>> + Send + 'static,
    {
        let mut aloft = self.aloft.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = aloft
            .get(path)
            .filter(|flight| !newest.are_newer_than(flight.born))
        {
            return flight.landing.clone();
        }
        let (born, making) = depart();
        let seat = Seat {
            flights: self.clone(),
            path: path.into(),
            born,
        };
        // A task of its own: a visitor who leaves does not take the page away from the others.
        let task = tokio::spawn(async move {
            let _seat = seat;
            making.await
        });
        let landing = task
            .map(|end| end.unwrap_or(Err(RenderFault::Crashed)))
            .boxed()
            .shared();
        aloft.insert(
            path.into(),
            Flight {
                born,
                landing: landing.clone(),
            },
        );
        landing
    }

    fn landed(&self, path: &str, born: Born) {
        let mut aloft = self.aloft.lock().unwrap_or_else(PoisonError::into_inner);
        if aloft.get(path).is_some_and(|flight| flight.born == born) {
            aloft.remove(path);
        }
    }
}

/// Given up when the flight ends, in whatever way.
struct Seat {
    flights: Flights,
    path: Box<str>,
    born: Born,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.flights.landed(&self.path, self.born);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::pages::key::{Tag, Tags};

    async fn failing(departures: Arc<AtomicUsize>) -> Result<Arc<Entry>, RenderFault> {
        departures.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Err(RenderFault::Busy)
    }

    #[tokio::test]
    async fn many_who_ask_at_once_share_one_flight() {
        let (flights, tags, departures) =
            (Flights::default(), Tags::default(), Arc::new(AtomicUsize::new(0)));
        let marks = tags.marks([Tag::page("/a")]);
        let join = || flights.join("/en/a/", &marks, || (tags.now(), failing(departures.clone())));
        futures::future::join_all((0..50).map(|_| join())).await;
        assert_eq!(departures.load(Ordering::SeqCst), 1);
        assert!(flights.aloft.lock().unwrap().is_empty());
        let _ = join().await;
        assert_eq!(departures.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn nobody_boards_a_flight_that_left_before_the_page_was_published() {
        let (flights, tags, departures) =
            (Flights::default(), Tags::default(), Arc::new(AtomicUsize::new(0)));
        let marks = tags.marks([Tag::page("/a")]);
        let join = || flights.join("/en/a/", &marks, || (tags.now(), failing(departures.clone())));
        let first = join();
        tags.purge(Tag::page("/a"));
        let second = join();
        let _ = futures::join!(first, second);
        assert_eq!(departures.load(Ordering::SeqCst), 2);
        assert!(flights.aloft.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn crash_frees_the_path() {
        let (flights, tags) = (Flights::default(), Tags::default());
        let crash = || (tags.now(), async { panic!("as a test of what follows") });
        let end = flights.join("/en/a/", &Marks::default(), crash).await;
        assert!(matches!(end, Err(RenderFault::Crashed)));
        assert!(flights.aloft.lock().unwrap().is_empty());
    }
}
