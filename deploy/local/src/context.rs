//! What every step needs at hand.

use crate::{cancel::Cancel, console::Console, layout::Layout, settings::Vars};

pub struct Context {
    pub vars: Vars,
    pub layout: Layout,
    pub console: Console,
    pub cancel: &'static Cancel,
}
