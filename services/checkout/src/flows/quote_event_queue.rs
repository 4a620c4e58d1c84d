//! The queue of events of in-memory responses, such as quotes. `publish_quote_events` publishes them.

use std::sync::Arc;

use kit::bus::CloudEvent;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender};
use tracing::Span;

use crate::domain::ids::UserId;
use crate::domain::pricing::catalogue::Price;

/// Queue limit while the database is unavailable.
const WAITING_MAX: usize = 10_000;

/// A quote to be published.
pub struct QuoteEvent {
    pub price: Arc<Price>,
    pub user_id: Option<UserId>,
    pub language: String,
    pub country: String,
    /// Of the request, so that its trace goes on with the event.
    pub span: Span,
}

/// An unpublished event.
pub enum Pending {
    Quote(QuoteEvent),
    /// About no member.
    Event(Box<CloudEvent>),
}

/// The queue in front of `publish_quote_events`.
pub struct QuoteEventPublisher(Sender<Pending>);

pub fn quote_event_queue() -> (QuoteEventPublisher, Receiver<Pending>) {
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    (QuoteEventPublisher(sender), receiver)
}

impl QuoteEventPublisher {
    pub fn enqueue_quote(&self, quoted: QuoteEvent) {
        self.push(Pending::Quote(quoted));
    }

    /// The event must be about no member.
    pub fn enqueue_event(&self, event: CloudEvent) {
        self.push(Pending::Event(Box::new(event)));
    }

    /// Drops the event when the queue is full, rather than delay a buyer.
    fn push(&self, pending: Pending) {
        if let Err(TrySendError::Full(_) | TrySendError::Closed(_)) = self.0.try_send(pending) {
            count_dropped();
        }
    }
}

pub fn count_dropped() {
    metrics::counter!("checkout_quote_events_dropped_total").increment(1);
}
