//! The gateway as its own process.
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    kit::run::main(vec![gateway::definition()])
}
