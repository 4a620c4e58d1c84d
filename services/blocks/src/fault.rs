//! What is wrong with a block, in words an editor can act on.

use std::fmt;

use serde::Serialize;

/// One thing wrong in one block or record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{component}{}{field}: {message}", if field.is_empty() { "" } else { "." })]
pub struct BlockFault {
    /// The `componentName` of the block.
    pub component: String,
    /// Where in the block, as `plans[1].price.campaignName`; empty when the block as a whole is at fault.
    pub field: String,
    pub code: FaultCode,
    pub message: String,
}

/// Stable codes: an editor's tool may switch on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FaultCode {
    /// No block type has this `componentName`.
    UnknownComponent,
    /// Not JSON, or a value of the wrong type.
    Malformed,
    /// The block type has no such field.
    UnknownField,
    /// A text or list that must not be empty is.
    Required,
    /// The value has the right type, but is not one the field takes.
    NotAllowed,
    /// Two items of a list have the same id.
    Duplicate,
    TooLong,
}

impl FaultCode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownComponent => "UNKNOWN_COMPONENT",
            Self::Malformed => "MALFORMED",
            Self::UnknownField => "UNKNOWN_FIELD",
            Self::Required => "REQUIRED",
            Self::NotAllowed => "NOT_ALLOWED",
            Self::Duplicate => "DUPLICATE",
            Self::TooLong => "TOO_LONG",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
