//! The service; or, with a verb such as `lint` or `publish`, the editor's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match content::cli::Command::parse(&arguments) {
        Some(command) => content::cli::run(command),
        None => kit::run::main(vec![content::definition()]),
    }
}
