//! Checkout as a process of its own; or, with `campaigns`, the editor's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match checkout::cli::Command::parse(&arguments) {
        Some(command) => checkout::cli::run(command),
        None => kit::run::main(vec![checkout::definition()]),
    }
}
