//! What is wrong with a block, in words an editor can act on.

/// One thing wrong in one block or record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{component}{}{field}: {message}", if field.is_empty() { "" } else { "." })]
pub struct BlockError {
    /// The `componentName` of the block.
    pub component: String,
    /// Where in the block, as `plans[1].price.campaignName`; empty when the whole block is invalid.
    pub field: String,
    pub code: BlockErrorCode,
    pub message: String,
}

/// The class of an error. Content assigns each its public error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockErrorCode {
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
