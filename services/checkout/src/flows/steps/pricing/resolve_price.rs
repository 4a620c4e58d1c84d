//! Resolves the price of a submitted request: the quoted price, or without a quote the one on sale now; and the
//! coupon that comes with it.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::check_available::check_bookable;
use crate::domain::ids::{PriceId, UserId};
use crate::domain::order::Order;
use crate::domain::order::coupon_reservation::RESERVED_FOR;
use crate::domain::pricing::campaign::PriceKind;
use crate::domain::pricing::catalogue::Price;
use crate::domain::pricing::coupon;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::pricing::coupons::{self, ReservationOutcome};
use crate::store::pricing::{free_trials, prices};

/// The offer as submitted by the page.
#[derive(Debug, Clone)]
pub struct QuotedPrice {
    pub price_id: PriceId,
    pub coupon_code: String,
    /// Empty: the current price applies.
    pub quote: String,
}

pub struct ResolvedPrice {
    pub price: Price,
    /// Of the price, or 0 where the quote says that its trial has been used.
    pub trial_days: i32,
    basis: PriceSource,
}

enum PriceSource {
    Quote { expires_at: DateTime<Utc> },
    OnSale,
}

/// For a subscription without a paid trial.
pub async fn resolve_price(
    tx: &mut PgConnection,
    checkout: &Checkout,
    shown: &QuotedPrice,
) -> Result<ResolvedPrice> {
    let resolved = resolve_any_price(tx, checkout, shown).await?;
    // What is paid once, or for a trial, begins no subscription by itself.
    if resolved.price.terms.kind != PriceKind::Subscription {
        return Err(Error::UnknownPrice);
    }
    if checkout.catalogue.get().has_paid_trial(&resolved.price) {
        return Err(Error::TrialUnpaid);
    }
    Ok(resolved)
}

/// For a price of any kind.
pub async fn resolve_any_price(
    tx: &mut PgConnection,
    checkout: &Checkout,
    shown: &QuotedPrice,
) -> Result<ResolvedPrice> {
    let resolved = if shown.quote.is_empty() {
        let price = prices::find_on_sale(tx, shown.price_id).await?;
        let price = price.ok_or(Error::UnknownPrice)?;
        ResolvedPrice {
            trial_days: price.terms.trial_days,
            price,
            basis: PriceSource::OnSale,
        }
    } else {
        quoted(tx, checkout, shown).await?
    };
    Error::unless_coupon_fits(&resolved.price.terms, &shown.coupon_code)?;
    check_bookable(checkout, &resolved.price.terms)?;
    Ok(resolved)
}

/// A quoted price is valid even if it is no longer on sale.
async fn quoted(tx: &mut PgConnection, checkout: &Checkout, shown: &QuotedPrice) -> Result<ResolvedPrice> {
    let quote = checkout
        .quote_keys()?
        .read(&shown.quote)
        .map_err(|_| Error::QuoteInvalid)?;
    let price = prices::find(tx, quote.price_id).await?;
    let price = price
        .filter(|price| price.price_id == shown.price_id && quote.fits(price))
        .ok_or(Error::QuoteInvalid)?;
    Ok(ResolvedPrice {
        price,
        trial_days: quote.trial_days,
        basis: PriceSource::Quote {
            expires_at: quote.expires_at,
        },
    })
}

impl ResolvedPrice {
    /// Required for a new order. Joining a payment in flight needs no valid quote.
    pub fn check_not_expired(&self, now: DateTime<Utc>) -> Result<()> {
        match self.basis {
            PriceSource::Quote { expires_at } if now >= expires_at => Err(Error::QuoteExpired),
            _ => Ok(()),
        }
    }

    /// A free trial is granted once. A stale page is rejected, not charged another amount.
    pub async fn check_trial(&self, tx: &mut PgConnection, user_id: &UserId) -> Result<()> {
        if self.trial_days > 0 && free_trials::is_used(tx, user_id, &self.price.terms.product).await? {
            return Err(Error::TrialUsed);
        }
        Ok(())
    }

    /// Reserves the coupon in the order's transaction. Its dates and countries were checked by the quote.
    pub async fn reserve_coupon(
        &self,
        tx: &mut PgConnection,
        checkout: &Checkout,
        order: &Order,
    ) -> Result<()> {
        let code = &self.price.terms.coupon_code;
        if code.is_empty() {
            return Ok(());
        }
        let now = checkout.clock.now();
        if matches!(self.basis, PriceSource::OnSale) {
            let catalogue = checkout.catalogue.get();
            catalogue.check_coupon(&self.price.campaign, code, &order.country, now)?;
        }
        match coupons::reserve(tx, code, order, now + RESERVED_FOR).await? {
            ReservationOutcome::Reserved => Ok(()),
            ReservationOutcome::Exhausted => Err(coupon::Refusal::Exhausted.into()),
            ReservationOutcome::AlreadyUsed => Err(coupon::Refusal::AlreadyUsed.into()),
        }
    }
}
