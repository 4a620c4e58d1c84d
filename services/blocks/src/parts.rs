//! Parts that blocks share.
pub mod button;
pub mod image;
pub mod link;
pub mod whole;
