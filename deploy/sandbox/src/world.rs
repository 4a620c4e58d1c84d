//! What every part of the sandbox shares.

use std::sync::Arc;

use crate::{
    ai::Model, clock::VirtualClock, faults::Faults, journal::Journal, mail::Inbox, outbox::Delivery,
    paypal::Paypal, platron::Platron, social::Social, stripe::Twin, yookassa::Yookassa,
};

pub struct World {
    pub clock: VirtualClock,
    pub faults: Arc<Faults>,
    pub journal: Journal,
    pub twin: Twin,
    pub paypal: Paypal,
    pub yookassa: Yookassa,
    pub platron: Platron,
    pub model: Model,
    pub inbox: Inbox,
    pub social: Social,
}

impl World {
    /// Has every twin do what the clock has brought.
    pub fn catch_up(&self) {
        let now = self.clock.now().timestamp();
        self.twin.catch_up(now);
        self.paypal.catch_up(now);
        self.yookassa.catch_up(now);
        self.platron.catch_up(now);
    }

    /// The webhooks of every twin, open ones first and the newest of the others next.
    pub fn deliveries(&self) -> Vec<Delivery> {
        let stripe = self.twin.books().outbox.list().cloned().collect();
        [
            stripe,
            self.paypal.deliveries(),
            self.yookassa.deliveries(),
            self.platron.deliveries(),
        ]
        .concat()
    }
}
