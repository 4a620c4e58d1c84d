//! Who may do what inside: in the database, on the stream, and at other services. The attacks of a process inside of the network, and
//! of a service that was taken over.

mod calls;
mod certificates;
mod configuration;
mod schemas;
mod secrets;
mod sentinels;
mod stream;
