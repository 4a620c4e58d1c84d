//! Opens hosted checkouts at the Russian providers. No order is created before payment: a session
//! becomes an order when it is paid.

use std::time::Duration;

use futures::future::join_all;
use kit::erasure::is_tombstoned;

use crate::domain::ids::HostedCheckoutId;
use crate::domain::order::buyer::Buyer;
use crate::domain::order::hosted_checkout::{self, HostedCheckout, HostedCheckoutState, Reference};
use crate::domain::pricing::campaign::PriceKind;
use crate::domain::pricing::catalogue::Price;
use crate::domain::provider::{Feature, Provider};
use crate::error::Result;
use crate::flows::Checkout;
use crate::ports::{HostedCheckoutProvider, Later, NewHostedCheckout};
use crate::store::order::hosted_checkouts;
use crate::store::subscription::subscriptions;

/// Countries whose cards only Russian providers accept.
const COUNTRIES: [&str; 2] = ["RU", "BY"];
pub(in crate::flows) const CURRENCY: &str = "RUB";
/// A slower provider is left out of the response.
const OPENING_MAX: Duration = Duration::from_millis(1500);

/// The hosted checkouts of one offer.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct HostedCheckouts {
    pub has_subscription: bool,
    pub opened: Opened,
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Redirect URL or widget token of each provider.
    pub redirect_urls_or_tokens: Vec<(Provider, String)>,
    /// Providers that sell it but failed to open a session.
    pub unavailable: Vec<Provider>,
}

#[derive(Debug, Clone, Copy)]
pub struct HostedCheckoutRequest<'a> {
    pub price: &'a Price,
    pub buyer: &'a Buyer,
    pub country: &'a str,
    pub language: &'a str,
    /// Its coupon has a redemption limit.
    pub is_counted: bool,
}

/// `None`: these providers do not apply to this buyer, or none is configured.
pub async fn offer_hosted_checkouts(
    checkout: &Checkout,
    wanted: HostedCheckoutRequest<'_>,
) -> Result<Option<HostedCheckouts>> {
    let has_provider = !checkout.providers.hosted_checkouts().is_empty();
    if !has_provider || !COUNTRIES.contains(&wanted.country) {
        return Ok(None);
    }
    let mut connection = checkout.pool.acquire().await?;
    let has_subscription = subscriptions::has_exclusive(&mut connection, &wanted.buyer.user_id).await?;
    drop(connection);
    let terms = &wanted.price.terms;
    let is_sold = terms.kind == PriceKind::Subscription
        && terms.currency().code() == CURRENCY
        && !wanted.is_counted
        && !checkout.catalogue.get().is_for_cards(wanted.price);
    if has_subscription || !is_sold {
        return Ok(Some(HostedCheckouts {
            has_subscription,
            opened: Opened::default(),
        }));
    }
    Ok(Some(HostedCheckouts {
        has_subscription,
        opened: open_hosted_checkouts(checkout, wanted).await,
    }))
}

/// Calls all providers concurrently; a slow one is left out.
pub(in crate::flows) async fn open_hosted_checkouts(
    checkout: &Checkout,
    wanted: HostedCheckoutRequest<'_>,
) -> Opened {
    let has_trial = wanted.price.terms.trial_days > 0;
    let all = checkout.providers.hosted_checkouts().into_iter();
    let capable = all.filter(|port| !has_trial || port.capabilities().has(Feature::FreeTrials));
    let opening = capable.map(|port| async move {
        let provider = port.id();
        match tokio::time::timeout(OPENING_MAX, open(checkout, port, wanted)).await {
            Ok(Ok(handle)) => Ok(handle.map(|handle| (provider, handle))),
            Ok(Err(error)) => {
                tracing::warn!(provider = provider.name(), %error, "hosted checkout not opened; provider left out");
                Err(provider)
            }
            Err(_) => {
                tracing::warn!(provider = provider.name(), "hosted checkout not opened in time; provider left out");
                Err(provider)
            }
        }
    });
    let mut pages = Opened::default();
    for opened in join_all(opening).await {
        match opened {
            Ok(handle) => pages.redirect_urls_or_tokens.extend(handle),
            Err(provider) => pages.unavailable.push(provider),
        }
    }
    pages
}

async fn open(
    checkout: &Checkout,
    port: &dyn HostedCheckoutProvider,
    wanted: HostedCheckoutRequest<'_>,
) -> Result<Option<String>> {
    let Some(hosted) = intend(checkout, port.id(), wanted).await? else {
        return Ok(None);
    };
    if hosted.is_fresh(checkout.clock.now()) {
        return Ok(hosted.redirect_url_or_token);
    }
    let terms = &wanted.price.terms;
    let new = NewHostedCheckout {
        reference: Reference {
            hosted_checkout_id: hosted.hosted_checkout_id,
            period_months: u32::try_from(terms.period_months).unwrap_or_default(),
        },
        amount: terms.amount,
        description: hosted_checkout::description(terms, wanted.language),
        email: hosted.buyer.email.clone(),
        language: wanted.language.to_owned(),
        later: if terms.kind == PriceKind::Subscription {
            Later::OffSession
        } else {
            Later::Nothing
        },
        campaign: wanted.price.campaign.clone(),
    };
    let opened = port.create_hosted_checkout(&new).await?;
    let hosted = HostedCheckout {
        state: HostedCheckoutState::Open,
        provider_payment_id: Some(opened.provider_payment_id),
        redirect_url_or_token: Some(opened.redirect_url_or_token),
        ..hosted
    };
    let mut connection = checkout.pool.acquire().await?;
    hosted_checkouts::save_opened(&mut connection, &hosted).await?;
    Ok(hosted.redirect_url_or_token)
}

/// Reuses a session that leaves enough time to pay, or stores a new one before the provider call.
async fn intend(
    checkout: &Checkout,
    provider: Provider,
    wanted: HostedCheckoutRequest<'_>,
) -> Result<Option<HostedCheckout>> {
    let now = checkout.clock.now();
    let HostedCheckoutRequest { price, buyer, .. } = wanted;
    let mut tx = kit::database::begin(&checkout.pool).await?;
    if is_tombstoned(&mut tx, &[buyer.user_id.to_string()]).await? {
        return Ok(None);
    }
    let shown = hosted_checkouts::newest(&mut tx, &buyer.user_id, price.price_id, provider).await?;
    if let Some(shown) = shown.filter(|hosted| hosted.is_fresh(now)) {
        return Ok(Some(shown));
    }
    let hosted = HostedCheckout {
        hosted_checkout_id: HostedCheckoutId::new(now),
        buyer: buyer.clone(),
        price_id: price.price_id,
        provider,
        state: HostedCheckoutState::Intended,
        country: wanted.country.to_owned(),
        language: wanted.language.to_owned(),
        provider_payment_id: None,
        redirect_url_or_token: None,
        created_at: now,
    };
    hosted_checkouts::insert(&mut tx, &hosted, hosted.next_check(0, now)).await?;
    tx.commit().await?;
    Ok(Some(hosted))
}
