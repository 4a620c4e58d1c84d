//! Texts of requests.

use crate::error::{Error, Result};

/// Of every short field, in bytes.
pub const TEXT_LENGTH_MAX: usize = 255;

pub fn short(field: &'static str, text: String) -> Result<String> {
    if text.len() > TEXT_LENGTH_MAX {
        Err(Error::Invalid {
            field,
            why: "is longer than 255",
        })
    } else {
        Ok(text)
    }
}
