//! What has become of a page: paid, it becomes an order; over, it is forgotten. By the provider's word alone, whoever asked for it.

use std::collections::BTreeMap;

use sqlx::PgConnection;

use super::Checkout;
use super::adopt_gift::adopt_gift;
use super::adopt_payment::{Adoption, adopt_payment};
use super::check_sold::check_not_owned;
use super::tell_platron::tell_failed;
use crate::domain::ids::PageId;
use crate::domain::order::OrderKind;
use crate::domain::page::{Page, PageState, Reference};
use crate::domain::provider::Provider;
use crate::domain::report::{Charge, Snapshot};
use crate::domain::sale::kind_of;
use crate::error::{Error, Result};
use crate::ports::{ProviderError, SeenPage, Verdict};
use crate::store::{charges, pages, prices, subscriptions};

pub async fn settle_page(checkout: &Checkout, page: Page, checks: i32, snapshot: Snapshot) -> Result<()> {
    let charge = snapshot.charge.clone();
    if page.state.after(&charge) == PageState::Paid {
        adopt(checkout, &page, snapshot).await?;
    }
    let mut tx = checkout.pool.begin().await?;
    let before = pages::lock(&mut tx, page.page_id).await?;
    let state = before.state;
    let page = Page {
        state: state.after(&charge),
        ..before
    };
    let next = page.next_check(checks, checkout.clock.now());
    pages::save_state(&mut tx, &page, next).await?;
    tell_failed(&mut tx, checkout, (state, &page), &charge).await?;
    tx.commit().await?;
    Ok(())
}

async fn adopt(checkout: &Checkout, page: &Page, snapshot: Snapshot) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let price = prices::read(&mut connection, page.price_id).await?;
    drop(connection);
    if kind_of(&price.terms, None) == Some(OrderKind::Gift) {
        return adopt_gift(checkout, page, &price, &snapshot).await;
    }
    let adoption = Adoption {
        buyer: page.buyer.clone(),
        price,
        provider: page.provider,
        payer_id: None,
        country: page.country.clone(),
        language: page.language.clone(),
        tracking: BTreeMap::new(),
        snapshot,
    };
    match adopt_payment(checkout, &adoption).await {
        // It was given back.
        Ok(_)
        | Err(
            Error::UnknownPrice
            | Error::AlreadySubscribed
            | Error::AlreadyOwned
            | Error::MemberErased
            | Error::Coupon(_),
        ) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A provider tells of a payment that no order knows of.
pub async fn settle_told(checkout: &Checkout, provider: Provider, provider_payment_id: &str) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let is_charge = charges::make_due_by_payment(&mut connection, provider, provider_payment_id).await?;
    drop(connection);
    if is_charge {
        return Ok(());
    }
    let port = checkout.providers.page_of(provider)?;
    let SeenPage { reference, snapshot } = port.fetch_page(provider_payment_id).await?;
    let Some(Reference { page_id, .. }) = reference else {
        // Another installation at the same provider made it.
        return Ok(());
    };
    let mut connection = checkout.pool.acquire().await?;
    let page = pages::find(&mut connection, page_id).await?;
    drop(connection);
    match page {
        Some(page) => settle_page(checkout, page, 0, snapshot).await,
        // Pages stay. Money that came by one we never had ends as a dead letter, for somebody to look at.
        None if matches!(snapshot.charge, Charge::Captured(_)) => Err(Error::UnknownOrder),
        None => Ok(()),
    }
}

/// A buyer comes back from the page: its state, as the provider reports it. The provider's numbers run on, so the reference decides
/// whether the caller may know: it must be that of one of our pages, and of this payment.
pub async fn confirm_page(
    checkout: &Checkout,
    provider: Provider,
    provider_payment_id: &str,
    reference: Reference,
) -> Result<PageState> {
    let port = checkout.providers.page_of(provider)?;
    let mut connection = checkout.pool.acquire().await?;
    let page = find_of_somebody(&mut connection, reference.page_id).await?;
    drop(connection);
    let page = page.filter(|page| page.provider == provider);
    let page = page.ok_or(Error::UnknownOrder)?;
    let seen = match port.fetch_page(provider_payment_id).await {
        Ok(seen) => seen,
        Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => return Err(Error::UnknownOrder),
        Err(error) => return Err(error.into()),
    };
    if seen.reference != Some(reference) {
        return Err(Error::UnknownOrder);
    }
    let state = page.state.after(&seen.snapshot.charge);
    settle_page(checkout, page, 0, seen.snapshot).await?;
    Ok(state)
}

/// The reconciler's look.
pub async fn refresh_page(checkout: &Checkout, page: Page, checks: i32) -> Result<()> {
    let Some(provider_payment_id) = page.provider_payment_id.clone() else {
        // Whoever opened it had no answer, and so nobody has seen it.
        let over = Page {
            state: PageState::Over,
            ..page
        };
        let mut connection = checkout.pool.acquire().await?;
        return Ok(pages::save_state(&mut connection, &over, None).await?);
    };
    let port = checkout.providers.page_of(page.provider)?;
    match port.fetch_page(&provider_payment_id).await {
        Ok(seen) => settle_page(checkout, page, checks, seen.snapshot).await,
        Err(error) => {
            let mut connection = checkout.pool.acquire().await?;
            let next = page.next_check(checks, checkout.clock.now());
            pages::save_state(&mut connection, &page, next).await?;
            Err(error.into())
        }
    }
}

/// Whether somebody who is about to pay on a page may do so.
pub async fn may_pay(checkout: &Checkout, reference: &str) -> Result<Verdict> {
    const OVER: Verdict = Verdict::Refused("This offer is over. Go back to the shop and choose again.");
    const HELD: Verdict = Verdict::Refused("You have this subscription already.");
    const OWNED: Verdict = Verdict::Refused("You own this for good. A subscription would add nothing to it.");
    const GIVEN: Verdict = Verdict::Refused("This gift is paid already.");

    let mut connection = checkout.pool.acquire().await?;
    let Ok(Reference { page_id, .. }) = reference.parse() else {
        let is_ours = charges::is_asked(&mut connection, reference).await?;
        return Ok(if is_ours { Verdict::Accepted } else { OVER });
    };
    let Some(page) = find_of_somebody(&mut connection, page_id).await? else {
        return Ok(OVER);
    };
    if !matches!(page.state, PageState::Intended | PageState::Open) {
        return Ok(OVER);
    }
    let user_id = &page.buyer.user_id;
    if user_id.is_guest() && pages::is_paid(&mut connection, user_id).await? {
        return Ok(GIVEN);
    }
    let price = prices::read(&mut connection, page.price_id).await?;
    match check_not_owned(&mut connection, user_id, &price.terms).await {
        Err(Error::AlreadyOwned) => return Ok(OWNED),
        checked => checked?,
    }
    let is_held = subscriptions::has_russian(&mut connection, user_id).await?;
    Ok(if is_held { HELD } else { Verdict::Accepted })
}

/// The page of somebody who is erased is there for what comes in alone: to whoever asks for it, it is gone.
async fn find_of_somebody(connection: &mut PgConnection, page_id: PageId) -> Result<Option<Page>> {
    let page = pages::find(connection, page_id).await?;
    Ok(page.filter(|page| !page.buyer.user_id.is_nobody()))
}
