//! What every step needs.

use crate::{cancel::Cancel, console::Console, paths::Paths, settings::Vars};

pub struct Context {
    pub vars: Vars,
    pub paths: Paths,
    pub console: Console,
    pub cancel: &'static Cancel,
}
