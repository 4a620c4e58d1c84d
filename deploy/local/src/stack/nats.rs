//! A private NATS server. `standalone access nats` makes its users with their permissions, as for Docker Compose and in production;
//! their passwords are created once.

use std::{fs, path::PathBuf, process::Command};

use nix::sys::signal::Signal;

use crate::{
    command,
    context::Context,
    failure::Failure,
    paths::Paths,
    stack::passwords,
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
    let file = paths.state.join("nats-passwords");
    let passwords = passwords::ensure(&file, variables(&authorization))?;

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

/// The variables that the configuration refers to.
fn variables(authorization: &str) -> impl Iterator<Item = &str> {
    authorization
        .lines()
        .filter_map(|line| line.trim().strip_prefix("password: $"))
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
