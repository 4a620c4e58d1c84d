//! Read-only queries of the operators' command line.

use kit::database::Pool;

use crate::domain::pricing::catalogue::Price;
use crate::domain::pricing::seed::SeedFile;
use crate::domain::withdrawal::Withdrawal;
use crate::error::Result;
use crate::store::pricing::{campaigns, prices};
use crate::store::{ledger, webhook_events, withdrawals};

/// What each account of the ledger holds, in each currency, in minor units.
pub async fn list_balances(pool: &Pool) -> Result<Vec<(String, String, i64)>> {
    Ok(ledger::balances(&mut *pool.acquire().await?).await?)
}

/// Provider, id, kind and last error of the webhooks that are given up, newest first.
pub async fn list_dead_lettered_webhooks(
    pool: &Pool,
    limit: i64,
) -> Result<Vec<(String, String, String, String)>> {
    Ok(webhook_events::list_dead_lettered(&mut *pool.acquire().await?, limit).await?)
}

/// Newest first.
pub async fn list_withdrawals(pool: &Pool, limit: i64) -> Result<Vec<Withdrawal>> {
    Ok(withdrawals::list(&mut *pool.acquire().await?, limit).await?)
}

/// The published campaign files, and the prices on sale.
pub async fn list_published(pool: &Pool) -> Result<(Vec<SeedFile>, Vec<Price>)> {
    let mut connection = pool.acquire().await?;
    let files = campaigns::files(&mut connection).await?;
    Ok((files, prices::on_sale(&mut connection).await?))
}
