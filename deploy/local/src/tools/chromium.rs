//! A real browser for the journeys: `CHROMIUM_BIN`, the machine's own, or Debian's package when we may install it.
//!
//! It is Chromium without the windows, menus and extensions that it would otherwise draw for every test. Only this one is looked
//! for: pictures of pages are compared, and the browser with windows draws them a little differently.

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
