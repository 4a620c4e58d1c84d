//! What a service may do inside: in the database, on the stream, and at other services.
mod schemas;
mod secrets;
