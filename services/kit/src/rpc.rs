//! How services ask each other: one client type whether the other lives in this process or behind a network.
//!
//! Both ways pass the same layers, because the transport enforces nothing between two services of one process:
//! outwards the deadline, the trace and the requester are written into the headers, inwards they are read, load is shed and a panic
//! becomes an error.

mod client_stack;
mod directory;
mod server_stack;
pub(crate) mod services;

use tower::util::BoxCloneSyncService;

pub(crate) use directory::LocalServices;
pub use directory::ServiceDirectory;
pub(crate) use server_stack::ServerStack;

/// What every generated client is made over: `ContentServiceClient::new(context.directory.client("content"))`.
///
/// The error is a `Status` because tonic's boxed error cannot be used in a spawned task.
pub type Rpc =
    BoxCloneSyncService<http::Request<tonic::body::Body>, http::Response<tonic::body::Body>, tonic::Status>;
