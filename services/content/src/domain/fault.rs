//! One validation error of a draft.

use kit::error::ErrorCode;
use std::fmt;

use blocks::BlockFault;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as `sections[2].plans[0].title`; empty when it is the whole.
    pub field: String,
    /// Stable.
    pub code: &'static str,
    pub message: String,
}

impl Fault {
    pub fn new(field: impl Into<String>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            code: code.as_str_name(),
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
            code: fault.code.as_str(),
            message: format!("{} ({})", fault.message, fault.component),
        }
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
