//! One validation error of a draft.

use std::fmt;

use blocks::{BlockError, BlockErrorCode};
use kit::error::ErrorCode;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// Where, as `sections[2].plans[0].title`; empty when it is the whole.
    pub field: String,
    pub code: ErrorCode,
    pub message: String,
}

impl ValidationError {
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

    /// A block's errors, seen from the page: `place` is where the block stands.
    pub fn all_in_block(place: &str, errors: &[BlockError]) -> Vec<Self> {
        errors.iter().map(|error| Self::in_block(place, error)).collect()
    }

    fn in_block(place: &str, error: &BlockError) -> Self {
        let field = if error.field.is_empty() {
            place.to_owned()
        } else {
            format!("{place}.{}", error.field)
        };
        Self {
            field,
            code: public_code(error.code),
            message: format!("{} ({})", error.message, error.component),
        }
    }
}

const fn public_code(code: BlockErrorCode) -> ErrorCode {
    match code {
        BlockErrorCode::UnknownComponent => ErrorCode::UnknownComponent,
        BlockErrorCode::Malformed => ErrorCode::Malformed,
        BlockErrorCode::UnknownField => ErrorCode::UnknownField,
        BlockErrorCode::Required => ErrorCode::Required,
        BlockErrorCode::NotAllowed => ErrorCode::NotAllowed,
        BlockErrorCode::Duplicate => ErrorCode::Duplicate,
        BlockErrorCode::TooLong => ErrorCode::TooLong,
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.field, self.message)
        }
    }
}
