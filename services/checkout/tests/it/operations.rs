//! The command line and the database schema.

mod command_line;
mod indexes;
pub mod ledger_cli;
