//! Stripe's twin: its public protocol at one API version, on books of its own.
//!
//! In reading order: `http` (a request's way through keys, idempotency and faults), `routes`, `verbs`; what they are
//! made of (`form`, `parameters`, `params`, `error`, `lists`, `expand`); how money moves (`cards`, `charging`, `drafting`,
//! `invoicing`, `subscribing`, `scheduling`, `billing`); what is remembered (`books`) and told (`webhooks`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{faults::Faults, memory::Memory, sandbox::Webhook};

mod auth;
mod billing;
pub mod books;
pub mod browser;
mod calendar;
mod cards;
mod charging;
mod ctx;
mod drafting;
mod error;
mod expand;
pub mod fate;
mod form;
pub mod http;
mod invoicing;
pub mod kinds;
mod lists;
mod parameters;
mod params;
mod repricing;
mod routes;
mod scheduling;
mod subscribing;
mod verbs;
mod webhooks;

pub const API_VERSION: &str = "2026-10-28.endive";

/// The endpoint that comes from the environment, as an object among the others.
const CONFIGURED_ENDPOINT: &str = "we_1configured";

/// What the whole account shares.
pub struct House {
    pub public_url: String,
    pub secret_key: String,
    pub publishable_key: String,
    pub faults: Arc<Faults>,
}

pub struct Twin {
    pub house: House,
    memory: Memory<books::Books>,
    misuses: Mutex<Vec<String>>,
}

impl Twin {
    pub fn new(house: House, mut books: books::Books) -> Self {
        books.remove(kinds::Kind::WebhookEndpoint, CONFIGURED_ENDPOINT);
        books.keys.release_unanswered();
        books.outbox.recover();
        books.rebuild_wakes();
        Self {
            house,
            memory: Memory::new(books),
            misuses: Mutex::default(),
        }
    }

    /// Does what is due by the virtual clock, then the given work, at one moment.
    fn work<R>(&self, now: i64, cause: ctx::Cause, work: impl FnOnce(&mut ctx::Ctx<'_>) -> R) -> R {
        let mut books = self.books();
        billing::run(&mut books, &self.house, now);
        let result = work(&mut ctx::Ctx {
            books: &mut books,
            now,
            cause,
            house: &self.house,
        });
        drop(books);
        self.memory.changed.notify_one();
        result
    }

    /// What a server sent that Stripe's API does not have.
    pub fn misuses(&self) -> Vec<String> {
        self.noted().clone()
    }

    fn note_misuse(&self, misuse: String) {
        self.noted().push(misuse);
    }

    fn noted(&self) -> MutexGuard<'_, Vec<String>> {
        self.misuses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the billing engine catch up with the clock.
    fn bill(&self, now: i64) {
        billing::run(&mut self.books(), &self.house, now);
    }

    /// Does what the clock has brought, and has its webhooks sent.
    pub fn catch_up(&self, now: i64) {
        self.bill(now);
        self.memory.changed.notify_one();
    }

    /// These events go there from now on.
    pub fn listen(&self, webhook: &Webhook, now: i64) {
        let Webhook { url, secret, events } = webhook;
        let endpoint = verbs::webhook_endpoints::build(CONFIGURED_ENDPOINT, (url, secret), events, now);
        self.books().put(kinds::Kind::WebhookEndpoint, endpoint);
    }

    pub fn books(&self) -> MutexGuard<'_, books::Books> {
        self.memory.books()
    }
}
