//! HTTP conventions of all endpoints: problem responses, request ids and traces, quality values, media types.

pub mod allowances;
pub mod cookie_header;
pub mod error;
pub mod locale;
pub mod media_type;
pub mod quality_values;
pub mod trace;
