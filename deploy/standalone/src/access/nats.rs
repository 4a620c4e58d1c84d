//! `standalone access nats`: the users of the event stream with their permissions, made from `kit::run::Access`.
//!
//! Each service is a user of its own name, and so are the installation in one process, the sandbox and each reader. A user may
//! do what its service declares, and nothing else.

mod options;
mod user;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::ensure;
use kit::consumer::ConsumerSpec;
use kit::run::ServiceDefinition;

use options::Options;
use user::User;

/// All services in one process sign in once.
const ONE_PROCESS: &str = "stillpoint";
/// Moves the virtual clock of development.
const SANDBOX: &str = "sandbox";
/// Deletes the events of an erased member.
const DELETES_EVENTS: &str = "analytics";

pub fn run(arguments: &[String], definitions: &[ServiceDefinition]) -> anyhow::Result<()> {
    let options = Options::read(arguments)?;
    let users = users(&options, definitions)?;
    std::io::stdout().write_all(configuration(&users)?.as_bytes())?;
    Ok(())
}

fn users(options: &Options, definitions: &[ServiceDefinition]) -> anyhow::Result<Vec<User>> {
    let mut users: Vec<User> = definitions.iter().map(service).collect();
    let mut one_process = User::new(ONE_PROCESS);
    for user in &users {
        one_process.add_permissions_of(user);
    }
    users.push(one_process);
    if let Some(bucket) = &options.clock_bucket {
        for user in &mut users {
            user.follow_clock(bucket);
        }
        let mut sandbox = User::new(SANDBOX);
        sandbox.follow_clock(bucket);
        sandbox.move_clock(bucket);
        users.push(sandbox);
    }
    let mut taken: BTreeSet<String> = users.iter().map(|user| user.name.clone()).collect();
    let consumers = definitions
        .iter()
        .flat_map(|definition| definition.granted().consumers);
    taken.extend(
        consumers
            .flat_map(ConsumerSpec::durables)
            .map(|durable| durable.name),
    );
    taken.extend(kit::bus::DELETE_READERS.map(str::to_owned));
    for reader in &options.readers {
        for name in user::consumers_of_reader(&reader.name) {
            ensure!(
                taken.insert(name.clone()),
                "the reader `{}` needs the name `{name}`, which is taken",
                reader.name
            );
        }
        users.push(User::reader(&reader.name, &reader.filters));
    }
    Ok(users)
}

fn service(definition: &ServiceDefinition) -> User {
    let mut user = User::service(definition.name(), definition.granted());
    if definition.name() == DELETES_EVENTS {
        user.delete_events();
    }
    user
}

/// A block of nats-server's configuration. `$NAME` is a variable of the server's environment.
fn configuration(users: &[User]) -> Result<String, std::fmt::Error> {
    let mut text = String::from("# Made by `standalone access nats`: see docs/kit/stream-access.md.\n");
    text.push_str("authorization {\n  users: [\n");
    for user in users {
        writeln!(text, "    {{\n      user: \"{}\"", user.name)?;
        writeln!(text, "      password: ${}", password_variable(&user.name))?;
        text.push_str("      permissions: {\n");
        for (verb, subjects) in [("publish", &user.publish), ("subscribe", &user.subscribe)] {
            writeln!(text, "        {verb}: {{ allow: [")?;
            for subject in subjects {
                writeln!(text, "          \"{subject}\"")?;
            }
            text.push_str("        ] }\n");
        }
        text.push_str("      }\n    }\n");
    }
    text.push_str("  ]\n}\n");
    Ok(text)
}

/// `NATS_PASSWORD_CHECKOUT`
fn password_variable(user: &str) -> String {
    format!("NATS_PASSWORD_{}", user.replace('-', "_").to_ascii_uppercase())
}
