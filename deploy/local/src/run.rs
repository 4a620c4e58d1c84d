//! `run`: everything up, addresses on the screen, everything down again on Ctrl-C.

use std::{
    fs::{self, File},
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use nix::fcntl::{Flock, FlockArg};

use crate::{
    build::Profile,
    console::seconds,
    context::Context,
    failure::Failure,
    fleet::Fleet,
    layout::Layout,
    postgres::Durability,
    process::end_leftovers,
    settings::{Mode, Ports},
    stack::Stack,
};

pub fn run(context: &Context, mode: Mode) -> Result<(), Failure> {
    let began = Instant::now();
    let layout = &context.layout;
    layout.prepare()?;
    let _only_one = lock(layout)?;
    let stack = Stack {
        context,
        layout,
        mode,
        profile: Profile::Dev,
        ports: Ports::read(&context.vars)?,
        durability: Durability::Kept,
        database_url: context.vars.get("DATABASE_URL").map(str::to_owned),
        nats_url: context.vars.get("NATS_URL").map(str::to_owned),
        extra: &[],
    };
    for name in end_leftovers(layout)? {
        context
            .console
            .line(&format!("  Ended {name}, left over from a run that was killed."));
    }
    stack.require_free_ports()?;

    let mut fleet = Fleet::new(context, layout);
    let settings = stack.start(&mut fleet)?;
    publish(layout, &settings)?;
    introduce(&stack, began.elapsed());
    let watched = fleet.watch();
    let stopping = Instant::now();
    fleet.stop();
    context
        .console
        .line(&format!("\n  Stopped in {}.", seconds(stopping.elapsed())));
    match watched {
        // Asked for: a good end.
        Err(Failure::Interrupted) => Ok(()),
        other => other,
    }
}

/// Held as long as the value lives; the kernel lets go of it even when we are killed.
fn lock(layout: &Layout) -> Result<Flock<File>, Failure> {
    let path = layout.runtime().join("lock");
    let file = File::create(&path).map_err(|error| Failure::file(&path, &error))?;
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|_| {
        Failure::new(
            "Stillpoint is already running from this folder: stop it there (Ctrl-C), then run this again.",
        )
    })
}

/// Leaves the settings for other tools: `set -a; . .local/env`. It holds the database password, hence the mode.
fn publish(layout: &Layout, settings: &[(String, String)]) -> Result<(), Failure> {
    let path = layout.state.join("env");
    let mut text = String::new();
    for (name, value) in settings {
        text.extend([name, "=", value, "\n"]);
    }
    fs::write(&path, text)
        .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o600)))
        .map_err(|error| Failure::file(&path, &error))
}

fn introduce(stack: &Stack<'_>, took: Duration) {
    let (ports, layout) = (&stack.ports, stack.layout);
    let local = |port: u16, path: &str| format!("http://localhost:{port}{path}");
    let data = if layout.data_is_elsewhere() {
        format!(
            "{} (Postgres cannot reach this folder as root)",
            layout.postgres_home().display()
        )
    } else {
        layout.shown(&layout.state)
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
        rows.push(("Events", format!("nats://127.0.0.1:{}", ports.nats)));
    }
    rows.push(("Logs", format!("{}/", layout.shown(&layout.state.join("logs")))));
    rows.push(("Settings", layout.shown(&layout.state.join("env"))));
    rows.push(("Data", data));

    let console = &stack.context.console;
    console.line(&format!("\n  Stillpoint is up after {}.\n", seconds(took)));
    for (name, value) in rows {
        console.line(&format!("  {name:<10} {value}"));
    }
    console.line("\n  Ctrl-C stops everything; the data stays.");
}
