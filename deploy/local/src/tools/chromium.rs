//! The browser of the journeys: `CHROMIUM_BIN`, the machine's own, or Debian's package.
//!
//! Only `chromium-headless-shell` is used: the browser with windows renders pages a little differently, and pictures are compared.

use std::path::PathBuf;

use super::{
    debian::{self, DebianProgram},
    from_variable,
};
use crate::{context::Context, failure::Failure};

const CHROMIUM: DebianProgram = DebianProgram {
    names: &["chromium-headless-shell"],
    package: "chromium-headless-shell",
};

pub fn ensure(context: &Context) -> Result<PathBuf, Failure> {
    from_variable(context, "CHROMIUM_BIN")?.map_or_else(|| debian::ensure(context, &CHROMIUM), Ok)
}
