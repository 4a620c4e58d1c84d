//! The auth service as its own process.
use std::process::ExitCode;

fn main() -> ExitCode {
    kit::run::main(vec![auth::definition()])
}
