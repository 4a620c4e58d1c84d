//! Node: the machine's own if it is new enough, else the one from npm. npm is always the machine's.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use super::{NPM_LOCK, is_current, npm_ci, processor, require_fetched};
use crate::{command, context::Context, failure::Failure};

const WHAT: &str = "fetch Node";
const VERSION_MIN: (u32, u32) = (22, 22);

#[derive(Debug, Clone)]
pub struct Node {
    pub program: PathBuf,
    path: Option<OsString>,
}

impl Node {
    /// A command with this Node first on its PATH, so that `npm` runs on it, too.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        if let Some(path) = &self.path {
            command.env("PATH", path);
        }
        command
    }
}

pub fn ensure(context: &Context) -> Result<Node, Failure> {
    if command::stdout_of(Command::new("node").arg("--version")).is_some_and(|version| new_enough(&version)) {
        return Ok(Node {
            program: PathBuf::from("node"),
            path: None,
        });
    }
    let manifests = context.paths.manifests("node");
    let target = context.paths.tools.join("node");
    let (_, cpu) = processor()?;
    let member = format!("node_modules/node-linux-{cpu}/bin");
    let folder = target.join(&member);
    let program = folder.join("node");
    if !is_current(&manifests, &target, NPM_LOCK) {
        npm_ci(context, WHAT, &manifests, &target, |scratch| {
            require_fetched(WHAT, &scratch.join(&member).join("node"))
        })?;
    }

    let machines = context.vars.get("PATH").unwrap_or_default();
    let path = env::join_paths([folder].into_iter().chain(env::split_paths(machines)))
        .map_err(|error| Failure::new(format!("PATH cannot be extended: {error}.")))?;
    Ok(Node {
        program,
        path: Some(path),
    })
}

fn new_enough(version: &str) -> bool {
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    (major, minor) >= VERSION_MIN
}

#[cfg(test)]
mod tests {
    use super::new_enough;

    #[test]
    fn node_22_22_is_the_oldest_that_will_do() {
        assert!(new_enough("v22.22.0"));
        assert!(new_enough("v24.1.0"));
        assert!(!new_enough("v22.21.9"));
        assert!(!new_enough("v20.20.2"));
        assert!(!new_enough("garbage"));
    }
}
