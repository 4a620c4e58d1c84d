//! Builds what has changed: the Rust programs (cargo decides) and the web pages (a hash of their sources decides).

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

use crate::{command, context::Context, failure::Failure, settings::Mode, tools::node::Node};

/// The programs of each mode, with the sandbox. `standalone` also makes the permissions of NATS and the roles of Postgres.
fn programs(mode: Mode) -> &'static [&'static str] {
    match mode {
        Mode::One => &["sandbox", "standalone"],
        Mode::Services => &[
            "sandbox",
            "standalone",
            "content",
            "auth",
            "checkout",
            "sessions",
            "analytics",
            "gateway",
            // Makes the certificates.
            "standalone",
        ],
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Compiles fast; used for development and tests.
    Dev,
    /// Shipped and measured.
    Dist,
}

/// Builds and returns the folder that holds the programs.
pub fn binaries(context: &Context, mode: Mode, profile: Profile) -> Result<PathBuf, Failure> {
    let mut cargo = cargo(context);
    // The whole workspace is named so that features resolve the same for every command, and nothing is built twice.
    cargo.args(["build", "--workspace"]);
    for program in programs(mode) {
        cargo.args(["--bin", program]);
    }
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Dist => {
            // `bench` along with the programs it measures: another set of programs would have other features, and
            // would compile half the graph again.
            cargo.args(["--profile", "dist", "--bin", "bench", "--bin", "content"]);
            "dist"
        }
    };
    command::run_logged(context, "build programs", &mut cargo)?;
    Ok(target(context).join(folder))
}

/// Builds and returns `content`, the editors' command line.
pub fn content_cli(context: &Context) -> Result<PathBuf, Failure> {
    let mut cargo = cargo(context);
    cargo.args(["build", "--workspace", "--bin", "content"]);
    command::run_logged(context, "build the editors' program", &mut cargo)?;
    Ok(target(context).join("debug/content"))
}

pub fn cargo(context: &Context) -> Command {
    let mut cargo = Command::new(context.vars.get("CARGO").unwrap_or("cargo"));
    cargo.current_dir(&context.paths.repo);
    cargo
}

fn target(context: &Context) -> PathBuf {
    let named = context.vars.get("CARGO_TARGET_DIR").unwrap_or("target");
    context.paths.repo.join(named)
}

/// Installs the packages of a folder when its lock file has changed.
pub fn packages(context: &Context, node: &Node, folder: &Path) -> Result<(), Failure> {
    let lock = folder.join("package-lock.json");
    let fingerprint = fingerprint(&[lock])?;
    // Inside of node_modules: deleting the packages deletes the stamp.
    let stamp = folder.join("node_modules/.installed");
    if has_stamp(&stamp, &fingerprint) {
        return Ok(());
    }
    let what = format!("install {} packages", context.paths.relative(folder));
    let mut npm = node.command("npm");
    npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(folder);
    command::run_logged(context, &what, &mut npm)?;
    write_stamp(&stamp, &fingerprint)
}

/// Builds the web pages when one of their sources has changed.
pub fn pages(context: &Context, node: &Node) -> Result<(), Failure> {
    let web = context.paths.web();
    packages(context, node, &web)?;
    let fingerprint = fingerprint(&page_sources(context)?)?;
    let stamp = web.join("build/.built-from");
    if has_stamp(&stamp, &fingerprint) {
        return Ok(());
    }
    let mut npm = node.command("npm");
    npm.args(["run", "build"]).current_dir(&web);
    command::run_logged(context, "build web pages", &mut npm)?;
    write_stamp(&stamp, &fingerprint)
}

fn page_sources(context: &Context) -> Result<Vec<PathBuf>, Failure> {
    const NOT_SOURCES: [&str; 6] = [
        "node_modules",
        "build",
        ".react-router",
        "gen",
        "e2e",
        "test-results",
    ];
    let mut files = vec![context.paths.repo.join("gateway/schema.graphql")];
    let mut folders = vec![context.paths.web()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)
            .map_err(|error| Failure::file(&folder, &error))?
            .flatten()
        {
            let path = entry.path();
            if NOT_SOURCES.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A hash of names and contents. Modification times do not count: a fresh checkout changes them.
fn fingerprint(files: &[PathBuf]) -> Result<String, Failure> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(file)
            .map_err(|error| Failure::file(file, &error))?
            .hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn has_stamp(stamp: &Path, fingerprint: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|text| text == fingerprint)
}

fn write_stamp(stamp: &Path, fingerprint: &str) -> Result<(), Failure> {
    fs::write(stamp, fingerprint).map_err(|error| Failure::file(stamp, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_changes_the_fingerprint_and_the_same_file_does_not() {
        let folder = std::env::temp_dir().join(format!("stillpoint-build-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("temporary folder");
        let file = folder.join("page.tsx");
        let of = |text: &str| {
            fs::write(&file, text).expect("temporary file");
            fingerprint(std::slice::from_ref(&file)).expect("readable")
        };
        let (first, again, changed) = (of("one"), of("one"), of("two"));
        assert_eq!(first, again);
        assert_ne!(first, changed);
        fs::remove_dir_all(&folder).expect("temporary folder");
    }
}
