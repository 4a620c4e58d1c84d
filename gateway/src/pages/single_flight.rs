//! At most one render per path: concurrent requests share its result.
//!
//! Unlike `kit::single_flight`, a caller joins a running render, unless a dependency was published since.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};

use crate::cache::entry::Entry;
use crate::cache::tags::{CreatedAt, TagVersions};
use crate::pages::render::RenderError;

pub type SharedResult = Shared<BoxFuture<'static, Result<Arc<Entry>, RenderError>>>;

#[derive(Clone, Default)]
pub struct SingleFlight {
    in_flight: Arc<Mutex<HashMap<Box<str>, InFlight>>>,
}

struct InFlight {
    created_at: CreatedAt,
    result: SharedResult,
}

impl SingleFlight {
    /// Returns the running render of this path, or starts one if a dependency was published since it began.
    pub fn run<F>(
        &self,
        path: &str,
        newest: &TagVersions,
        start: impl FnOnce() -> (CreatedAt, F),
    ) -> SharedResult
    where
        F: Future<Output = Result<Arc<Entry>, RenderError>> + Send + 'static,
    {
        let mut in_flight = self.in_flight.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = in_flight
            .get(path)
            .filter(|flight| !newest.are_newer_than(flight.created_at))
        {
            return flight.result.clone();
        }
        let (created_at, render) = start();
        let guard = RemoveOnDrop {
            single_flight: self.clone(),
            path: path.into(),
            created_at,
        };
        // A task of its own: a client that disconnects does not cancel the render for others.
        let task = tokio::spawn(async move {
            let _guard = guard;
            render.await
        });
        let result = task
            .map(|end| end.unwrap_or(Err(RenderError::Crashed)))
            .boxed()
            .shared();
        in_flight.insert(
            path.into(),
            InFlight {
                created_at,
                result: result.clone(),
            },
        );
        result
    }

    fn remove(&self, path: &str, created_at: CreatedAt) {
        let mut in_flight = self.in_flight.lock().unwrap_or_else(PoisonError::into_inner);
        if in_flight
            .get(path)
            .is_some_and(|flight| flight.created_at == created_at)
        {
            in_flight.remove(path);
        }
    }
}

/// Removes the render from the table when it ends, also by a panic.
struct RemoveOnDrop {
    single_flight: SingleFlight,
    path: Box<str>,
    created_at: CreatedAt,
}

impl Drop for RemoveOnDrop {
    fn drop(&mut self) {
        self.single_flight.remove(&self.path, self.created_at);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::cache::tags::{CacheTag, CacheTags};

    async fn failing(starts: Arc<AtomicUsize>) -> Result<Arc<Entry>, RenderError> {
        starts.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Err(RenderError::Busy)
    }

    #[tokio::test]
    async fn concurrent_requests_share_one_render() {
        let (single_flight, tags, starts) = (
            SingleFlight::default(),
            CacheTags::default(),
            Arc::new(AtomicUsize::new(0)),
        );
        let versions = tags.versions([CacheTag::page("/a")]);
        let run = || single_flight.run("/en/a/", &versions, || (tags.now(), failing(starts.clone())));
        futures::future::join_all((0..50).map(|_| run())).await;
        assert_eq!(starts.load(Ordering::SeqCst), 1);
        assert!(single_flight.in_flight.lock().unwrap().is_empty());
        let _ = run().await;
        assert_eq!(starts.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn render_begun_before_a_publication_is_not_shared() {
        let (single_flight, tags, starts) = (
            SingleFlight::default(),
            CacheTags::default(),
            Arc::new(AtomicUsize::new(0)),
        );
        let versions = tags.versions([CacheTag::page("/a")]);
        let run = || single_flight.run("/en/a/", &versions, || (tags.now(), failing(starts.clone())));
        let first = run();
        tags.purge(CacheTag::page("/a"));
        let second = run();
        let _ = futures::join!(first, second);
        assert_eq!(starts.load(Ordering::SeqCst), 2);
        assert!(single_flight.in_flight.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn panic_frees_the_path() {
        let (single_flight, tags) = (SingleFlight::default(), CacheTags::default());
        let crash = || (tags.now(), async { panic!("as a test of what follows") });
        let end = single_flight.run("/en/a/", &TagVersions::default(), crash).await;
        assert!(matches!(end, Err(RenderError::Crashed)));
        assert!(single_flight.in_flight.lock().unwrap().is_empty());
    }
}
