//! The inbox: the last 500 mails.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::message::Content;
use crate::engine::environment::Environment;

const MAILS_MAX: usize = 500;

/// Sender and recipients of the SMTP envelope.
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

pub struct Inbox {
    pub environment: Arc<Environment>,
    last_id: AtomicU64,
    mails: Mutex<VecDeque<Mail>>,
}

impl Inbox {
    pub fn new(environment: Arc<Environment>) -> Self {
        Self {
            environment,
            last_id: AtomicU64::default(),
            mails: Mutex::default(),
        }
    }

    pub fn store(&self, envelope: Envelope, content: Content) {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let mut mails = self.mails();
        mails.push_back(Mail {
            id,
            from: envelope.from,
            to: envelope.to,
            content,
            received_at: self.environment.clock.now(),
        });
        if mails.len() > MAILS_MAX {
            mails.pop_front();
        }
    }

    /// Oldest first.
    pub fn list(&self) -> Vec<Mail> {
        self.mails().iter().cloned().collect()
    }

    pub fn find(&self, id: u64) -> Option<Mail> {
        self.mails().iter().find(|mail| mail.id == id).cloned()
    }

    /// Deletes the mails to this address, or all.
    pub fn clear(&self, to: Option<&str>) {
        self.mails().retain(|mail| to.is_some_and(|to| !mail.is_for(to)));
    }

    fn mails(&self) -> MutexGuard<'_, VecDeque<Mail>> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mail {
    pub fn is_for(&self, address: &str) -> bool {
        self.to.iter().any(|to| to.eq_ignore_ascii_case(address))
    }
}
