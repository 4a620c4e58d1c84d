//! `bench`: runs `deploy/bench` against a new Stillpoint of the shipped programs.

use std::{fs, path::Path, process::Command};

use crate::{
    build::{self, Profile},
    command,
    commands::test::journeys,
    context::Context,
    failure::Failure,
    paths::Paths,
    settings::{Mode, Ports},
    stack::postgres::Durability,
    stack::process_group::ProcessGroup,
    stack::{Settings, Stack},
    tools,
};

/// All load comes from one address. Neither rate limits nor log lines are measured.
const UNLIMITED: [(&str, &str); 5] = [
    ("AUTH_RATE_PER_MINUTE", "1000000"),
    ("RATE_PER_SECOND", "1000000"),
    ("RATE_BURST", "1000000"),
    ("LOG_LEVEL", "warn"),
    ("CONTENT_READ_TOKEN", CONTENT_TOKEN),
];
const CONTENT_TOKEN: &str = "bench-reads-published";

/// The variable of `deploy/bench` for each process.
const PROCESSES: [(&str, &str); 5] = [
    ("BENCH_STANDALONE_PID", "standalone"),
    ("BENCH_POSTGRES_PID", "postgres"),
    ("BENCH_NATS_PID", "nats"),
    ("BENCH_WEB_PID", "web"),
    ("BENCH_SANDBOX_PID", "sandbox"),
];

pub fn bench(context: &Context) -> Result<(), Failure> {
    context.paths.prepare()?;
    tools::debian::ensure(context, &tools::debian::NGINX)?;
    tools::debian::ensure(context, &tools::debian::WRK)?;
    let paths = context.paths.instance("bench");
    journeys::clear(&paths)?;
    let stack = Stack {
        context,
        paths: &paths,
        mode: Mode::One,
        profile: Profile::Dist,
        ports: Ports::free()?,
        // As in production: a commit waits for the disk.
        durability: Durability::Full,
        database_url: None,
        nats_url: None,
        extra: &UNLIMITED,
    };
    let mut processes = ProcessGroup::new(context, &paths);
    let settings = stack.start(&mut processes)?;
    let measured = measure(&stack, settings);
    processes.stop();
    measured
}

fn measure(stack: &Stack<'_>, settings: Settings) -> Result<(), Failure> {
    let (context, ports) = (stack.context, &stack.ports);
    let programs = build::binaries(context, stack.mode, stack.profile)?;
    let mut bench = Command::new(programs.join("bench"));
    bench
        .envs(settings)
        .env("BENCH_CONTENT_PROGRAM", programs.join("content"))
        .env("BENCH_GATEWAY_URL", format!("http://localhost:{}", ports.gateway))
        .env("BENCH_SANDBOX_URL", format!("http://localhost:{}", ports.sandbox))
        .env("CONTENT_READ_TOKEN", CONTENT_TOKEN);
    for (variable, process) in PROCESSES {
        bench.env(variable, pid(stack.paths, process)?);
    }
    command::require_success(context, &mut bench, "the measurement failed")
}

fn pid(paths: &Paths, process: &str) -> Result<String, Failure> {
    let file = paths.runtime().join(format!("{process}.pid"));
    let text = fs::read_to_string(&file).map_err(|error| Failure::file(&file, &error))?;
    first_word(&text, &file)
}

fn first_word(text: &str, file: &Path) -> Result<String, Failure> {
    text.split_whitespace()
        .next()
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(format!("{} names no process.", file.display())))
}
