//! The contracts between services, generated from the `.proto` files of this crate, and the list of services.
//!
//! Messages of `events` and `common` also have their proto3 JSON form (`serde`), the format on the stream.
#![allow(clippy::all, clippy::pedantic)]

/// Every file's descriptor, for gRPC reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The `Timestamp` of all messages: RFC 3339 in JSON.
pub use pbjson_types::Timestamp;

/// Any JSON object.
pub use pbjson_types::Struct;

#[warn(clippy::all, clippy::pedantic)]
pub mod asyncapi;

#[warn(clippy::all, clippy::pedantic)]
pub mod services;

pub mod common {
    pub mod v1 {
        tonic::include_proto!("stillpoint.common.v1");
        include!(concat!(env!("OUT_DIR"), "/stillpoint.common.v1.serde.rs"));
    }
}
pub mod events {
    /// A message of the stream whose subject is the same for all its events.
    pub trait Event: serde::Serialize {
        const SUBJECT: &'static str;
    }

    pub mod v1 {
        tonic::include_proto!("stillpoint.events.v1");
        include!(concat!(env!("OUT_DIR"), "/stillpoint.events.v1.serde.rs"));
        include!(concat!(env!("OUT_DIR"), "/stillpoint.events.v1.subjects.rs"));
    }
}
pub mod export {
    pub mod v1 {
        tonic::include_proto!("stillpoint.export.v1");
        include!(concat!(env!("OUT_DIR"), "/stillpoint.export.v1.serde.rs"));
    }
}
pub mod content {
    pub mod v1 {
        tonic::include_proto!("stillpoint.content.v1");
    }
}
pub mod auth {
    pub mod v1 {
        tonic::include_proto!("stillpoint.auth.v1");
    }
}
pub mod checkout {
    pub mod v1 {
        tonic::include_proto!("stillpoint.checkout.v1");
    }
}
pub mod sessions {
    pub mod v1 {
        tonic::include_proto!("stillpoint.sessions.v1");
    }
}
pub mod analytics {
    pub mod v1 {
        tonic::include_proto!("stillpoint.analytics.v1");
    }
}
