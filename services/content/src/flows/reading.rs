//! What readers request.
pub mod page_reader;
pub mod read;
pub mod read_published;
pub mod read_validation;
