//! `run`: starts everything, prints the addresses, stops everything on Ctrl-C.

use std::{
    fs::File,
    time::{Duration, Instant},
};

use nix::fcntl::{Flock, FlockArg};

use crate::{
    build::Profile,
    console::seconds,
    context::Context,
    failure::Failure,
    paths::{Paths, write_private},
    settings::{Mode, Ports},
    stack::Stack,
    stack::postgres::Durability,
    stack::process::stop_leftovers,
    stack::process_group::ProcessGroup,
};

pub fn run(context: &Context, mode: Mode) -> Result<(), Failure> {
    let began = Instant::now();
    let paths = &context.paths;
    paths.prepare()?;
    let _only_one = lock(paths)?;
    let stack = Stack {
        context,
        paths,
        mode,
        profile: Profile::Dev,
        ports: Ports::read(&context.vars)?,
        durability: Durability::Full,
        database_url: context.vars.get("DATABASE_URL").map(str::to_owned),
        nats_url: context.vars.get("NATS_URL").map(str::to_owned),
        extra: &[],
    };
    for name in stop_leftovers(paths)? {
        context
            .console
            .line(&format!("  Ended {name}, left over from a run that was killed."));
    }
    stack.require_free_ports()?;

    let mut processes = ProcessGroup::new(context, paths);
    let settings = stack.start(&mut processes)?;
    write_env_file(paths, &settings)?;
    print_addresses(&stack, began.elapsed());
    let watched = processes.run_until_stopped();
    let stopping = Instant::now();
    processes.stop();
    context
        .console
        .line(&format!("\n  Stopped in {}.", seconds(stopping.elapsed())));
    match watched {
        // Ctrl-C is a success.
        Err(Failure::Interrupted) => Ok(()),
        other => other,
    }
}

/// Locked until the value is dropped; the kernel unlocks it when this program is killed.
fn lock(paths: &Paths) -> Result<Flock<File>, Failure> {
    let path = paths.runtime().join("lock");
    let file = File::create(&path).map_err(|error| Failure::file(&path, &error))?;
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|_| {
        Failure::new(
            "Stillpoint is already running from this folder: stop it there (Ctrl-C), then run this again.",
        )
    })
}

/// Writes the settings for other tools: `set -a; . .local/env`. The file holds passwords.
fn write_env_file(paths: &Paths, settings: &[(String, String)]) -> Result<(), Failure> {
    let path = paths.state.join("env");
    let mut text = String::new();
    for (name, value) in settings {
        text.extend([name, "=", value, "\n"]);
    }
    write_private(&path, &text)
}

fn print_addresses(stack: &Stack<'_>, took: Duration) {
    let (ports, paths) = (&stack.ports, stack.paths);
    let local = |port: u16, path: &str| format!("http://localhost:{port}{path}");
    let data = if paths.is_data_outside_repository() {
        format!(
            "{} (Postgres cannot reach this folder as root)",
            paths.postgres_home().display()
        )
    } else {
        paths.relative(&paths.state)
    };
    let mut rows = vec![
        ("Shop", local(ports.gateway, "/en/")),
        ("Sandbox", local(ports.sandbox, "/sandbox/")),
        ("Mail", local(ports.sandbox, "/sandbox/inbox/")),
        ("API", local(ports.gateway, "/api/openapi.json")),
        ("GraphQL", local(ports.gateway, "/graphql")),
        ("Operators", local(ports.ops, "/metrics")),
    ];
    if stack.nats_url.is_none() {
        let address = format!("nats://127.0.0.1:{}", ports.nats);
        rows.push((
            "Events",
            format!("{address} as `reader`: NATS_URL of the settings"),
        ));
    }
    rows.push(("Logs", format!("{}/", paths.relative(&paths.state.join("logs")))));
    rows.push(("Settings", paths.relative(&paths.state.join("env"))));
    rows.push(("Data", data));

    let console = &stack.context.console;
    console.line(&format!("\n  Stillpoint is up after {}.\n", seconds(took)));
    for (name, value) in rows {
        console.line(&format!("  {name:<10} {value}"));
    }
    console.line("\n  Ctrl-C stops everything; the data stays.");
}
