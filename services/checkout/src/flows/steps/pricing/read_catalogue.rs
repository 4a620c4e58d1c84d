//! Loads the published catalogue into memory, and reloads it after each publication.

use std::sync::Arc;

use futures::{Stream, StreamExt};
use kit::bus::Watch;
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::domain::pricing::catalogue::{Catalogue, Rules};
use crate::domain::pricing::seed;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::pricing::{campaigns, prices};

pub async fn read_catalogue(conn: &mut PgConnection) -> Result<Catalogue> {
    let rules = Rules::from(seed::read(&campaigns::files(conn).await?)?);
    Ok(Catalogue::new(Arc::new(rules), prices::on_sale(conn).await?))
}

/// Also after a gap in the stream, which may hide a publication.
pub async fn follow_publications(
    checkout: Arc<Checkout>,
    published: impl Stream<Item = Watch> + Unpin,
    shutdown: CancellationToken,
) {
    let mut published = published;
    loop {
        let seen = tokio::select! {
            () = shutdown.cancelled() => return,
            seen = published.next() => seen,
        };
        if seen.is_none() {
            return;
        }
        match reread(&checkout).await {
            Ok(catalogue) => checkout.catalogue.replace(catalogue),
            // Of files that a newer version published, or a database that is away: what was on sale stays so here.
            Err(error) => tracing::error!(%error, "The catalogue could not be read again"),
        }
    }
}

async fn reread(checkout: &Checkout) -> Result<Catalogue> {
    read_catalogue(&mut *checkout.pool.acquire().await?).await
}
