//! The prices on a page, asked of checkout in one call per page.
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex as SyncMutex, PoisonError};

use async_graphql::Number;
use async_trait::async_trait;
use blocks::{Decimal, Locale, Offer, OfferKey, OfferSource};
use kit::money::Money;
use proto::checkout::v1::quote_offers_request::Item;
use proto::checkout::v1::{self as checkout, QuoteOffersRequest};
use serde_json::json;
use tokio::sync::Mutex;

use crate::clients::Clients;

/// What checkout takes in one call.
const ITEMS_MAX: usize = 50;

/// An offer made to the Turkish customers of a partner is Turkish wherever its page is read.
const TURKISH_OFFER: &str = "/offers/Turkcell";

/// Whose prices stand on a page.
pub fn price_locale(url_path: &str, locale: Locale) -> Locale {
    if url_path.contains(TURKISH_OFFER) {
        Locale::Tr
    } else {
        locale
    }
}

/// The prices of one request.
pub struct PageOffers {
    clients: Clients,
    /// What the blocks of the page will ask for.
    expected: SyncMutex<Vec<OfferKey>>,
    asked: AtomicBool,
    failed: AtomicBool,
    /// What was answered; `None` where there is no such offer. Held while asking, so that all wait for the one call.
    quoted: Mutex<HashMap<OfferKey, Option<Offer>>>,
}

impl PageOffers {
    pub fn new(clients: Clients) -> Self {
        Self {
            clients,
            expected: SyncMutex::default(),
            asked: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            quoted: Mutex::default(),
        }
    }

    /// Notes which prices stand on a page. Nothing is asked before a query wants one.
    pub fn expect(&self, keys: impl IntoIterator<Item = OfferKey>) {
        self.expected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(keys);
    }

    /// Whether the answer depends on prices.
    pub fn were_used(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether a price may be missing only for now.
    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    fn wanted(&self, key: &OfferKey) -> Vec<OfferKey> {
        let mut expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut wanted, rest): (Vec<_>, Vec<_>) = expected.drain(..).partition(|it| it.locale == key.locale);
        *expected = rest;
        if !wanted.contains(key) {
            wanted.push(key.clone());
        }
        wanted
    }

    async fn quote(
        &self,
        wanted: &[OfferKey],
        locale: Locale,
    ) -> Result<Vec<checkout::Offer>, tonic::Status> {
        let item = |key: &OfferKey| Item {
            campaign: key.campaign.clone(),
            coupon_code: key.coupon_code.clone(),
        };
        let request = QuoteOffersRequest {
            items: wanted.iter().map(item).collect(),
            language: locale.code().to_owned(),
            // Cached pages are the same in all countries.
            country: String::new(),
        };
        Ok(self
            .clients
            .checkout()
            .quote_offers(request)
            .await?
            .into_inner()
            .offers)
    }
}

#[async_trait]
impl OfferSource for PageOffers {
    async fn offer(&self, key: &OfferKey) -> Option<Offer> {
        let mut quoted = self.quoted.lock().await;
        self.asked.store(true, Ordering::Relaxed);
        if let Some(known) = quoted.get(key) {
            return known.clone();
        }
        for wanted in self.wanted(key).chunks(ITEMS_MAX) {
            let offers = self.quote(wanted, key.locale).await.unwrap_or_else(|status| {
                metrics::counter!("gateway_quotes_failed_total").increment(1);
                self.failed.store(true, Ordering::Relaxed);
                tracing::warn!(code = ?status.code(), "quotes of a page failed; the page is shown without prices");
                Vec::new()
            });
            let found = |key: &OfferKey| {
                let offer = offers
                    .iter()
                    .find(|it| it.campaign == key.campaign && it.coupon_code == key.coupon_code);
                offer.cloned().and_then(shown)
            };
            quoted.extend(wanted.iter().map(|key| (key.clone(), found(key))));
        }
        quoted.get(key).cloned().flatten()
    }
}

fn shown(offer: checkout::Offer) -> Option<Offer> {
    let price = Money::try_from(offer.price?).ok()?;
    let default_price = Money::try_from(offer.default_price?).ok()?;
    let discount_amount = Money::try_from(offer.discount_amount?).ok()?;
    Some(Offer {
        price_id: offer.price_id,
        currency: price.currency.code().to_owned(),
        price: decimal(price),
        default_price: decimal(default_price),
        discount_amount: decimal(discount_amount),
        discount_rate: offer.discount_rate_percent,
        trial_days: offer.trial_days,
        period_months: offer.period_months,
        product: offer.product,
        minor_price: price.minor,
        exponent: i32::try_from(price.currency.exponent()).ok()?,
    })
}

/// An offer as JSON, under the names the schema has.
pub fn written(offer: &Offer) -> String {
    json!({
        "priceId": offer.price_id,
        "currency": offer.currency,
        "price": offer.price.0,
        "defaultPrice": offer.default_price.0,
        "discountAmount": offer.discount_amount.0,
        "discountRate": offer.discount_rate,
        "trialDays": offer.trial_days,
        "periodMonths": offer.period_months,
        "product": offer.product,
        "minorPrice": offer.minor_price,
        "exponent": offer.exponent,
    })
    .to_string()
}

fn decimal(money: Money) -> Decimal {
    let number: Number = money.major_number();
    Decimal(number)
}
