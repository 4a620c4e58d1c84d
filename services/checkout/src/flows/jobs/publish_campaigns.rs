//! Publishes the seed files: prices as immutable rows, rules as written; and emits which
//! campaigns changed.

use kit::clock::Clock;
use kit::database::Pool;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::domain::pricing::catalogue::{Catalogue, Rules};
use crate::domain::pricing::catalogue_diff::{self, CampaignDiff};
use crate::domain::pricing::seed::{self, Seed, SeedFile};
use crate::emit;
use crate::error::Result;
use crate::flows::steps::pricing::read_catalogue::read_catalogue;
use crate::store::pricing::{campaigns, coupons, prices};

/// Publishes what the service is shipped with, unless the last start did so already: what an editor has published since
/// then stays.
pub async fn publish_at_start(pool: &Pool, clock: &Clock, files: &[SeedFile]) -> Result<Catalogue> {
    let mut tx = kit::database::begin(pool).await?;
    campaigns::lock_publishing(&mut tx).await?;
    if campaigns::is_new_start(&mut tx, &digest(files)).await? {
        let changed = publish(&mut tx, clock, files).await?;
        tracing::info!(changed = changed.len(), "campaigns published");
    }
    let catalogue = read_catalogue(&mut tx).await?;
    tx.commit().await?;
    Ok(catalogue)
}

/// Returns the campaigns that changed.
pub async fn publish_campaigns(pool: &Pool, clock: &Clock, files: &[SeedFile]) -> Result<Vec<String>> {
    let mut tx = kit::database::begin(pool).await?;
    campaigns::lock_publishing(&mut tx).await?;
    let changed = publish(&mut tx, clock, files).await?;
    tx.commit().await?;
    Ok(changed)
}

fn digest(files: &[SeedFile]) -> String {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.name.as_bytes());
        hash.update([0]);
        hash.update(file.text.as_bytes());
        hash.update([0]);
    }
    hex::encode(hash.finalize())
}

async fn publish(tx: &mut PgConnection, clock: &Clock, files: &[SeedFile]) -> Result<Vec<String>> {
    let now = clock.now();
    let seed = seed::read(files)?;
    let before = seed::read(&campaigns::files(tx).await?).ok().map(Rules::from);
    let changes = catalogue_diff::diff(&seed, prices::on_sale(tx).await?)?;

    // Each row is locked until the end: in the order of their codes, as buyers do.
    let mut coupons_by_code: Vec<_> = seed.coupons.iter().collect();
    coupons_by_code.sort_unstable_by_key(|coupon| &coupon.code);
    for coupon in coupons_by_code {
        coupons::upsert(tx, coupon, now).await?;
    }
    let codes: Vec<String> = seed
        .campaigns
        .iter()
        .map(|campaign| campaign.code.clone())
        .collect();
    campaigns::retire_others(tx, &codes, now).await?;
    save(tx, clock, &seed, &changes).await?;
    campaigns::replace_files(tx, files, now).await?;

    // A limit, a currency or a bank's cards can concern every campaign.
    let rules_changed = before.as_ref() != Some(&Rules::from(seed));
    let touched: Vec<String> = changes
        .into_iter()
        .filter(|change| rules_changed || !change.is_empty())
        .map(|change| change.campaign)
        .collect();
    for code in &touched {
        emit::campaign_published(tx, clock, code).await?;
    }
    Ok(touched)
}

async fn save(tx: &mut PgConnection, clock: &Clock, seed: &Seed, changes: &[CampaignDiff]) -> Result<()> {
    let now = clock.now();
    for (campaign, change) in seed.campaigns.iter().zip(changes) {
        let campaign_id = campaigns::upsert(tx, campaign, now).await?;
        for price in &change.outdated {
            prices::retire(tx, price.price_id, now).await?;
        }
        for terms in &change.new {
            prices::insert(tx, campaign_id, terms, now).await?;
        }
    }
    Ok(())
}
