//! A real browser for the journeys: `CHROMIUM_BIN`, the machine's own, or Debian's package when we may install it.

use std::{path::PathBuf, process::Command};

use nix::unistd;

use super::{named, on_path};
use crate::{command, context::Context, failure::Failure};

const NAMES: [&str; 3] = ["chromium", "google-chrome-stable", "google-chrome"];

pub fn ensure(context: &Context) -> Result<PathBuf, Failure> {
    if let Some(program) = named(context, "CHROMIUM_BIN")?.or_else(|| installed(context)) {
        return Ok(program);
    }
    if !unistd::geteuid().is_root() || on_path(context, "apt-get").is_none() {
        return Err(Failure::new(
            "Chromium is missing: install it (sudo apt-get install chromium) or set CHROMIUM_BIN, then run this again.",
        ));
    }
    // A machine without package lists answers "no candidate"; one that has them needs no second download.
    if install(context).is_err() {
        context.cancel.check()?;
        command::quiet(
            context,
            "fetch package lists",
            Command::new("apt-get").arg("update"),
        )?;
        install(context)?;
    }
    installed(context).ok_or_else(|| {
        Failure::new("Chromium was installed but is not on the PATH: set CHROMIUM_BIN to the program.")
    })
}

fn installed(context: &Context) -> Option<PathBuf> {
    NAMES.iter().find_map(|name| on_path(context, name))
}

fn install(context: &Context) -> Result<(), Failure> {
    let mut apt = Command::new("apt-get");
    apt.args(["install", "-y", "--no-install-recommends", "chromium"])
        .env("DEBIAN_FRONTEND", "noninteractive");
    command::quiet(context, "install Chromium", &mut apt)
}
