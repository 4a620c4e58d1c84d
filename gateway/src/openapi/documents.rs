//! The descriptions of the REST API and of the event stream, serialised once at start.
use bytes::Bytes;

use crate::openapi::docs_page;

pub struct Documents {
    pub openapi: Bytes,
    pub docs_page: Bytes,
    pub asyncapi: Bytes,
}

impl Documents {
    pub fn new(document: &serde_json::Value) -> anyhow::Result<Self> {
        Ok(Self {
            openapi: document.to_string().into(),
            docs_page: docs_page::page(document).into(),
            asyncapi: proto::asyncapi::document()?.to_string().into(),
        })
    }
}
