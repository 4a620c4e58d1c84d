//! Metrics that are looked up once: the recorder builds, copies and hashes a key of names each time it is asked for one.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// What is measured of things with a name, such as the methods of a service. For names of a small, closed set: none is forgotten.
pub struct Handles<T>(RwLock<HashMap<String, Arc<T>>>);

impl<T> Handles<T> {
    /// What `make` made for this name, once. Two who are the first at once may each make it: metrics of one name are the same.
    pub fn of(&self, name: &str, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Arc::clone(known);
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
