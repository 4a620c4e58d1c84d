//! Platron's twin: signed forms in, signed XML out, and the calls back to the merchant, on books of its own.
//!
//! In reading order: `http` (a script's way to its work), `scripts`, `signature` and `xml` (the form of every message), `payment`
//! and `error`; what happens to a payment (`fate`) and how the merchant hears of it (`calls`); what is remembered (`books`); what
//! somebody who pays sees (`checkout`, `browser`).

use std::sync::Arc;

use crate::{
    courier::{Answer, Letter},
    faults::Faults,
    outbox::Delivery,
    twin::{self, Twin},
};

pub mod books;
pub mod browser;
mod calls;
mod checkout;
mod error;
mod fate;
mod http;
mod payment;
mod scripts;
pub mod signature;
mod xml;

pub use checkout::{Deed, Refused};

use books::Books;

/// What the product is known as at Platron, and what stands in its settings there.
#[derive(Clone, Debug)]
pub struct Settings {
    pub merchant_id: String,
    pub secret_key: String,
    /// Asked and told where a payment names no address of its own.
    pub check_url: Option<String>,
    pub result_url: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            merchant_id: "82".into(),
            secret_key: "platron-secret-stillpoint".into(),
            check_url: None,
            result_url: None,
        }
    }
}

pub struct House {
    /// Where the twin stands.
    url: String,
    settings: Settings,
    faults: Arc<Faults>,
}

type Ctx<'a> = twin::Ctx<'a, House>;

pub type Platron = Twin<House>;

impl Platron {
    pub fn open(public_url: &str, settings: &Settings, faults: Arc<Faults>, books: Books) -> Self {
        let house = House {
            url: format!("{public_url}/platron"),
            settings: settings.clone(),
            faults,
        };
        Self::new(house, books)
    }
}

impl twin::House for House {
    type Books = Books;

    /// Each half hour for two hours.
    const WAITS: &'static [i64] = &[1_800, 1_800, 1_800, 1_800];

    fn wake(ctx: &mut Ctx<'_>, id: &str) {
        fate::wake(ctx, id);
    }

    fn letter(&self, books: &Books, delivery: &Delivery, _: i64) -> Option<Letter> {
        let call = books.calls.get(&delivery.event)?;
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&call.fields)
            .finish();
        Some(Letter {
            url: call.url.clone(),
            headers: vec![("content-type", "application/x-www-form-urlencoded".into())],
            body: form.into_bytes(),
        })
    }

    fn heard(ctx: &mut Ctx<'_>, delivery: &Delivery, answer: Option<&Answer>) -> bool {
        calls::heard(ctx, &delivery.event, answer)
    }
}
