//! A mail server that delivers nothing: what the product sends lies in an inbox, for people at `/sandbox/inbox/` and for
//! tests at `/sandbox/mails`.

pub mod http;
mod message;
mod session;
pub mod smtp;

use std::{
    collections::VecDeque,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::{DateTime, Utc};
use serde::Serialize;

pub use message::Content;

const KEPT: usize = 500;

/// Who wrote to whom, as the envelope says.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    pub from: String,
    pub to: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Mail {
    pub id: u64,
    pub from: String,
    pub to: Vec<String>,
    #[serde(flatten)]
    pub content: Content,
    pub received_at: DateTime<Utc>,
}

#[derive(Default)]
pub struct Inbox {
    last_id: AtomicU64,
    mails: Mutex<VecDeque<Mail>>,
}

impl Inbox {
    fn keep(&self, envelope: Envelope, content: Content, received_at: DateTime<Utc>) {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let mut mails = self.mails();
        mails.push_back(Mail {
            id,
            from: envelope.from,
            to: envelope.to,
            content,
            received_at,
        });
        if mails.len() > KEPT {
            mails.pop_front();
        }
    }

    /// Oldest first.
    pub fn list(&self) -> Vec<Mail> {
        self.mails().iter().cloned().collect()
    }

    fn find(&self, id: u64) -> Option<Mail> {
        self.mails().iter().find(|mail| mail.id == id).cloned()
    }

    /// Without an address everything.
    fn clear(&self, to: Option<&str>) {
        self.mails().retain(|mail| to.is_some_and(|to| !mail.is_for(to)));
    }

    fn mails(&self) -> MutexGuard<'_, VecDeque<Mail>> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mail {
    fn is_for(&self, address: &str) -> bool {
        self.to.iter().any(|to| to.eq_ignore_ascii_case(address))
    }
}
