//! The service; or, with `lint` or `publish`, the editor's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match content::cli::Command::parse(&arguments) {
        Some(command) => command.run(),
        None => kit::run::main(vec![content::part()]),
    }
}
