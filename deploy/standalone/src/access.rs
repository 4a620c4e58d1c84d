//! `standalone access …`: what separate processes need to trust each other, made from the services' own declarations
//! (`kit::run::Access`). `make run`, Docker Compose and the Helm job call the same commands.

mod certificates;
mod nats;
mod postgres;

use std::process::ExitCode;

const USAGE: &str = "\
standalone access certificates DIRECTORY [--renew]           a certificate authority and a certificate per service
standalone access nats [--reader NAME=FILTER[,FILTER…]]… [--clock-bucket NAME]
                                                              the server's users and permissions, on the standard output
standalone access postgres                                   the roles of all schemas, in the database ADMIN_DATABASE_URL";

const EXIT_USAGE: u8 = 64;

pub fn main(arguments: &[String]) -> ExitCode {
    let outcome = match arguments.split_first() {
        Some((command, rest)) if command == "certificates" => certificates::run(rest, &super::definitions()),
        Some((command, rest)) if command == "nats" => nats::run(rest, &super::definitions()),
        Some((command, rest)) if command == "postgres" => postgres::run(rest, &super::definitions()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
