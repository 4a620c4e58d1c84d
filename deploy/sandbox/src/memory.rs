//! A twin's books behind a lock, and who is told when they change.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

pub struct Memory<B> {
    books: Mutex<B>,
    /// Told after every change, for the courier.
    pub changed: Notify,
}

impl<B> Memory<B> {
    pub fn new(books: B) -> Self {
        Self {
            books: Mutex::new(books),
            changed: Notify::new(),
        }
    }

    pub fn books(&self) -> MutexGuard<'_, B> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
