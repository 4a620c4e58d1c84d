//! Publishes the events of in-memory responses in the background: quotes and BIN checks.
//! A crash loses the events of the last milliseconds; no other event is published this way.
//!
//! A guest's goes straight to the stream, which a rush of them may keep busy, and not before a payment's in the outbox. Into the
//! outbox goes what the stream does not take, and a member's: only in a transaction can it be said that they are not erased.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kit::bus::{Bus, CloudEvent};
use kit::erasure::is_tombstoned;
use sqlx::PgConnection;
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;

use crate::domain::ids::UserId;
use crate::emit::{self, Resolved};
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::quote_event_queue::{Pending, QuoteEvent, count_dropped};

const BATCH_MAX: usize = 500;
/// Batch window, equal to the relay's.
const GATHERING: Duration = Duration::from_millis(20);
const RETRY_AFTER: Duration = Duration::from_secs(1);

pub async fn publish_quote_events(
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
            tracing::warn!(%error, "quote events not published; retrying");
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
        Pending::Quote(quoted) => event(checkout, &quoted, None)
            .inspect_err(|_| count_dropped())
            .ok(),
        Pending::Event(event) => Some(*event),
    };
    let events: Vec<_> = pending.into_iter().filter_map(made).collect();
    let outcomes = bus.publish_all(&events.iter().collect::<Vec<_>>()).await;
    let payment_ref = events.into_iter().zip(outcomes);
    payment_ref
        .filter_map(|(event, outcome)| outcome.is_err().then_some(event))
        .collect()
}

async fn write(checkout: &Checkout, members: &[QuoteEvent], untaken: &[CloudEvent]) -> Result<()> {
    if members.is_empty() && untaken.is_empty() {
        return Ok(());
    }
    let mut tx = kit::database::begin(&checkout.pool).await?;
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

fn event(checkout: &Checkout, quoted: &QuoteEvent, user_id: Option<&UserId>) -> Result<CloudEvent> {
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

/// One query for the whole batch, because members are rarely erased meanwhile.
async fn tombstoned_members<'a>(
    tx: &mut PgConnection,
    batch: &'a [QuoteEvent],
) -> Result<BTreeSet<&'a UserId>> {
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
