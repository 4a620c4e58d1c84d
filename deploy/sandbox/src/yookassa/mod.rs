//! YooKassa's twin: payments, saved cards, refunds and notifications, on books of its own.
//!
//! In reading order: `http` (a call's way to its verb), `paying`, `refunding`; what they are made of (`payment`, `cards`, `error`);
//! what happens to a payment (`fate`); what is remembered (`books`); what somebody who pays sees (`checkout`, `browser`).

use std::sync::Arc;

use crate::{
    courier::{Answer, Letter},
    faults::Faults,
    outbox::Delivery,
    twin::{self, Twin},
};

pub mod books;
pub mod browser;
mod cards;
mod checkout;
mod error;
mod fate;
mod http;
mod paying;
mod payment;
mod refunding;

pub use checkout::{Card, Deed, Outcome, Refused, Secure};

use books::Books;

/// Notifications have one address.
const MERCHANT: &str = "merchant";

/// What the product is known as at YooKassa.
#[derive(Clone, Debug)]
pub struct Settings {
    pub shop_id: String,
    pub secret_key: String,
    /// Where notifications go.
    pub webhook_url: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            shop_id: "100500".into(),
            secret_key: "test_yookassa-stillpoint".into(),
            webhook_url: None,
        }
    }
}

pub struct House {
    /// Where the twin stands.
    url: String,
    shop_id: String,
    secret_key: String,
    faults: Arc<Faults>,
}

type Ctx<'a> = twin::Ctx<'a, House>;

pub type Yookassa = Twin<House>;

impl Yookassa {
    pub fn open(public_url: &str, settings: &Settings, faults: Arc<Faults>, mut books: Books) -> Self {
        books.keys.release_unanswered();
        books.webhook_url.clone_from(&settings.webhook_url);
        let house = House {
            url: format!("{public_url}/yookassa"),
            shop_id: settings.shop_id.clone(),
            secret_key: settings.secret_key.clone(),
            faults,
        };
        Self::new(house, books)
    }

    /// Notifications go to this address from now on.
    pub fn listen(&self, url: &str) {
        self.books().webhook_url = Some(url.to_owned());
    }
}

impl twin::House for House {
    type Books = Books;

    /// Within twenty-four hours.
    const WAITS: &'static [i64] = &[
        10, 60, 300, 900, 1_800, 3_600, 7_200, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800,
    ];

    fn wake(ctx: &mut Ctx<'_>, id: &str) {
        fate::wake(ctx, id);
    }

    fn letter(&self, books: &Books, delivery: &Delivery, _: i64) -> Option<Letter> {
        Some(Letter {
            url: books.webhook_url.clone()?,
            headers: vec![
                ("content-type", "application/json".into()),
                ("user-agent", "AHC/2.1".into()),
            ],
            body: books.notifications.get(&delivery.event)?.to_string().into_bytes(),
        })
    }

    fn heard(_: &mut Ctx<'_>, _: &Delivery, answer: Option<&Answer>) -> bool {
        answer.is_some_and(|answer| answer.status == 200)
    }
}
