//! What a campaign costs somebody, told to analytics as an offer seen.

use kit::erasure::is_barred;

use super::Checkout;
use crate::domain::catalogue::{Enquiry, Price};
use crate::domain::ids::UserId;
use crate::emit::{self, Resolved};
use crate::error::Result;
use crate::store::customers;

#[derive(Debug)]
pub struct ResolveCampaign {
    pub campaign: String,
    pub coupon_code: String,
    pub language: String,
    pub country: String,
    pub user_id: Option<UserId>,
}

#[derive(Debug)]
pub struct ResolvedOffer {
    pub price: Price,
    pub stripe_customer_id: Option<String>,
}

pub async fn resolve_campaign(checkout: &Checkout, ask: &ResolveCampaign) -> Result<ResolvedOffer> {
    let catalogue = checkout.catalogue.get();
    let enquiry = Enquiry {
        campaign: &ask.campaign,
        coupon_code: &ask.coupon_code,
        language: &ask.language,
    };
    let price = catalogue.price(enquiry)?;

    let mut tx = checkout.pool.begin().await?;
    let stripe_customer_id = match &ask.user_id {
        Some(user_id) => customers::stripe_id(&mut tx, user_id).await?,
        None => None,
    };
    let told = match &ask.user_id {
        Some(user_id) if is_barred(&mut tx, &[user_id.to_string()]).await? => None,
        member => member.as_ref(),
    };
    let resolved = Resolved {
        price,
        user_id: told,
        language: &ask.language,
        country: &ask.country,
    };
    emit::campaign_resolved(&mut tx, &checkout.clock, &resolved).await?;
    tx.commit().await?;

    Ok(ResolvedOffer {
        price: price.clone(),
        stripe_customer_id,
    })
}
