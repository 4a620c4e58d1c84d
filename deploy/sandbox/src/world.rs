//! What every part of the sandbox shares.

use std::sync::Arc;

use crate::{
    ai::Model, clock::VirtualClock, faults::Faults, journal::Journal, mail::Inbox, social::Social,
    stripe::Twin,
};

pub struct World {
    pub clock: VirtualClock,
    pub faults: Arc<Faults>,
    pub journal: Journal,
    pub twin: Twin,
    pub model: Model,
    pub inbox: Inbox,
    pub social: Social,
}
