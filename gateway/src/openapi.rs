//! The description of the REST API: shared parameters, what the middleware adds to every operation, and the page for readers.
pub mod completion;
mod docs_page;
pub mod documents;
pub mod parameters;
