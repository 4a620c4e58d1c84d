//! Published pages, chrome and records.
mod get_chrome;
mod get_page;
pub mod get_record;
mod list_pages;
mod list_samples;
