//! All of Stillpoint in one process: every service answers the others without a socket in between.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kit::run::main(vec![
        content::definition(),
        auth::definition(),
        checkout::definition(),
        sessions::definition(),
        analytics::definition(),
        gateway::definition(),
    ])
}
