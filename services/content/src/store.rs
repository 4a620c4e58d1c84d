//! The SQL, one file per noun.

pub mod chrome;
pub mod content_key;
pub mod draft;
pub mod lock;
pub mod page;
pub mod page_locales;
pub mod pointer;
pub mod preview;
pub mod published;
pub mod record;
pub mod release;
pub mod schedule;
pub mod seed_import;
pub mod snapshot;
