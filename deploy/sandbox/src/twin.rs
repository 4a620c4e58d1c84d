//! What the twins of PayPal, YooKassa and Platron have in common: books that follow the clock, and letters to the merchant.

use std::sync::MutexGuard;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::{
    courier::{Answer, Letter, Sender},
    memory::Memory,
    outbox::{Delivery, Outbox},
    wakes::Wakes,
};

/// A provider: its settings, and what it does in its own way.
pub trait House: Send + Sync + Sized + 'static {
    type Books: Ledger;

    /// Virtual seconds before each further try of a letter.
    const WAITS: &'static [i64];

    /// The time of one thing has come.
    fn wake(ctx: &mut Ctx<'_, Self>, id: &str);

    fn letter(&self, books: &Self::Books, delivery: &Delivery, now: i64) -> Option<Letter>;

    /// Takes in what the receiver answered, and says whether that was acceptance.
    fn heard(ctx: &mut Ctx<'_, Self>, delivery: &Delivery, answer: Option<&Answer>) -> bool;
}

pub trait Ledger: Send + 'static {
    fn agenda(&mut self) -> &mut Agenda;
}

/// What waits for its time.
#[derive(Default, Serialize, Deserialize)]
pub struct Agenda {
    pub outbox: Outbox,
    pub wakes: Wakes,
    #[serde(skip)]
    revision: u64,
}

impl Agenda {
    pub fn touch(&mut self) {
        self.revision += 1;
    }

    /// Grows with every change: the snapshot writer's cue.
    pub const fn revision(&self) -> u64 {
        self.revision
    }
}

/// One piece of work on the books, at one moment.
pub struct Ctx<'a, H: House> {
    pub books: &'a mut H::Books,
    pub now: i64,
    pub house: &'a H,
}

pub struct Twin<H: House> {
    pub house: H,
    memory: Memory<H::Books>,
}

impl<H: House> Twin<H> {
    pub fn new(house: H, mut books: H::Books) -> Self {
        books.agenda().outbox.recover();
        Self {
            house,
            memory: Memory::new(books),
        }
    }

    /// Does what the clock has brought, then the given work, at one moment.
    pub fn work<R>(&self, now: i64, work: impl FnOnce(&mut Ctx<'_, H>) -> R) -> R {
        let mut books = self.up_to(now);
        let result = work(&mut Ctx {
            books: &mut books,
            now,
            house: &self.house,
        });
        books.agenda().touch();
        drop(books);
        self.memory.changed.notify_one();
        result
    }

    /// Does what the clock has brought, and has its letters sent.
    pub fn catch_up(&self, now: i64) {
        self.work(now, |_| ());
    }

    pub fn books(&self) -> MutexGuard<'_, H::Books> {
        self.memory.books()
    }

    pub fn deliveries(&self) -> Vec<Delivery> {
        self.books().agenda().outbox.list().cloned().collect()
    }

    /// The books, with everything done whose time has come, each thing as of its own moment.
    fn up_to(&self, now: i64) -> MutexGuard<'_, H::Books> {
        let mut books = self.books();
        while let Some((at, id)) = books.agenda().wakes.first_due(now) {
            books.agenda().wakes.set(&id, None);
            books.agenda().touch();
            let mut ctx = Ctx {
                books: &mut *books,
                now: at,
                house: &self.house,
            };
            H::wake(&mut ctx, &id);
        }
        books
    }
}

impl<H: House> Sender for Twin<H> {
    const WAITS: &'static [i64] = H::WAITS;

    fn changed(&self) -> &Notify {
        &self.memory.changed
    }

    fn outbox<R>(&self, now: i64, work: impl FnOnce(&mut Outbox) -> R) -> R {
        work(&mut self.up_to(now).agenda().outbox)
    }

    fn next_moment(&self) -> Option<i64> {
        let mut books = self.books();
        let agenda = books.agenda();
        agenda
            .wakes
            .next()
            .into_iter()
            .chain(agenda.outbox.next_due())
            .min()
    }

    fn letter(&self, delivery: &Delivery, now: i64) -> Option<Letter> {
        self.house.letter(&self.books(), delivery, now)
    }

    fn heard(&self, delivery: &Delivery, answer: Option<&Answer>, now: i64) -> bool {
        self.work(now, |ctx| H::heard(ctx, delivery, answer))
    }
}
