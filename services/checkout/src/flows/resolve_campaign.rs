//! What a campaign costs somebody, from memory, signed so that they pay exactly that; told to analytics as an offer seen.

use chrono::{DateTime, Utc};
use tracing::Span;

use super::Checkout;
use super::announce_quotes::Quoted;
use crate::domain::catalogue::{Enquiry, Price};
use crate::domain::coupon::{self, Coupon};
use crate::domain::ids::UserId;
use crate::domain::quote::Quote;
use crate::error::Result;
use crate::store::{coupons, customers};

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
    pub trial: Option<Price>,
    pub stripe_customer_id: Option<String>,
    pub quote: String,
    pub quote_expires_at: DateTime<Utc>,
}

pub async fn resolve_campaign(checkout: &Checkout, ask: &ResolveCampaign) -> Result<ResolvedOffer> {
    let now = checkout.clock.now();
    let catalogue = checkout.catalogue.get();
    let enquiry = Enquiry {
        campaign: &ask.campaign,
        coupon_code: &ask.coupon_code,
        language: &ask.language,
        country: &ask.country,
    };
    let offered = catalogue.offer(enquiry, now)?;
    let quote = Quote::of(offered.price, &ask.country, now);

    if let Some(coupon) = offered.coupon.filter(|coupon| coupon.is_counted()) {
        check_count(checkout, coupon, ask.user_id.as_ref()).await?;
    }
    let stripe_customer_id = match &ask.user_id {
        Some(user_id) => customers::stripe_id(&mut *checkout.pool.acquire().await?, user_id).await?,
        None => None,
    };
    checkout.announcer.tell(Quoted {
        price: offered.price.clone(),
        user_id: ask.user_id.clone(),
        language: ask.language.clone(),
        country: ask.country.clone(),
        span: Span::current(),
    });

    Ok(ResolvedOffer {
        price: offered.price.clone(),
        trial: offered.trial.cloned(),
        stripe_customer_id,
        quote: checkout.quote_keys.sign(&quote)?,
        quote_expires_at: quote.expires_at,
    })
}

/// What can be said before anybody buys; the last one is given away when an order opens.
async fn check_count(checkout: &Checkout, coupon: &Coupon, user_id: Option<&UserId>) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let Some(count) = coupons::count(&mut connection, &coupon.code, user_id).await? else {
        return Ok(());
    };
    let member_max = coupon.limits.member_max.map(i64::from);
    if member_max.is_some_and(|max| count.redeemed >= max) {
        return Err(coupon::Refusal::AlreadyUsed.into());
    }
    if count.is_exhausted && !count.is_held {
        return Err(coupon::Refusal::Exhausted.into());
    }
    Ok(())
}
