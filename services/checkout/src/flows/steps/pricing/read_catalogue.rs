//! Loads the published catalogue into memory, and reloads it after each publication.

use std::sync::Arc;

use futures::{Stream, StreamExt};
use kit::bus::Watch;
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::domain::pricing::catalogue::{Catalogue, Price, Rules};
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
        let reloaded = checkout.catalogue.reload(async || reread(&checkout).await).await;
        if let Err(error) = reloaded {
            // Of files that a newer version published, or a database that is away: what was on sale stays so here.
            tracing::error!(%error, "catalogue not reloaded; the cached one stays in use");
        }
    }
}

async fn reread(checkout: &Checkout) -> Result<Catalogue> {
    read_catalogue(&mut *checkout.pool.acquire().await?).await
}

/// Keeps the rules: this version may be unable to read those of a newer one.
pub async fn reload_prices(checkout: &Checkout) -> Result<()> {
    let catalogue = &checkout.catalogue;
    catalogue
        .reload(async || {
            let on_sale = read_on_sale(checkout).await?;
            Ok(Catalogue::new(catalogue.get().rules().clone(), on_sale))
        })
        .await
}

pub async fn read_on_sale(checkout: &Checkout) -> Result<Vec<Price>> {
    Ok(prices::on_sale(&mut *checkout.pool.acquire().await?).await?)
}
