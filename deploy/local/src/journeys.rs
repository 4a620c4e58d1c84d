//! The browser journeys: a fresh Stillpoint beside a running one, and Playwright against it.

use std::process::Command;

use crate::{
    build::{self, Profile},
    command,
    context::Context,
    failure::Failure,
    fleet::Fleet,
    layout::{Layout, create_dir, remove_dir},
    postgres::Durability,
    process::end_leftovers,
    settings::{Mode, Ports},
    stack::Stack,
    test::verdict,
    tools::{self, node::Node},
};

/// All the people of all journeys come from one address; a busy machine may take long over its first pages; and the forms that
/// sell a session are tried although none can be booked yet.
const ROOM_FOR_MANY: [(&str, &str); 8] = [
    ("CHECKOUT_SESSIONS_BOOKABLE", "true"),
    ("RENDER_TIMEOUT_MS", "30000"),
    ("AUTH_RATE_PER_MINUTE", "6000"),
    ("AI_RATE_PER_MINUTE", "6000"),
    ("GUESS_RATE_PER_MINUTE", "6000"),
    ("RATE_PER_SECOND", "1000"),
    ("RATE_BURST", "5000"),
    // And they all pay with the same test cards.
    ("CHECKOUT_FREE_TRIALS_PER_CARD", "1000000"),
];

pub fn title(mode: Mode) -> &'static str {
    match mode {
        Mode::One => "Journeys, one process",
        Mode::Services => "Journeys, every service alone",
    }
}

pub fn prepare(context: &Context, node: &Node) -> Result<(), Failure> {
    tools::chromium::ensure(context)?;
    build::packages(context, node, &context.layout.web().join("e2e"))
}

pub fn run(context: &Context, mode: Mode) -> Result<(), Failure> {
    let node = tools::node::ensure(context)?;
    prepare(context, &node)?;
    let layout = context.layout.instance(match mode {
        Mode::One => "one",
        Mode::Services => "services",
    });
    clear(&layout)?;
    let stack = Stack {
        context,
        layout: &layout,
        mode,
        profile: Profile::Dev,
        ports: Ports::free()?,
        durability: Durability::GivenUp,
        database_url: None,
        nats_url: None,
        extra: &ROOM_FOR_MANY,
    };
    let mut fleet = Fleet::new(context, &layout);
    stack.start(&mut fleet)?;

    // What the last take away is given back to nobody; that one failed before is no reason to leave them out.
    let mut passed = true;
    for config in ["playwright.config.ts", "last.config.ts"] {
        passed &= command::aloud(context, &mut playwright(&stack, &node, config)?)?;
    }
    fleet.stop();
    let logs = layout.shown(&layout.state.join("logs"));
    verdict(
        passed,
        &format!("a journey failed; what the services said is in {logs}"),
    )
}

/// Fresh data every time; a former run's logs go with it.
pub fn clear(layout: &Layout) -> Result<(), Failure> {
    create_dir(&layout.runtime())?;
    end_leftovers(layout)?;
    remove_dir(&layout.state)?;
    remove_dir(&layout.postgres_state)?;
    layout.prepare()
}

fn playwright(stack: &Stack<'_>, node: &Node, config: &str) -> Result<Command, Failure> {
    let ports = &stack.ports;
    let url = |port: u16| format!("http://localhost:{port}");
    let mut command = node.command(&node.program);
    command
        .args(["node_modules/@playwright/test/cli.js", "test", "--config", config])
        .current_dir(stack.layout.web().join("e2e"))
        .env("BASE_URL", url(ports.gateway))
        .env("OPS_URL", url(ports.ops))
        .env("SANDBOX_URL", url(ports.sandbox))
        .env("NATS_URL", format!("nats://127.0.0.1:{}", ports.nats))
        .env("CHROMIUM_BIN", tools::chromium::ensure(stack.context)?)
        // Lets the operations tests take the renderer away.
        .env("WEB_PID_FILE", stack.layout.runtime().join("web.pid"));
    if stack.mode == Mode::Services {
        // What is the same either way has been seen in the other mode.
        command.env("ACROSS_SERVICES", "1");
        // For the preview journey, which works as an editor does. In one process content listens nowhere.
        let content = ports.services.iter().find(|service| service.name == "content");
        command.envs(content.map(|service| ("CONTENT_URL", format!("http://127.0.0.1:{}", service.grpc))));
    }
    Ok(command)
}
