//! A private Postgres: created once, run as an unprivileged user, closed to other users of the machine.

use std::{
    fs,
    io::Read,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::Command,
};

use nix::{sys::signal::Signal, unistd};

use crate::{
    command,
    context::Context,
    failure::Failure,
    paths::{Paths, create_dir, remove_dir, write_private},
    stack::process::{Identity, Launch, UNPRIVILEGED},
    stack::process_group::Ready,
};

const DATABASE: &str = "stillpoint";

/// Whether commits survive a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    Full,
    /// For test data.
    Off,
}

pub struct Postgres {
    pub launch: Launch,
    pub ready: Ready,
    pub url: String,
}

pub fn prepare(
    context: &Context,
    paths: &Paths,
    programs: &Path,
    port: u16,
    durability: Durability,
) -> Result<Postgres, Failure> {
    let home = paths.postgres_home();
    let data = home.join("data");
    let password = if data.join("PG_VERSION").exists() {
        read_password(&home)?
    } else {
        create(context, &home, programs)?
    };
    let mut args = vec![
        "-D".to_owned(),
        data.display().to_string(),
        "-p".to_owned(),
        port.to_string(),
    ];
    let sockets = format!("unix_socket_directories={}", data.display());
    let mut settings = vec!["listen_addresses=127.0.0.1", &sockets, "max_connections=300"];
    if durability == Durability::Off {
        settings.extend([
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
            // No replica, and no test lives long enough for a vacuum.
            "wal_level=minimal",
            "max_wal_senders=0",
            "autovacuum=off",
            // The data may be in memory.
            "max_wal_size=256MB",
        ]);
    }
    args.extend(
        settings
            .into_iter()
            .flat_map(|setting| ["-c".to_owned(), setting.to_owned()]),
    );

    Ok(Postgres {
        launch: Launch {
            name: "postgres",
            program: programs.join("postgres"),
            args,
            env: Vec::new(),
            folder: PathBuf::from("/"),
            identity: Identity::Unprivileged,
            // "Fast": ends sessions instead of waiting for them.
            stop_signal: Signal::SIGINT,
            stage: 0,
        },
        ready: Ready::PostgresStatus(data.join("postmaster.pid")),
        url: format!("postgres://postgres:{password}@127.0.0.1:{port}/{DATABASE}"),
    })
}

/// Creates the data folder under a temporary name: an interrupted run leaves no incomplete data folder.
fn create(context: &Context, home: &Path, programs: &Path) -> Result<String, Failure> {
    let scratch = home.join("data.part");
    remove_dir(&scratch)?;
    create_dir(&scratch)?;
    let password = random_password()?;
    let password_file = home.join("password");
    write_private(&password_file, &password)?;
    set_mode(&scratch, 0o700)?;
    chown_to_unprivileged(&[home, &scratch, &password_file])?;

    command::run_logged(
        context,
        "set up Postgres",
        &mut initdb(programs, &scratch, &password_file),
    )?;
    command::run_logged(
        context,
        "create database",
        &mut create_database(programs, &scratch),
    )?;
    let data = home.join("data");
    fs::rename(&scratch, &data).map_err(|error| Failure::file(&data, &error))?;
    Ok(password)
}

/// A password even on loopback: without one, any user of the machine could become the user Postgres runs as.
fn initdb(programs: &Path, data: &Path, password_file: &Path) -> Command {
    let program = programs.join("initdb");
    let help = command::stdout_of(Command::new(&program).arg("--help")).unwrap_or_default();
    let mut command = as_unprivileged(&program);
    // The password is random, so 4096 hash rounds per connection protect nothing. Postgres 15 lacks the option.
    if help.contains("--set") {
        command.args(["--set", "scram_iterations=1"]);
    }
    command
        .args([
            "-U",
            "postgres",
            "-A",
            "password",
            "-E",
            "UTF8",
            "--locale-provider=libc",
            "--locale=C.UTF-8",
        ])
        .args(["--no-sync", "--no-instructions", "--pwfile"])
        .arg(password_file)
        .arg("-D")
        .arg(data);
    command
}

// In single-user mode: the package has no psql.
fn create_database(programs: &Path, data: &Path) -> Command {
    let mut command = as_unprivileged(Path::new("sh"));
    command
        .args([
            "-c",
            r#"echo "create database $2" | "$0" --single -D "$1" postgres"#,
        ])
        .arg(programs.join("postgres"))
        .arg(data)
        .arg(DATABASE);
    command
}

fn as_unprivileged(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if unistd::geteuid().is_root() {
        let id = UNPRIVILEGED.to_string();
        command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]);
    }
    command.arg("--").arg(program).current_dir("/");
    command
}

fn read_password(home: &Path) -> Result<String, Failure> {
    let file = home.join("password");
    let text = fs::read_to_string(&file).map_err(|error| Failure::file(&file, &error))?;
    Ok(text.trim().to_owned())
}

pub fn random_password() -> Result<String, Failure> {
    let source = Path::new("/dev/urandom");
    let mut bytes = [0; 16];
    fs::File::open(source)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(|error| Failure::file(source, &error))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

fn set_mode(path: &Path, mode: u32) -> Result<(), Failure> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|error| Failure::file(path, &error))
}

fn chown_to_unprivileged(paths: &[&Path]) -> Result<(), Failure> {
    if !unistd::geteuid().is_root() {
        return Ok(());
    }
    for path in paths {
        chown(path, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).map_err(|error| Failure::file(path, &error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::random_password;

    #[test]
    fn a_password_is_long_and_never_the_same() {
        let (one, other) = (
            random_password().expect("urandom"),
            random_password().expect("urandom"),
        );
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
