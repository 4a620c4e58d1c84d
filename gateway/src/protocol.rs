//! HTTP conventions of all endpoints: problem responses, request ids and traces, quality values.

pub mod allowances;
pub mod error;
pub mod locale;
pub mod quality_values;
pub mod trace;
