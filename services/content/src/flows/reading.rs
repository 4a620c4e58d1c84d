//! What readers request.
pub mod get_chrome;
pub mod get_page;
pub mod get_record;
pub mod list_pages;
pub mod list_samples;
pub mod page_reader;
pub mod read_published;
pub mod read_validation;
