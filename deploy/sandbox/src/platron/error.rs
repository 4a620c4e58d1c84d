//! Platron's errors: status 200, XML without a signature.

use super::{signature::Fields, xml};
use crate::engine::http::call::Reply;

pub type ApiResult = Result<Fields, Failure>;

pub const CANCELLED: u32 = 400;
pub const EXPIRED: u32 = 360;

#[derive(Clone, Debug)]
pub struct Failure {
    code: u32,
    description: String,
}

impl Failure {
    fn new(code: u32, description: impl Into<String>) -> Self {
        Self {
            code,
            description: description.into(),
        }
    }

    pub fn signature() -> Self {
        Self::new(100, "Incorrect signature")
    }

    pub fn merchant() -> Self {
        Self::new(101, "Incorrect merchant")
    }

    pub fn parameter(name: &str) -> Self {
        Self::new(200, format!("Missing or incorrect parameter {name}"))
    }

    pub fn no_transaction() -> Self {
        Self::new(340, "Transaction is not found")
    }

    pub fn profile_expired() -> Self {
        Self::new(365, "The recurring profile has expired")
    }

    pub fn cannot_cancel() -> Self {
        Self::new(490, "The payment cannot be cancelled")
    }

    pub fn no_script() -> Self {
        Self::new(600, "There is no such script")
    }

    pub fn internal() -> Self {
        Self::new(1000, "Internal error of the service, it may not occur again")
    }

    pub fn reply(&self) -> Reply {
        let fields: Fields = vec![
            ("pg_status".into(), "error".into()),
            ("pg_error_code".into(), self.code.to_string()),
            ("pg_error_description".into(), self.description.clone()),
        ];
        Reply::text(200, "text/xml; charset=utf-8", xml::write("response", &fields))
    }
}

/// Why a payment failed.
pub const fn reason(code: u32) -> &'static str {
    match code {
        EXPIRED => "The payment has expired",
        CANCELLED => "The payment was cancelled by the buyer or the payment system",
        420 => "The payment was cancelled because a limit is exceeded",
        465 => "The payment system could not be reached",
        470 => "An error of the payment system",
        700 => "An error in what the buyer entered",
        _ => "The payment failed",
    }
}
