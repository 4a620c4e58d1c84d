//! One sitemap file per locale covers one part of the list of pages.
use std::collections::BTreeMap;

use blocks::Locale;
use chrono::{DateTime, Utc};

/// A stretch of the list of pages.
#[derive(Debug, Default)]
pub struct Part {
    /// Where the list goes on.
    pub token: String,
    /// The path before, whose other translations may still come.
    pub after_path: String,
    /// The newest page of each locale.
    pub newest: BTreeMap<Locale, Option<DateTime<Utc>>>,
}
