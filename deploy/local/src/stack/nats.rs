//! A private NATS server. `standalone access nats` makes its users with their permissions, as for Docker Compose and in production;
//! their passwords are created once.

use std::{
    fs,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use nix::sys::signal::Signal;

use crate::{
    command,
    context::Context,
    failure::Failure,
    paths::Paths,
    stack::postgres::random_password,
    stack::process::{Identity, Launch},
};

/// For tools and journeys: it may read all events.
pub const READER: &str = "reader";
/// All services in one process.
pub const ONE_PROCESS: &str = "stillpoint";

const VARIABLE: &str = "NATS_PASSWORD_";

pub struct Nats {
    pub launch: Launch,
    pub users: Users,
}

/// The passwords of all users of a server.
pub struct Users {
    port: u16,
    /// `NATS_PASSWORD_CHECKOUT`, as the server reads it, and its value.
    passwords: Vec<(String, String)>,
}

impl Users {
    /// The address of the server with the credentials of a user.
    pub fn url(&self, user: &str) -> Result<String, Failure> {
        let variable = format!("{VARIABLE}{}", user.to_uppercase());
        let found = self.passwords.iter().find(|(name, _)| *name == variable);
        let (_, password) =
            found.ok_or_else(|| Failure::new(format!("The NATS server has no user {user}.")))?;
        Ok(format!("nats://{user}:{password}@127.0.0.1:{}", self.port))
    }
}

/// What to start.
pub struct Programs {
    /// The NATS server.
    pub server: PathBuf,
    /// The folder of our programs.
    pub own: PathBuf,
}

pub fn prepare(context: &Context, paths: &Paths, programs: &Programs, port: u16) -> Result<Nats, Failure> {
    let bucket = context.vars.get("CLOCK_BUCKET").unwrap_or("clock");
    let mut access = Command::new(programs.own.join("standalone"));
    access.args(["access", "nats", "--clock-bucket", bucket]);
    access.args(["--reader", "reader=stillpoint.>"]);
    let authorization = command::run_with_stdout(context, "make the permissions of NATS", &mut access)?;
    let configuration = paths.state.join("nats.conf");
    fs::write(&configuration, &authorization).map_err(|error| Failure::file(&configuration, &error))?;
    let passwords = passwords(paths, &authorization)?;

    let store = paths.state.join("nats").display().to_string();
    let (file, port_text) = (configuration.display().to_string(), port.to_string());
    let args = [
        "-c",
        &file,
        "-a",
        "127.0.0.1",
        "-p",
        &port_text,
        "-js",
        "-sd",
        &store,
    ];
    Ok(Nats {
        launch: Launch {
            name: "nats",
            program: programs.server.clone(),
            args: args.map(str::to_owned).to_vec(),
            env: passwords.clone(),
            folder: paths.repo.clone(),
            identity: Identity::Caller,
            stop_signal: Signal::SIGTERM,
            stage: 0,
        },
        users: Users { port, passwords },
    })
}

/// Creates the missing passwords, and returns those of all users in the configuration.
fn passwords(paths: &Paths, authorization: &str) -> Result<Vec<(String, String)>, Failure> {
    let file = paths.state.join("nats-passwords");
    let stored = fs::read_to_string(&file).unwrap_or_default();
    let mut passwords = Vec::new();
    for variable in variables(authorization) {
        let known = stored.lines().find_map(|line| {
            let (name, password) = line.split_once('=')?;
            (name == variable).then(|| password.to_owned())
        });
        let password = match known {
            Some(password) => password,
            // The server would read a value of digits as a number.
            None => format!("n{}", random_password()?),
        };
        passwords.push((variable.to_owned(), password));
    }
    write_private(&file, &passwords)?;
    Ok(passwords)
}

/// The variables that the configuration refers to.
fn variables(authorization: &str) -> impl Iterator<Item = &str> {
    authorization
        .lines()
        .filter_map(|line| line.trim().strip_prefix("password: $"))
}

fn write_private(file: &Path, passwords: &[(String, String)]) -> Result<(), Failure> {
    let lines: String = passwords
        .iter()
        .flat_map(|(name, password)| [name.as_str(), "=", password.as_str(), "\n"])
        .collect();
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options
        .open(file)
        .and_then(|mut file| file.write_all(lines.as_bytes()))
        .map_err(|error| Failure::file(file, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_from_the_configuration() {
        let text = "  user: \"auth\"\n      password: $NATS_PASSWORD_AUTH\n  \"$JS.API.INFO\"\n";
        assert_eq!(variables(text).collect::<Vec<_>>(), ["NATS_PASSWORD_AUTH"]);
    }

    #[test]
    fn users_have_addresses_of_their_own() {
        let users = Users {
            port: 4222,
            passwords: vec![("NATS_PASSWORD_AUTH".to_owned(), "n1".to_owned())],
        };
        assert_eq!(users.url("auth"), Ok("nats://auth:n1@127.0.0.1:4222".to_owned()));
        assert!(users.url("mallory").is_err());
    }
}
