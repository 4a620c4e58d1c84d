//! What a buyer agrees to by submitting: the price they were quoted, or without a quote the one on sale now; and the
//! coupon that comes with it.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::Checkout;
use super::check_sold::check_bookable;
use crate::domain::campaign::PriceKind;
use crate::domain::catalogue::Price;
use crate::domain::coupon::{self, HELD_FOR};
use crate::domain::ids::{PriceId, UserId};
use crate::domain::order::Order;
use crate::error::{Error, Result};
use crate::store::coupons::{self, Held};
use crate::store::{free_trials, prices};

/// What a page sends of the offer it shows.
#[derive(Debug, Clone)]
pub struct Shown {
    pub price_id: PriceId,
    pub coupon_code: String,
    /// Empty: an older page, which takes whatever is on sale.
    pub quote: String,
}

pub struct Agreed {
    pub price: Price,
    /// Of the price, or 0 where the quote says that its trial has been used.
    pub trial_days: i32,
    basis: Basis,
}

enum Basis {
    Quote { expires_at: DateTime<Utc> },
    OnSale,
}

/// To a subscription that begins by itself, with a free trial or none.
pub async fn agree_price(tx: &mut PgConnection, checkout: &Checkout, shown: &Shown) -> Result<Agreed> {
    let agreed = agree_any(tx, checkout, shown).await?;
    // What is paid once, or for a trial, begins no subscription by itself.
    if agreed.price.terms.kind != PriceKind::Subscription {
        return Err(Error::UnknownPrice);
    }
    if checkout.catalogue.get().has_paid_trial(&agreed.price) {
        return Err(Error::TrialUnpaid);
    }
    Ok(agreed)
}

/// To a price of whatever kind.
pub async fn agree_any(tx: &mut PgConnection, checkout: &Checkout, shown: &Shown) -> Result<Agreed> {
    let agreed = if shown.quote.is_empty() {
        let price = prices::find_on_sale(tx, shown.price_id).await?;
        let price = price.ok_or(Error::UnknownPrice)?;
        Agreed {
            trial_days: price.terms.trial_days,
            price,
            basis: Basis::OnSale,
        }
    } else {
        quoted(tx, checkout, shown).await?
    };
    Error::unless_coupon_fits(&agreed.price.terms, &shown.coupon_code)?;
    check_bookable(checkout, &agreed.price.terms)?;
    Ok(agreed)
}

/// On sale or not: what was quoted holds.
async fn quoted(tx: &mut PgConnection, checkout: &Checkout, shown: &Shown) -> Result<Agreed> {
    let quote = checkout
        .quote_keys
        .read(&shown.quote)
        .map_err(|_| Error::QuoteInvalid)?;
    let price = prices::find(tx, quote.price_id).await?;
    let price = price
        .filter(|price| price.price_id == shown.price_id && quote.fits(price))
        .ok_or(Error::QuoteInvalid)?;
    Ok(Agreed {
        price,
        trial_days: quote.trial_days,
        basis: Basis::Quote {
            expires_at: quote.expires_at,
        },
    })
}

impl Agreed {
    /// Before anything new is begun by it. Joining what is under way needs no quote that still holds.
    pub fn check_in_time(&self, now: DateTime<Utc>) -> Result<()> {
        match self.basis {
            Basis::Quote { expires_at } if now >= expires_at => Err(Error::QuoteExpired),
            _ => Ok(()),
        }
    }

    /// A free trial is had once. What the page shows is out of date then, and nothing else is charged in its place.
    pub async fn check_trial(&self, tx: &mut PgConnection, user_id: &UserId) -> Result<()> {
        if self.trial_days > 0 && free_trials::is_used(tx, user_id, &self.price.terms.product).await? {
            return Err(Error::TrialUsed);
        }
        Ok(())
    }

    /// Takes the coupon for the order, in its transaction. Its dates and countries were looked at when it was quoted.
    pub async fn hold_coupon(&self, tx: &mut PgConnection, checkout: &Checkout, order: &Order) -> Result<()> {
        let code = &self.price.terms.coupon_code;
        if code.is_empty() {
            return Ok(());
        }
        let now = checkout.clock.now();
        if matches!(self.basis, Basis::OnSale) {
            let catalogue = checkout.catalogue.get();
            catalogue.check_coupon(&self.price.campaign, code, &order.country, now)?;
        }
        match coupons::hold(tx, code, order, now + HELD_FOR).await? {
            Held::Yes => Ok(()),
            Held::Exhausted => Err(coupon::Refusal::Exhausted.into()),
            Held::AlreadyUsed => Err(coupon::Refusal::AlreadyUsed.into()),
        }
    }
}
