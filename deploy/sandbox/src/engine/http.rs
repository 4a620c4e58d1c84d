//! HTTP: the accept loop, the path of an API call, idempotency keys, static files, errors of the control API.

pub mod assets;
pub mod call;
pub mod idempotency;
pub mod problem;
pub mod server;
