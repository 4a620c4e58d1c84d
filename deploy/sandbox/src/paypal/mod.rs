//! PayPal's twin: catalogue, subscriptions, refunds and webhooks, on books of its own.
//!
//! In reading order: `http` (a call's way to its verb), `tokens`, `catalogue`, `subscribing`, `refunding`, `notifications`; what
//! they are made of (`terms`, `subscription`, `buyers`, `sales`, `error`); how money moves (`billing`); what is remembered
//! (`books`) and told (`events`, `signing`); what a buyer sees (`approval`, `browser`).

use std::sync::Arc;

use crate::{
    courier::{Answer, Letter},
    faults::Faults,
    outbox::Delivery,
    twin::{self, Twin},
};

mod approval;
mod billing;
pub mod books;
pub mod browser;
pub mod buyers;
mod catalogue;
mod error;
mod events;
mod http;
mod notifications;
mod refunding;
mod sales;
mod signing;
mod subscribing;
mod subscription;
mod terms;
mod tokens;

pub use approval::{Decision, Refused};
pub use buyers::Buyer;

use books::{Books, Webhook};

/// What the product is known as at PayPal.
#[derive(Clone, Debug)]
pub struct Settings {
    pub client_id: String,
    pub client_secret: String,
    /// Where every event goes from the start.
    pub webhook_url: Option<String>,
    pub webhook_id: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            client_id: "paypal-client-stillpoint".into(),
            client_secret: "paypal-secret-stillpoint".into(),
            webhook_url: None,
            webhook_id: "9SB12345ST67890PT".into(),
        }
    }
}

pub struct House {
    /// Where the twin stands.
    url: String,
    client_id: String,
    client_secret: String,
    faults: Arc<Faults>,
}

impl House {
    /// Where a buyer agrees.
    fn approval_url(&self, token: &str) -> String {
        format!("{}/webapps/billing/subscriptions?ba_token={token}", self.url)
    }
}

type Ctx<'a> = twin::Ctx<'a, House>;

pub type Paypal = Twin<House>;

impl Paypal {
    pub fn open(public_url: &str, settings: &Settings, faults: Arc<Faults>, mut books: Books) -> Self {
        books.keys.release_unanswered();
        books.webhooks.remove(&settings.webhook_id);
        let house = House {
            url: format!("{public_url}/paypal"),
            client_id: settings.client_id.clone(),
            client_secret: settings.client_secret.clone(),
            faults,
        };
        let twin = Self::new(house, books);
        if let Some(url) = &settings.webhook_url {
            twin.listen(url, &settings.webhook_id);
        }
        twin
    }

    /// Every event goes to this address from now on.
    pub fn listen(&self, url: &str, webhook_id: &str) {
        let webhook = Webhook {
            id: webhook_id.to_owned(),
            url: url.to_owned(),
            event_types: vec!["*".into()],
        };
        self.books().webhooks.put(webhook_id, webhook);
    }
}

impl twin::House for House {
    type Books = Books;

    /// Twenty-five tries within three days.
    const WAITS: &'static [i64] = &[
        60, 120, 300, 600, 1_200, 1_800, 3_600, 3_600, 3_600, 3_600, 3_600, 16_800, 16_800, 16_800, 16_800,
        16_800, 16_800, 16_800, 16_800, 16_800, 16_800, 16_800, 16_800, 16_800,
    ];

    fn wake(ctx: &mut Ctx<'_>, id: &str) {
        billing::wake(ctx, id);
    }

    fn letter(&self, books: &Books, delivery: &Delivery, now: i64) -> Option<Letter> {
        let webhook = books.webhooks.get(&delivery.endpoint)?;
        let body = books.events.get(&delivery.event)?.to_string().into_bytes();
        let mut headers = signing::headers(self, &webhook.id, &body, now);
        headers.push(("content-type", "application/json".into()));
        headers.push(("user-agent", "PayPal/AUHD-214.0-58843756".into()));
        Some(Letter {
            url: webhook.url.clone(),
            headers,
            body,
        })
    }

    fn heard(_: &mut Ctx<'_>, _: &Delivery, answer: Option<&Answer>) -> bool {
        answer.is_some_and(Answer::is_success)
    }
}
