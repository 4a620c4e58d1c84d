//! Opens the pages on which a member can pay a price with the cards of Russia. Nothing is bought by looking at them: a page
//! waits for its buyer and leads to an order once it is paid.

use std::time::Duration;

use futures::future::join_all;
use kit::erasure::is_tombstoned;

use super::Checkout;
use crate::domain::buyer::Buyer;
use crate::domain::campaign::PriceKind;
use crate::domain::catalogue::Price;
use crate::domain::ids::PageId;
use crate::domain::page::{self, Page, PageState, Reference};
use crate::domain::provider::Provider;
use crate::error::Result;
use crate::ports::{Later, NewPage, PageProvider};
use crate::store::{pages, subscriptions};

/// Where cards of other countries are of no use.
const COUNTRIES: [&str; 2] = ["RU", "BY"];
pub(super) const CURRENCY: &str = "RUB";
/// Somebody waits for a price: who takes longer is not offered.
const OPENING_MAX: Duration = Duration::from_millis(1500);

/// What a Russian buyer is shown.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Pages {
    pub has_subscription: bool,
    pub opened: Opened,
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Opened {
    /// What each provider's page is opened by.
    pub handles: Vec<(Provider, String)>,
    /// Who sells it and opened no page this time.
    pub unavailable: Vec<Provider>,
}

#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub price: &'a Price,
    pub buyer: &'a Buyer,
    pub country: &'a str,
    pub language: &'a str,
    /// There is only so much of its coupon.
    pub is_counted: bool,
}

/// `None`: these providers are not for this buyer, or none is set up.
pub async fn offer_pages(checkout: &Checkout, wanted: Wanted<'_>) -> Result<Option<Pages>> {
    if checkout.providers.pages.is_empty() || !COUNTRIES.contains(&wanted.country) {
        return Ok(None);
    }
    let mut connection = checkout.pool.acquire().await?;
    let has_subscription = subscriptions::has_russian(&mut connection, &wanted.buyer.user_id).await?;
    drop(connection);
    let terms = &wanted.price.terms;
    // These providers keep means of payment only with a payment: a trial would have no end.
    let is_sold = terms.kind == PriceKind::Subscription
        && terms.trial_days == 0
        && terms.currency().code() == CURRENCY
        && !wanted.is_counted
        && !checkout.catalogue.get().is_for_cards(wanted.price);
    if has_subscription || !is_sold {
        return Ok(Some(Pages {
            has_subscription,
            opened: Opened::default(),
        }));
    }
    Ok(Some(Pages {
        has_subscription,
        opened: open_pages(checkout, wanted).await,
    }))
}

/// At every provider at once, and whoever takes too long is left out.
pub(super) async fn open_pages(checkout: &Checkout, wanted: Wanted<'_>) -> Opened {
    let opening = checkout
        .providers
        .pages
        .iter()
        .map(|(provider, port)| async move {
            let opened = open(checkout, *provider, port.as_ref(), wanted);
            match tokio::time::timeout(OPENING_MAX, opened).await {
                Ok(Ok(handle)) => Ok(handle.map(|handle| (*provider, handle))),
                Ok(Err(error)) => {
                    tracing::warn!(%error, "{} opens no page", provider.name());
                    Err(*provider)
                }
                Err(_) => {
                    tracing::warn!("{} takes long to open a page", provider.name());
                    Err(*provider)
                }
            }
        });
    let mut pages = Opened::default();
    for opened in join_all(opening).await {
        match opened {
            Ok(handle) => pages.handles.extend(handle),
            Err(provider) => pages.unavailable.push(provider),
        }
    }
    pages
}

async fn open(
    checkout: &Checkout,
    provider: Provider,
    port: &dyn PageProvider,
    wanted: Wanted<'_>,
) -> Result<Option<String>> {
    let Some(page) = intend(checkout, provider, wanted).await? else {
        return Ok(None);
    };
    if page.is_fresh(checkout.clock.now()) {
        return Ok(page.handle);
    }
    let terms = &wanted.price.terms;
    let new = NewPage {
        reference: Reference {
            page_id: page.page_id,
            period_months: u32::try_from(terms.period_months).unwrap_or_default(),
        },
        amount: terms.amount,
        description: page::description(terms, wanted.language),
        email: page.buyer.email.clone(),
        language: wanted.language.to_owned(),
        later: if terms.kind == PriceKind::Subscription {
            Later::OffSession
        } else {
            Later::Nothing
        },
        campaign: wanted.price.campaign.clone(),
    };
    let opened = port.open_page(&new).await?;
    let page = Page {
        state: PageState::Open,
        provider_payment_id: Some(opened.provider_payment_id),
        handle: Some(opened.handle),
        ..page
    };
    let mut connection = checkout.pool.acquire().await?;
    pages::save_opened(&mut connection, &page).await?;
    Ok(page.handle)
}

/// The page the member was shown before, while there is time to pay on it; else a new one, committed before anybody is asked.
async fn intend(checkout: &Checkout, provider: Provider, wanted: Wanted<'_>) -> Result<Option<Page>> {
    let now = checkout.clock.now();
    let Wanted { price, buyer, .. } = wanted;
    let mut tx = checkout.pool.begin().await?;
    if is_tombstoned(&mut tx, &[buyer.user_id.to_string()]).await? {
        return Ok(None);
    }
    let shown = pages::newest(&mut tx, &buyer.user_id, price.price_id, provider).await?;
    if let Some(shown) = shown.filter(|page| page.is_fresh(now)) {
        return Ok(Some(shown));
    }
    let page = Page {
        page_id: PageId::new(now),
        buyer: buyer.clone(),
        price_id: price.price_id,
        provider,
        state: PageState::Intended,
        country: wanted.country.to_owned(),
        language: wanted.language.to_owned(),
        provider_payment_id: None,
        handle: None,
        created_at: now,
    };
    pages::insert(&mut tx, &page, page.next_check(0, now)).await?;
    tx.commit().await?;
    Ok(Some(page))
}
