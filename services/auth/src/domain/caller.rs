//! Who is at the other end of a call, as far as that matters for sessions and limits.
use crate::domain::device::Device;

#[derive(Clone, Debug, Default)]
pub struct Caller {
    pub device: Device,
    /// Address or network, only ever hashed; empty where nobody knows.
    pub address: String,
    /// What the browser was given at an earlier sign-in, if anything.
    pub device_cookie: String,
    /// The session token in the browser's cookie, if any: it ends when another session is opened.
    pub session: String,
}
