//! `fmt` and `lint`: formatting, and every check that needs no running program.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    build, command,
    context::Context,
    failure::Failure,
    paths::{create_dir, remove_dir},
    tools::{self, node::Node},
};

pub fn fmt(context: &Context) -> Result<(), Failure> {
    context.paths.prepare()?;
    command::run_logged(
        context,
        "format Rust",
        build::cargo(context).args(["fmt", "--all"]),
    )?;
    let node = web_tools(context)?;
    command::run_logged(context, "format web", &mut npm(context, &node, "format"))
}

/// Runs all checks before it fails: one run shows every error.
pub fn lint(context: &Context) -> Result<(), Failure> {
    context.paths.prepare()?;
    let mut failures = Vec::new();
    let mut check = |result: Result<(), Failure>| match result {
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(Failure::Message(sentence)) => {
            failures.push(sentence);
            Ok(())
        }
        Ok(()) => Ok(()),
    };
    check(command::run_logged(
        context,
        "Rust format",
        build::cargo(context).args(["fmt", "--all", "--check"]),
    ))?;
    check(command::run_logged(context, "Rust lints", &mut clippy(context)))?;
    check(content(context))?;
    check(dependencies(context))?;
    check(web(context))?;
    check(containers(context))?;
    // The last one: the line of a skipped check ends the output.
    check(advisories(context))?;

    if failures.is_empty() {
        return Ok(());
    }
    Err(Failure::new(failures.join("\n\n")))
}

fn clippy(context: &Context) -> Command {
    let mut cargo = build::cargo(context);
    cargo.args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--keep-going",
        "--",
        "--deny",
        "warnings",
    ]);
    cargo
}

/// The seed content, and the prices its copy names.
fn content(context: &Context) -> Result<(), Failure> {
    let mut lint = Command::new(build::content_cli(context)?);
    lint.args([
        "lint",
        "deploy/seed/content",
        "--campaigns",
        "deploy/seed/campaigns",
    ]);
    command::run_logged(context, "seed content", lint.current_dir(&context.paths.repo))
}

/// Licences, sources and banned crates: needs no network.
fn dependencies(context: &Context) -> Result<(), Failure> {
    let mut deny = cargo_deny(context, &checkers(context)?);
    deny.args(["check", "bans", "licenses", "sources"]);
    command::run_logged(context, "Rust dependencies", &mut deny)
}

/// Known vulnerabilities of the crates in the lock file. The database is on another host: a copy of it is used where that
/// host cannot be reached; without a copy nothing is checked. Both cases print a line.
pub fn advisories(context: &Context) -> Result<(), Failure> {
    context.paths.prepare()?;
    let checkers = checkers(context)?;
    let is_fetched = command::stdout_of(cargo_deny(context, &checkers).args(["fetch", "db"])).is_some();
    if !is_fetched && !has_advisory_database() {
        let line = without_database(context.vars.get("ADVISORIES"))?;
        context.console.line(&format!("  ! {line}"));
        return Ok(());
    }
    if !is_fetched {
        context.console.line(
            "  ! Rust advisories: the RustSec database cannot be fetched; its last copy is used, of 90 days at most.",
        );
    }
    let mut deny = cargo_deny(context, &checkers);
    deny.args(["--offline", "check", "advisories"]);
    command::run_logged(context, "Rust advisories", &mut deny)
}

/// The line to print instead of the check; a failure with `ADVISORIES=required`.
fn without_database(advisories: Option<&str>) -> Result<&'static str, Failure> {
    const LINE: &str = "Rust advisories: NOT CHECKED. The RustSec database cannot be fetched, and there is no copy of it here.";
    match advisories {
        None | Some("optional") => Ok(LINE),
        Some("required") => Err(Failure::new(LINE)),
        Some(other) => Err(Failure::new(format!(
            "ADVISORIES=\"{other}\" is not understood: choose optional or required."
        ))),
    }
}

fn cargo_deny(context: &Context, checkers: &Path) -> Command {
    let mut deny = Command::new(checkers.join("bin/cargo-deny"));
    deny.current_dir(&context.paths.repo)
        .args(["--config", ".deny.toml"])
        .env("GIT_TERMINAL_PROMPT", "0");
    deny
}

/// True when cargo-deny has a copy of the database.
fn has_advisory_database() -> bool {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let copies = home.and_then(|home| fs::read_dir(home.join("advisory-dbs")).ok());
    let mut entries = copies.into_iter().flatten().flatten();
    entries.any(|entry| entry.path().join("crates").is_dir())
}

fn web(context: &Context) -> Result<(), Failure> {
    let node = web_tools(context)?;
    build::packages(context, &node, &context.paths.web().join("e2e"))?;
    command::run_logged(context, "web lints", &mut npm(context, &node, "lint"))?;
    command::run_logged(context, "web types", &mut npm(context, &node, "typecheck"))?;
    let mut journeys = node.command("npm");
    journeys
        .args(["run", "typecheck"])
        .current_dir(context.paths.web().join("e2e"));
    command::run_logged(context, "journey types", &mut journeys)
}

fn web_tools(context: &Context) -> Result<Node, Failure> {
    let node = tools::node::ensure(context)?;
    build::packages(context, &node, &context.paths.web())?;
    Ok(node)
}

fn npm(context: &Context, node: &Node, script: &str) -> Command {
    let mut npm = node.command("npm");
    npm.args(["run", script]).current_dir(context.paths.web());
    npm
}

/// The Compose file against its schema, the Dockerfiles against hadolint: neither needs an engine.
fn containers(context: &Context) -> Result<(), Failure> {
    let checkers = checkers(context)?;
    let mut schema = Command::new("python3");
    schema
        .args([
            "-m",
            "check_jsonschema",
            "--builtin-schema",
            "vendor.compose-spec",
            "docker-compose.yml",
        ])
        .env("PYTHONPATH", &checkers)
        .current_dir(&context.paths.repo);
    command::run_logged(context, "Compose file", &mut schema)?;
    let mut hadolint = Command::new(checkers.join("bin/hadolint"));
    hadolint.args(["deploy/docker/service.Dockerfile", "deploy/docker/web.Dockerfile"]);
    command::run_logged(context, "Dockerfiles", hadolint.current_dir(&context.paths.repo))
}

fn checkers(context: &Context) -> Result<PathBuf, Failure> {
    let requirements = context.paths.manifests("checks").join("requirements.txt");
    let target = context.paths.tools.join("checks");
    let stamp = target.join("requirements.txt");
    if fs::read(&requirements).ok() == fs::read(&stamp).ok() {
        return Ok(target);
    }
    remove_dir(&target)?;
    create_dir(&target)?;
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        "--requirement",
    ])
    .arg(&requirements)
    .arg("--target")
    .arg(&target);
    command::run_logged(context, "fetch checkers", &mut pip)?;
    fs::copy(&requirements, &stamp).map_err(|error| Failure::file(&stamp, &error))?;
    Ok(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_without_a_database_is_named_and_fails_where_it_is_required() {
        for advisories in [None, Some("optional")] {
            let line = without_database(advisories).expect("no failure");
            assert!(line.contains("NOT CHECKED"), "{line}");
        }
        let failure = without_database(Some("required")).expect_err("a failure");
        assert!(failure.to_string().contains("NOT CHECKED"), "{failure}");
        let failure = without_database(Some("yes")).expect_err("a failure");
        assert!(failure.to_string().contains("not understood"), "{failure}");
    }
}
