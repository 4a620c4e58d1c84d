//! The auth service as its own process; or, with `roles`, the operator's command line.
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match auth::cli::Command::parse(&arguments) {
        Some(command) => auth::cli::run(command),
        None => kit::run::main(vec![auth::definition()]),
    }
}
