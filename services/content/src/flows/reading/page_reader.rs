//! Batches reads of published pages. `kit::single_flight` is for one key and returns no rows.
//!
//! Requests that arrive during a read share the next one, which fetches a row for each. No request waits longer than for the
//! running read and its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kit::database::Pool;
use tokio::sync::oneshot;

use crate::domain::{Locale, UrlPath};
use crate::error::Error;
use crate::store::page::{self, StoredPage};

/// Statements under way. More of them would be smaller and no sooner back.
const AT_ONCE: u32 = 2;

type Answer = Result<Option<StoredPage>, Error>;

#[derive(Clone)]
pub struct PageReader {
    pool: Pool,
    queue: Arc<Mutex<Queue>>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Asked>,
    readings: u32,
}

struct Asked {
    page: (UrlPath, Locale),
    answer: oneshot::Sender<Answer>,
}

impl PageReader {
    /// With connections of its own, so that readers do not wait behind editors.
    pub fn new(pool: &Pool) -> Self {
        // How many pages are asked for differs each time, and Postgres would plan anew for each number.
        let options = (*pool.connect_options())
            .clone()
            .options([("plan_cache_mode", "force_generic_plan")]);
        let settings = pool.options().clone().max_connections(AT_ONCE);
        Self {
            pool: settings.connect_lazy_with(options),
            queue: Arc::default(),
        }
    }

    /// The page in its locale, else in the default one.
    pub async fn read(&self, url_path: UrlPath, locale: Locale) -> Answer {
        let (answer, answered) = oneshot::channel();
        let asked = Asked {
            page: (url_path, locale),
            answer,
        };
        if let Some(reading) = self.queue_up(asked) {
            // A separate task: cancelling the first caller must not cancel the others.
            drop(tokio::spawn(self.clone().read_all(reading)));
        }
        answered.await.unwrap_or(Err(Error::ReadingEnded))
    }

    fn queue_up(&self, asked: Asked) -> Option<Reading> {
        let mut queue = lock(&self.queue);
        queue.waiting.push(asked);
        (queue.readings < AT_ONCE).then(|| {
            queue.readings += 1;
            Reading {
                queue: Arc::clone(&self.queue),
                is_over: false,
            }
        })
    }

    async fn read_all(self, mut reading: Reading) {
        while let Some(asked) = reading.next() {
            let (pages, answers): (Vec<_>, Vec<_>) =
                asked.into_iter().map(|asked| (asked.page, asked.answer)).unzip();
            match self.find(&pages).await {
                Ok(found) => send(answers, found.into_iter().map(Ok)),
                Err(error) => send(
                    answers,
                    std::iter::repeat_with(|| Err(Error::Database(error.clone()))),
                ),
            }
        }
    }

    async fn find(&self, pages: &[(UrlPath, Locale)]) -> Result<Vec<Option<StoredPage>>, Arc<sqlx::Error>> {
        let mut connection = self.pool.acquire().await?;
        Ok(page::find_many(&mut connection, pages).await?)
    }
}

fn send(answers: Vec<oneshot::Sender<Answer>>, found: impl Iterator<Item = Answer>) {
    for (answer, found) in answers.into_iter().zip(found) {
        // Cancelled callers need no result.
        drop(answer.send(found));
    }
}

/// One of the few readings that may be under way.
struct Reading {
    queue: Arc<Mutex<Queue>>,
    is_over: bool,
}

impl Reading {
    /// Requests that arrived meanwhile. If there are none, the reader stops atomically; the next request starts another.
    fn next(&mut self) -> Option<Vec<Asked>> {
        let mut queue = lock(&self.queue);
        let waiting = std::mem::take(&mut queue.waiting);
        if waiting.is_empty() {
            queue.readings -= 1;
            self.is_over = true;
            return None;
        }
        Some(waiting)
    }
}

impl Drop for Reading {
    /// A panic must not block a reading slot for good.
    fn drop(&mut self) {
        if !self.is_over {
            lock(&self.queue).readings -= 1;
        }
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
