//! The caller of a request.

use std::sync::Arc;

/// An extension of each incoming request: set by its connection, or by the directory in one process. A header cannot set it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Peer(Option<Arc<str>>);

impl Peer {
    /// Without a certificate.
    pub const UNKNOWN: Self = Self(None);

    pub fn named(name: impl Into<Arc<str>>) -> Self {
        Self(Some(name.into()))
    }

    pub fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }
}
