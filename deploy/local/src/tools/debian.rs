//! Programs of Debian packages: found on the machine, or installed when this program runs as root.

use std::{path::PathBuf, process::Command};

use nix::unistd;

use super::on_path;
use crate::{command, context::Context, failure::Failure};

/// A program of a Debian package; the first of `names` on the PATH is used.
pub struct DebianProgram {
    pub names: &'static [&'static str],
    pub package: &'static str,
}

pub const NGINX: DebianProgram = DebianProgram {
    names: &["nginx"],
    package: "nginx-light",
};
pub const WRK: DebianProgram = DebianProgram {
    names: &["wrk"],
    package: "wrk",
};

pub fn ensure(context: &Context, wanted: &DebianProgram) -> Result<PathBuf, Failure> {
    if let Some(program) = installed(context, wanted) {
        return Ok(program);
    }
    let package = wanted.package;
    if !unistd::geteuid().is_root() || on_path(context, "apt-get").is_none() {
        return Err(Failure::new(format!(
            "{package} is missing: install it (sudo apt-get install {package}), then run this again."
        )));
    }
    // Without package lists the installation fails; only then they are fetched.
    if install(context, package).is_err() {
        context.cancel.check()?;
        command::run_logged(
            context,
            "fetch package lists",
            Command::new("apt-get").arg("update"),
        )?;
        install(context, package)?;
    }
    installed(context, wanted).ok_or_else(|| {
        Failure::new(format!(
            "{package} was installed but its program is not on the PATH."
        ))
    })
}

fn installed(context: &Context, wanted: &DebianProgram) -> Option<PathBuf> {
    wanted.names.iter().find_map(|name| on_path(context, name))
}

fn install(context: &Context, package: &str) -> Result<(), Failure> {
    let mut apt = Command::new("apt-get");
    apt.args(["install", "-y", "--no-install-recommends", package])
        .env("DEBIAN_FRONTEND", "noninteractive");
    command::run_logged(context, &format!("install {package}"), &mut apt)
}
