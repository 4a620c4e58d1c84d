//! Calls between services: one client type, whether the callee is in this process or remote.
//!
//! Local and remote calls pass the same layers. The client stack writes deadline, trace and requester into headers; the server
//! stack checks the caller, reads them, sheds load and turns a panic into an error.

mod callers;
mod channel;
mod client_stack;
mod directory;
mod server_stack;

use tower::util::BoxCloneSyncService;

pub use callers::Caller;
pub(crate) use callers::{CallerRules, Exempt};
pub(crate) use channel::channel;
pub(crate) use directory::LocalServices;
pub use directory::ServiceDirectory;
pub(crate) use server_stack::ServerStack;

/// The transport of generated clients: `ContentServiceClient::new(context.directory.client("content"))`.
///
/// The error is a `Status` because tonic's boxed error cannot be used in a spawned task.
pub type Rpc =
    BoxCloneSyncService<http::Request<tonic::body::Body>, http::Response<tonic::body::Body>, tonic::Status>;
