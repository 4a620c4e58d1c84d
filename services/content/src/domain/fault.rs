//! One validation error of a draft.

use std::fmt;

use blocks::{BlockFault, FaultCode};
use kit::error::ErrorCode;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as `sections[2].plans[0].title`; empty when it is the whole.
    pub field: String,
    pub code: ErrorCode,
    pub message: String,
}

impl Fault {
    pub fn new(field: impl Into<String>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            code,
            message: message.into(),
        }
    }

    pub fn required(field: impl Into<String>) -> Self {
        Self::new(field, ErrorCode::Required, "must not be empty")
    }

    pub fn not_allowed(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(field, ErrorCode::NotAllowed, message)
    }

    /// A block's faults, seen from the page: `place` is where the block stands.
    pub fn all_in_block(place: &str, faults: &[BlockFault]) -> Vec<Self> {
        faults.iter().map(|fault| Self::in_block(place, fault)).collect()
    }

    fn in_block(place: &str, fault: &BlockFault) -> Self {
        let field = if fault.field.is_empty() {
            place.to_owned()
        } else {
            format!("{place}.{}", fault.field)
        };
        Self {
            field,
            code: public_code(fault.code),
            message: format!("{} ({})", fault.message, fault.component),
        }
    }
}

const fn public_code(code: FaultCode) -> ErrorCode {
    match code {
        FaultCode::UnknownComponent => ErrorCode::UnknownComponent,
        FaultCode::Malformed => ErrorCode::Malformed,
        FaultCode::UnknownField => ErrorCode::UnknownField,
        FaultCode::Required => ErrorCode::Required,
        FaultCode::NotAllowed => ErrorCode::NotAllowed,
        FaultCode::Duplicate => ErrorCode::Duplicate,
        FaultCode::TooLong => ErrorCode::TooLong,
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.field, self.message)
        }
    }
}
