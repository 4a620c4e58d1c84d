//! Quotes a campaign's price from memory, signed so that the buyer pays exactly that. Emits `campaign.resolved`.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tracing::Span;

use crate::domain::ids::UserId;
use crate::domain::order::buyer::Buyer;
use crate::domain::pricing::catalogue::{Offered, Price, PriceQuery};
use crate::domain::pricing::coupon::{self, Coupon};
use crate::domain::pricing::quote::Quote;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::quote_event_queue::QuoteEvent;
use crate::flows::steps::hosted::offer_hosted_checkouts::{
    HostedCheckoutRequest, HostedCheckouts, offer_hosted_checkouts,
};
use crate::flows::steps::pricing::check_available::{check_bookable, check_not_owned};
use crate::store::order::customers;
use crate::store::pricing::{coupons, free_trials};

#[derive(Debug)]
pub struct ResolveCampaign {
    pub campaign: String,
    pub coupon_code: String,
    pub language: String,
    pub country: String,
    pub user_id: Option<UserId>,
    pub email: String,
    pub full_name: String,
}

#[derive(Debug)]
pub struct ResolvedOffer {
    pub price: Arc<Price>,
    /// 0 for a member who has used the free trial of the price.
    pub trial_days: i32,
    pub trial: Option<Price>,
    pub stripe_customer_id: Option<String>,
    pub quote: String,
    pub quote_expires_at: DateTime<Utc>,
    pub paypal_plan_id: Option<String>,
    pub hosted_checkouts: Option<HostedCheckouts>,
}

pub async fn resolve_campaign(checkout: &Checkout, ask: &ResolveCampaign) -> Result<ResolvedOffer> {
    let now = checkout.clock.now();
    let catalogue = checkout.catalogue.get();
    let enquiry = PriceQuery {
        campaign: &ask.campaign,
        coupon_code: &ask.coupon_code,
        language: &ask.language,
        country: &ask.country,
    };
    let offered = catalogue.offer(enquiry, now)?;
    check_bookable(checkout, &offered.price.terms)?;
    let trial_days = trial_days(checkout, ask, offered).await?;
    let quote = Quote {
        trial_days,
        ..Quote::of(offered.price, &ask.country, now)
    };

    if let Some(coupon) = offered.coupon.filter(|coupon| coupon.is_counted()) {
        check_count(checkout, coupon, ask.user_id.as_ref()).await?;
    }
    let stripe_customer_id = match &ask.user_id {
        Some(user_id) => {
            let mut connection = checkout.pool.acquire().await?;
            check_not_owned(&mut connection, user_id, &offered.price.terms).await?;
            customers::provider_customer_id(&mut connection, user_id).await?
        }
        None => None,
    };
    checkout.quote_events.enqueue_quote(QuoteEvent {
        price: Arc::clone(offered.price),
        user_id: ask.user_id.clone(),
        language: ask.language.clone(),
        country: ask.country.clone(),
        span: Span::current(),
    });

    let is_counted = offered.coupon.is_some_and(Coupon::is_counted);
    // The plan at the provider contains the trial of the price.
    let is_as_listed = trial_days == offered.price.terms.trial_days;
    let is_for_approval =
        offered.trial.is_none() && !is_counted && is_as_listed && !catalogue.is_for_cards(offered.price);
    Ok(ResolvedOffer {
        hosted_checkouts: hosted_checkouts(checkout, ask, offered).await?,
        paypal_plan_id: offered.price.paypal_plan_id.clone().filter(|_| is_for_approval),
        price: Arc::clone(offered.price),
        trial_days,
        trial: offered.trial.cloned(),
        stripe_customer_id,
        quote: checkout.quote_keys()?.sign(&quote)?,
        quote_expires_at: quote.expires_at,
    })
}

/// A free trial is had once; a trial that costs something, as often as it is paid.
async fn trial_days(checkout: &Checkout, ask: &ResolveCampaign, offered: Offered<'_>) -> Result<i32> {
    let terms = &offered.price.terms;
    let (Some(user_id), 1.., None) = (&ask.user_id, terms.trial_days, offered.trial) else {
        return Ok(terms.trial_days);
    };
    let mut connection = checkout.pool.acquire().await?;
    let is_used = free_trials::is_used(&mut connection, user_id, &terms.product).await?;
    Ok(if is_used { 0 } else { terms.trial_days })
}

/// Only a member can use a hosted checkout.
async fn hosted_checkouts(
    checkout: &Checkout,
    ask: &ResolveCampaign,
    offered: Offered<'_>,
) -> Result<Option<HostedCheckouts>> {
    let Some(user_id) = &ask.user_id else {
        return Ok(None);
    };
    let buyer = Buyer {
        user_id: user_id.clone(),
        email: ask.email.clone(),
        full_name: ask.full_name.clone(),
    };
    let wanted = HostedCheckoutRequest {
        price: offered.price,
        buyer: &buyer,
        country: &ask.country,
        language: &ask.language,
        is_counted: offered.coupon.is_some_and(Coupon::is_counted),
    };
    offer_hosted_checkouts(checkout, wanted).await
}

/// A check before purchase; the coupon is reserved when the order is created.
async fn check_count(checkout: &Checkout, coupon: &Coupon, user_id: Option<&UserId>) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let Some(count) = coupons::count(&mut connection, &coupon.code, user_id).await? else {
        return Ok(());
    };
    let member_max = coupon.limits.member_max.map(i64::from);
    if member_max.is_some_and(|max| count.redeemed >= max) {
        return Err(coupon::Refusal::AlreadyUsed.into());
    }
    if count.is_exhausted && !count.is_reserved {
        return Err(coupon::Refusal::Exhausted.into());
    }
    Ok(())
}
