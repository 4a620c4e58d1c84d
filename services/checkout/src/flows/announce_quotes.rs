//! Publishes the events of what is answered from memory: quotes, and checks of a card's first digits. The caller does not wait.
//! Events that are not published when a process is killed, some milliseconds of them, are lost; no other event goes this way.
//!
//! A guest's goes straight to the stream, which a rush of them may keep busy, and not before a payment's in the outbox. Into the
//! outbox goes what the stream does not take, and a member's: only in a transaction can it be said that they are not erased.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kit::bus::{Bus, CloudEvent};
use kit::erasure::is_tombstoned;
use sqlx::PgConnection;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio_util::sync::CancellationToken;
use tracing::Span;

use super::Checkout;
use crate::domain::catalogue::Price;
use crate::domain::ids::UserId;
use crate::emit::{self, Resolved};
use crate::error::Result;

/// What may wait while the database is away.
const WAITING_MAX: usize = 10_000;
const BATCH_MAX: usize = 500;
/// Between two batches, for the next one to gather: as long as the relay gathers what they write.
const GATHERING: Duration = Duration::from_millis(20);
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Who was quoted what.
pub struct Quoted {
    pub price: Arc<Price>,
    pub user_id: Option<UserId>,
    pub language: String,
    pub country: String,
    /// Of the request, so that its trace goes on with the event.
    pub span: Span,
}

/// An event that is yet to be published.
pub enum Pending {
    Quote(Quoted),
    /// About no member.
    Event(Box<CloudEvent>),
}

/// The queue in front of [`announce_quotes`].
pub struct Announcer(Sender<Pending>);

pub fn announcer() -> (Announcer, Receiver<Pending>) {
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    (Announcer(sender), receiver)
}

impl Announcer {
    pub fn tell(&self, quoted: Quoted) {
        self.push(Pending::Quote(quoted));
    }

    /// The event must be about no member.
    pub fn publish(&self, event: CloudEvent) {
        self.push(Pending::Event(Box::new(event)));
    }

    /// Drops it when too many wait: an offer seen is worth no buyer's time.
    fn push(&self, pending: Pending) {
        if let Err(TrySendError::Full(_) | TrySendError::Closed(_)) = self.0.try_send(pending) {
            untold();
        }
    }
}

fn untold() {
    metrics::counter!("checkout_quotes_untold_total").increment(1);
}

pub async fn announce_quotes(
    checkout: Arc<Checkout>,
    bus: Bus,
    mut waiting: Receiver<Pending>,
    shutdown: CancellationToken,
) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    loop {
        let received = tokio::select! {
            biased;
            received = waiting.recv_many(&mut batch, BATCH_MAX) => received,
            () = shutdown.cancelled(), if !waiting.is_closed() => {
                waiting.close();
                continue;
            }
        };
        // Closed, and nothing is left.
        if received == 0 {
            return;
        }
        let (mut members, mut others) = (Vec::new(), Vec::new());
        for pending in batch.drain(..) {
            match pending {
                Pending::Quote(quoted) if quoted.user_id.is_some() => members.push(quoted),
                other => others.push(other),
            }
        }
        let untaken = publish(&checkout, &bus, others).await;
        while let Err(error) = write(&checkout, &members, &untaken).await {
            tracing::warn!(%error, "Quotes could not be told yet; trying again");
            if shutdown.is_cancelled() {
                return;
            }
            tokio::time::sleep(RETRY_AFTER).await;
        }
        // A full batch left others behind: they have gathered.
        if received < BATCH_MAX {
            tokio::time::sleep(GATHERING).await;
        }
    }
}

/// Returns what the stream is not known to have.
async fn publish(checkout: &Checkout, bus: &Bus, pending: Vec<Pending>) -> Vec<CloudEvent> {
    let made = |pending| match pending {
        Pending::Quote(quoted) => event(checkout, &quoted, None).inspect_err(|_| untold()).ok(),
        Pending::Event(event) => Some(*event),
    };
    let events: Vec<_> = pending.into_iter().filter_map(made).collect();
    let outcomes = bus.publish_all(&events.iter().collect::<Vec<_>>()).await;
    let told = events.into_iter().zip(outcomes);
    told.filter_map(|(event, outcome)| outcome.is_err().then_some(event))
        .collect()
}

async fn write(checkout: &Checkout, members: &[Quoted], untaken: &[CloudEvent]) -> Result<()> {
    if members.is_empty() && untaken.is_empty() {
        return Ok(());
    }
    let mut tx = checkout.pool.begin().await?;
    let tombstoned = tombstoned_members(&mut tx, members).await?;
    let mut events = untaken.to_vec();
    for quoted in members {
        let member = quoted
            .user_id
            .as_ref()
            .filter(|member| !tombstoned.contains(member));
        events.push(event(checkout, quoted, member)?);
    }
    emit::all(&mut tx, &events).await?;
    tx.commit().await?;
    Ok(())
}

fn event(checkout: &Checkout, quoted: &Quoted, user_id: Option<&UserId>) -> Result<CloudEvent> {
    let resolved = Resolved {
        price: &quoted.price,
        user_id,
        language: &quoted.language,
        country: &quoted.country,
    };
    quoted
        .span
        .in_scope(|| emit::campaign_resolved(&checkout.clock, &resolved))
}

/// Nobody has been erased in the meantime, as a rule: one question for all of them.
async fn tombstoned_members<'a>(tx: &mut PgConnection, batch: &'a [Quoted]) -> Result<BTreeSet<&'a UserId>> {
    let members: BTreeSet<&UserId> = batch
        .iter()
        .filter_map(|quoted| quoted.user_id.as_ref())
        .collect();
    let marks: Vec<String> = members.iter().map(ToString::to_string).collect();
    let mut tombstoned = BTreeSet::new();
    if is_tombstoned(tx, &marks).await? {
        for member in members {
            if is_tombstoned(tx, &[member.to_string()]).await? {
                tombstoned.insert(member);
            }
        }
    }
    Ok(tombstoned)
}
