//! Stored responses: entries with all encodings, the tags that invalidate them, and how long each may be stored.
pub mod cache_policy;
pub mod compress;
pub mod entry;
pub mod purge;
mod range;
pub mod response_cache;
pub mod tags;
