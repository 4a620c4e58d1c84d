//! All of Stillpoint in one process: every service answers the others without a socket in between.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kit::run::main(vec![
        content::part(),
        auth::part(),
        checkout::part(),
        sessions::part(),
        analytics::part(),
        gateway::part(),
    ])
}
