//! Background work: timers, queues of due rows, their reconcilers, and the waits between attempts.

pub mod backoff;
pub mod due_queue;
pub mod periodic;
pub mod reconciler;
pub(crate) mod rounds;
