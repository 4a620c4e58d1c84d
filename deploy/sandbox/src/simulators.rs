//! All simulators of one sandbox.

use std::sync::Arc;

use crate::{
    ai::LanguageModel,
    engine::{environment::Environment, webhooks::queue::Delivery},
    mail::Inbox,
    paypal::Paypal,
    platron::Platron,
    social::Social,
    stripe::Stripe,
    yookassa::Yookassa,
};

pub struct Simulators {
    pub environment: Arc<Environment>,
    pub stripe: Arc<Stripe>,
    pub paypal: Arc<Paypal>,
    pub yookassa: Arc<Yookassa>,
    pub platron: Arc<Platron>,
    pub model: Arc<LanguageModel>,
    pub inbox: Arc<Inbox>,
    pub social: Arc<Social>,
}

impl Simulators {
    /// Fires every timer that is due on the virtual clock.
    pub fn catch_up(&self) {
        let now = self.environment.now();
        self.stripe.catch_up(now);
        self.paypal.catch_up(now);
        self.yookassa.catch_up(now);
        self.platron.catch_up(now);
    }

    /// The webhooks of every provider: open deliveries, then closed ones, newest first.
    pub fn deliveries(&self) -> Vec<Delivery> {
        [
            self.stripe.deliveries(),
            self.paypal.deliveries(),
            self.yookassa.deliveries(),
            self.platron.deliveries(),
        ]
        .concat()
    }
}
