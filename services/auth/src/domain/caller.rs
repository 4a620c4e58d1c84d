//! The client of a request, as sessions and limits need it.
use crate::domain::device::Device;

#[derive(Clone, Debug, Default)]
pub struct Caller {
    pub device: Device,
    /// Address or network, hashed before storage; empty if unknown.
    pub address: String,
    /// What the browser was given at an earlier sign-in, if anything.
    pub device_cookie: String,
    /// The session token in the browser's cookie, if any: it ends when another session is opened.
    pub session: String,
}
