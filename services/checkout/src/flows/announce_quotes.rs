//! Tells analytics of offers seen, many in one transaction: a quote is answered from memory and waits for nobody. What is not
//! written yet when a process is killed, some milliseconds of them, is lost; no other event goes this way.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use kit::erasure::is_barred;
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

/// Where quotes wait to be told.
pub struct Announcer(Sender<Quoted>);

pub fn announcer() -> (Announcer, Receiver<Quoted>) {
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    (Announcer(sender), receiver)
}

impl Announcer {
    /// Gives up on it when too many wait: an offer seen is worth no buyer's time.
    pub fn tell(&self, quoted: Quoted) {
        if let Err(TrySendError::Full(_) | TrySendError::Closed(_)) = self.0.try_send(quoted) {
            metrics::counter!("checkout_quotes_untold_total").increment(1);
        }
    }
}

pub async fn announce_quotes(
    checkout: Arc<Checkout>,
    mut waiting: Receiver<Quoted>,
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
        while let Err(error) = write(&checkout, &batch).await {
            tracing::warn!(%error, "Quotes could not be told yet; trying again");
            if shutdown.is_cancelled() {
                return;
            }
            tokio::time::sleep(RETRY_AFTER).await;
        }
        batch.clear();
        // A full batch left others behind: they have gathered.
        if received < BATCH_MAX {
            tokio::time::sleep(GATHERING).await;
        }
    }
}

async fn write(checkout: &Checkout, batch: &[Quoted]) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    let barred = barred_members(&mut tx, batch).await?;
    let mut drafts = Vec::with_capacity(batch.len());
    for quoted in batch {
        let told = quoted.user_id.as_ref().filter(|member| !barred.contains(member));
        let resolved = Resolved {
            price: &quoted.price,
            user_id: told,
            language: &quoted.language,
            country: &quoted.country,
        };
        let draft = || emit::campaign_resolved(&checkout.clock, &resolved);
        drafts.push(quoted.span.in_scope(draft)?);
    }
    emit::all(&mut tx, &checkout.clock, drafts).await?;
    tx.commit().await?;
    Ok(())
}

/// Nobody has been erased in the meantime, as a rule: one question for all of them.
async fn barred_members<'a>(tx: &mut PgConnection, batch: &'a [Quoted]) -> Result<BTreeSet<&'a UserId>> {
    let members: BTreeSet<&UserId> = batch
        .iter()
        .filter_map(|quoted| quoted.user_id.as_ref())
        .collect();
    let marks: Vec<String> = members.iter().map(ToString::to_string).collect();
    let mut barred = BTreeSet::new();
    if is_barred(tx, &marks).await? {
        for member in members {
            if is_barred(tx, &[member.to_string()]).await? {
                barred.insert(member);
            }
        }
    }
    Ok(barred)
}
