//! Certificates of the processes of services mode, by the same command as in production.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Settings, setting};
use crate::{command, context::Context, failure::Failure, paths::Paths};

/// Makes missing certificates and renews those that expire soon.
pub fn make(context: &Context, paths: &Paths, programs: &Path) -> Result<(), Failure> {
    let mut standalone = Command::new(programs.join("standalone"));
    standalone.args(["access", "certificates"]).arg(folder(paths));
    command::run_logged(context, "make certificates", &mut standalone)
}

/// The certificate of one process: of a service, the gateway or an editor.
pub fn settings(paths: &Paths, name: &str) -> Settings {
    let folder = folder(paths);
    let file = |path: PathBuf| path.display().to_string();
    vec![
        setting("GRPC_CERT_FILE", file(folder.join(name).join("cert.pem"))),
        setting("GRPC_KEY_FILE", file(folder.join(name).join("key.pem"))),
        setting("GRPC_CA_FILE", file(folder.join("ca.pem"))),
    ]
}

fn folder(paths: &Paths) -> PathBuf {
    paths.state.join("certificates")
}
