//! Cached metric handles: the recorder builds and hashes a key on every lookup.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// Handles by name, such as an RPC method. Never evicted, so names must be of a small closed set.
pub struct Handles<T>(RwLock<HashMap<String, Arc<T>>>);

impl<T> Handles<T> {
    /// The handle of this name, created by `make`. Concurrent first calls may create it twice, which is harmless.
    pub fn of(&self, name: &str, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(handle) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Arc::clone(handle);
        }
        let handle = Arc::new(make());
        let mut handles = self.0.write().unwrap_or_else(PoisonError::into_inner);
        handles.insert(name.to_owned(), Arc::clone(&handle));
        handle
    }
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<T> fmt::Debug for Handles<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handles").finish_non_exhaustive()
    }
}
