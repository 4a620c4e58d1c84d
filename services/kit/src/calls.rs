//! Calls of other services, of remote HTTP APIs and of Redis: transport, deadline, requester, retries, circuit breaker, cache,
//! idempotency keys, coalescing of concurrent calls, mutual TLS.

pub mod breaker;
pub mod cache;
pub mod deadline;
pub mod http;
pub mod idempotency;
pub mod requester;
pub mod retry;
pub mod rpc;
pub mod single_flight;
pub mod tls;
