//! The browser journeys: Playwright against a new Stillpoint on free ports.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    build::{self, Profile},
    command,
    commands::test::failed_tests::FailedTests,
    context::Context,
    failure::Failure,
    paths::{Paths, TestData, create_dir, remove_dir},
    settings::{Mode, Ports},
    stack::Stack,
    stack::certificates,
    stack::postgres::Durability,
    stack::process::stop_leftovers,
    stack::process_group::ProcessGroup,
    tools::{self, node::Node},
};

const TEST_SETTINGS: [(&str, &str); 10] = [
    // The forms that sell a session are tested although no session can be booked yet.
    ("CHECKOUT_SESSIONS_BOOKABLE", "true"),
    // The first pages of a busy machine are slow.
    ("RENDER_TIMEOUT_MS", "30000"),
    // Journeys that lose a provider's response wait for the reconciler.
    ("CHECKOUT_RECONCILE_AFTER_MS", "3000"),
    ("CHECKOUT_RECONCILE_EVERY_MS", "200"),
    // All visitors come from one address.
    ("AUTH_RATE_PER_MINUTE", "6000"),
    ("AI_RATE_PER_MINUTE", "6000"),
    ("GUESS_RATE_PER_MINUTE", "6000"),
    ("RATE_PER_SECOND", "1000"),
    ("RATE_BURST", "5000"),
    // All pay with the same test cards.
    ("CHECKOUT_FREE_TRIALS_PER_CARD", "1000000"),
];

pub fn title(mode: Mode) -> &'static str {
    match mode {
        Mode::One => "Journeys, one process (smoke)",
        Mode::Services => "Journeys, a process per service",
    }
}

pub fn prepare(context: &Context, node: &Node) -> Result<(), Failure> {
    tools::chromium::ensure(context)?;
    build::packages(context, node, &context.paths.web().join("e2e"))
}

/// Returns what was not tested, for the summary.
pub fn run(context: &Context, mode: Mode) -> Result<Vec<String>, Failure> {
    let node = tools::node::ensure(context)?;
    prepare(context, &node)?;
    let paths = context.paths.test_instance(match mode {
        Mode::One => "one",
        Mode::Services => "services",
    });
    clear(&paths)?;
    let _data = TestData::prepare(&paths)?;
    let failed_tests = FailedTests::prepare(&paths.state)?;
    let stack = Stack {
        context,
        paths: &paths,
        mode,
        profile: Profile::Dev,
        ports: Ports::free()?,
        durability: Durability::Off,
        database_url: None,
        nats_url: None,
        extra: &TEST_SETTINGS,
    };
    let mut processes = ProcessGroup::new(context, &paths);
    let settings = stack.start(&mut processes)?;

    // The last journeys stop what the others need. They run after a failure, too.
    let mut passed = true;
    for config in ["playwright.config.ts", "last.config.ts"] {
        let mut journeys = playwright(&stack, &node, config)?;
        // A reader's address: journeys read events as a subscriber does.
        journeys.envs(settings.iter().filter(|(name, _)| name == "NATS_URL").cloned());
        passed &= command::run_streamed(context, failed_tests.add_to(&mut journeys))?;
    }
    processes.stop();
    let logs = paths.relative(&paths.state.join("logs"));
    if !passed {
        return Err(failed_tests.failure(&format!("a journey failed; the services' logs are in {logs}")));
    }
    let notes = fs::read_to_string(notes_file(&paths)).unwrap_or_default();
    Ok(notes.lines().map(str::to_owned).collect())
}

/// Written by `web/e2e/report/reporter.ts`.
fn notes_file(paths: &Paths) -> PathBuf {
    paths.state.join("journey-notes.txt")
}

/// Deletes the data and the logs of the previous run.
pub fn clear(paths: &Paths) -> Result<(), Failure> {
    create_dir(&paths.runtime())?;
    stop_leftovers(paths)?;
    remove_dir(&paths.state)?;
    remove_dir(&paths.postgres_state)?;
    paths.prepare()
}

fn playwright(stack: &Stack<'_>, node: &Node, config: &str) -> Result<Command, Failure> {
    let ports = &stack.ports;
    let url = |port: u16| format!("http://localhost:{port}");
    let mut command = node.command(&node.program);
    command
        .args(["node_modules/@playwright/test/cli.js", "test", "--config", config])
        .current_dir(stack.paths.web().join("e2e"))
        .env("BASE_URL", url(ports.gateway))
        .env("OPS_URL", url(ports.ops))
        .env("SANDBOX_URL", url(ports.sandbox))
        .env("CHROMIUM_BIN", tools::chromium::ensure(stack.context)?)
        .env("JOURNEY_NOTES", notes_file(stack.paths))
        // The operations journey stops the renderer.
        .env("WEB_PID_FILE", stack.paths.runtime().join("web.pid"));
    match stack.mode {
        Mode::One => {
            command.env("SMOKE", "1");
        }
        Mode::Services => {
            // The preview journey calls content as an editor does. In one process content has no address.
            let content = ports.services.iter().find(|service| service.name == "content");
            command
                .envs(content.map(|service| ("CONTENT_URL", format!("https://127.0.0.1:{}", service.grpc))))
                .envs(certificates::settings(stack.paths, "editor"));
        }
    }
    Ok(command)
}
