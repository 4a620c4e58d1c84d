//! The sessions service in a process of its own.
use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run::main(vec![sessions::definition()])
}
