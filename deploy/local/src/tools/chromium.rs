//! A real browser for the journeys: `CHROMIUM_BIN`, the machine's own, or Debian's package when we may install it.

use std::path::PathBuf;

use super::{
    debian::{self, Packaged},
    named,
};
use crate::{context::Context, failure::Failure};

const CHROMIUM: Packaged = Packaged {
    names: &["chromium", "google-chrome-stable", "google-chrome"],
    package: "chromium",
};

pub fn ensure(context: &Context) -> Result<PathBuf, Failure> {
    named(context, "CHROMIUM_BIN")?.map_or_else(|| debian::ensure(context, &CHROMIUM), Ok)
}
