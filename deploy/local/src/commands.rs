//! The commands of `local`, a module per command.
pub mod bench;
pub mod lint;
pub mod run;
pub mod screenshot;
pub mod test;
