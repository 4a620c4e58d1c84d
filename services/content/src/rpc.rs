//! gRPC in, flows out.

mod drafts;
mod editing;
mod pages;
mod reading;
mod seo;

use kit::error::ErrorCode;
use std::sync::Arc;

use kit::idempotency::{self, Key};
use prost::Message;
use proto::content::v1::content_service_server::ContentServiceServer;
use proto::content::v1::editing_service_server::EditingServiceServer;

use crate::domain::{PageToken, ValidationError};
use crate::error::Error;
use crate::flows::Flows;

const USUAL_LIST: i32 = 100;
const LONGEST_LIST: i32 = 1000;
const LONGEST_KEY: usize = 255;

pub fn reading(flows: Arc<Flows>) -> ContentServiceServer<reading::Content> {
    ContentServiceServer::new(reading::Content::new(flows))
}

pub fn editing(flows: Arc<Flows>) -> EditingServiceServer<editing::Editing> {
    EditingServiceServer::new(editing::Editing::new(flows))
}

/// Editors share one idempotency scope.
fn key(verb: &str, key: &str, request: &impl Message) -> Result<Option<Key>, Error> {
    if key.is_empty() {
        return Ok(None);
    }
    if key.len() > LONGEST_KEY {
        let message = format!("must be at most {LONGEST_KEY} bytes");
        return Err(Error::Invalid(vec![ValidationError::new(
            "idempotencyKey",
            ErrorCode::TooLong,
            message,
        )]));
    }
    Ok(Some(Key {
        scope: format!("editor/{verb}"),
        key: key.to_owned(),
        fingerprint: idempotency::fingerprint(request),
    }))
}

/// 0 means the usual length.
fn page_size(size: i32, errors: &mut Vec<ValidationError>) -> i32 {
    match size {
        0 => USUAL_LIST,
        size if (1..=LONGEST_LIST).contains(&size) => size,
        _ => {
            errors.push(ValidationError::not_allowed(
                "pageSize",
                format!("must be from 1 to {LONGEST_LIST}"),
            ));
            USUAL_LIST
        }
    }
}

fn optional_locale(code: &str, errors: &mut Vec<ValidationError>) -> Option<blocks::Locale> {
    if code.is_empty() {
        return None;
    }
    let parsed = code.parse();
    parsed
        .map_err(|error: blocks::UnknownLocale| {
            errors.push(ValidationError::not_allowed("locale", error.to_string()));
        })
        .ok()
}

fn page_token(token: &str, errors: &mut Vec<ValidationError>) -> PageToken {
    token
        .parse()
        .map_err(|error: crate::domain::NotAToken| {
            errors.push(ValidationError::not_allowed("pageToken", error.to_string()));
        })
        .unwrap_or_default()
}

fn unless(errors: Vec<ValidationError>) -> Result<(), Error> {
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Error::Invalid(errors))
    }
}
