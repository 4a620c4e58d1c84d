//! Brings the price rows in line with the seed files, and tells which campaigns changed.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kit::clock::Clock;
use kit::database::Pool;
use sqlx::PgConnection;

use crate::domain::campaign::{self, Campaign, Terms};
use crate::domain::catalogue::{Catalogue, Price};
use crate::domain::seed::Seed;
use crate::emit;
use crate::error::Result;
use crate::store::{campaigns, prices};

pub async fn publish_campaigns(pool: &Pool, clock: &Clock, seed: Seed) -> Result<Catalogue> {
    let now = clock.now();
    let mut tx = pool.begin().await?;
    campaigns::lock_publishing(&mut tx).await?;

    let mut on_sale: HashMap<String, Vec<Price>> = HashMap::new();
    for price in prices::on_sale(&mut tx).await? {
        on_sale.entry(price.campaign.clone()).or_default().push(price);
    }
    let codes: Vec<String> = seed
        .campaigns
        .iter()
        .map(|campaign| campaign.code.clone())
        .collect();
    let mut changed = campaigns::retire_others(&mut tx, &codes, now).await?;
    for campaign in &seed.campaigns {
        let known = on_sale.remove(&campaign.code).unwrap_or_default();
        if publish_campaign(&mut tx, campaign, &known, now).await? == Published::Changed {
            changed.push(campaign.code.clone());
        }
    }
    for code in &changed {
        emit::campaign_published(&mut tx, clock, code).await?;
    }

    let catalogue = Catalogue::new(seed.currencies, prices::on_sale(&mut tx).await?);
    tx.commit().await?;
    tracing::info!(
        campaigns = codes.len(),
        changed = changed.len(),
        "Campaigns are published"
    );
    Ok(catalogue)
}

#[derive(PartialEq, Eq)]
enum Published {
    Changed,
    Unchanged,
}

async fn publish_campaign(
    tx: &mut PgConnection,
    campaign: &Campaign,
    known: &[Price],
    now: DateTime<Utc>,
) -> Result<Published> {
    let wanted = campaign::terms_of(campaign)?;
    let outdated: Vec<&Price> = known
        .iter()
        .filter(|price| !wanted.contains(&price.terms))
        .collect();
    let missing: Vec<&Terms> = wanted
        .iter()
        .filter(|terms| !known.iter().any(|price| price.terms == **terms))
        .collect();

    let campaign_id = campaigns::upsert(tx, campaign, now).await?;
    for price in &outdated {
        prices::retire(tx, price.price_id, now).await?;
    }
    for terms in &missing {
        prices::insert(tx, campaign_id, terms, now).await?;
    }
    let unchanged = outdated.is_empty() && missing.is_empty();
    Ok(if unchanged {
        Published::Unchanged
    } else {
        Published::Changed
    })
}
