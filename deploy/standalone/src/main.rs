//! All of Stillpoint in one process: every service answers the others without a socket in between. Or, with `access`, the
//! permissions and certificates of separate processes.

mod access;

use std::process::ExitCode;

use kit::run::ServiceDefinition;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "access" => access::main(rest),
        _ => kit::run::main(definitions()),
    }
}

fn definitions() -> Vec<ServiceDefinition> {
    vec![
        content::definition(),
        auth::definition(),
        checkout::definition(),
        sessions::definition(),
        analytics::definition(),
        gateway::definition(),
    ]
}
