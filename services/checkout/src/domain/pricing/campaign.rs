//! Campaigns, and every price that follows from them and their coupons.

use kit::money::{Currency, Money, MoneyError};

use super::coupon::Coupon;
use super::opens::Opens;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    pub code: String,
    pub product: String,
    pub opens: Opens,
    pub kind: PriceKind,
    /// 0: for good, or nothing that lasts.
    pub period_months: i32,
    pub trial_days: i32,
    pub place: Option<Place>,
    /// A member who pays for the product can change to it.
    pub is_plan: bool,
    pub coupons: Vec<Coupon>,
    pub prices: Vec<ListedPrice>,
    /// What the trial costs, where it is not free.
    pub trial_prices: Vec<Money>,
}

/// What is paid by a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PriceKind {
    /// Each period of a subscription.
    Subscription,
    OneTime,
    /// Once, for a recipient other than the buyer.
    Gift,
    /// Once, more of what a member has already: another session, which is booked afterwards.
    Addition,
    /// Once, for good.
    Lifetime,
    /// The time before a subscription begins.
    Trial,
}

impl PriceKind {
    pub const ALL: [Self; 6] = [
        Self::Subscription,
        Self::OneTime,
        Self::Gift,
        Self::Addition,
        Self::Lifetime,
        Self::Trial,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Subscription => "subscription",
            Self::OneTime => "one_time",
            Self::Gift => "gift",
            Self::Addition => "addition",
            Self::Lifetime => "lifetime",
            Self::Trial => "trial",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The place where an offer counts as made, independent of the visitor's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub language: String,
    pub country: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPrice {
    pub amount: Money,
    /// What the discount is shown against; the amount itself when there is none.
    pub list: Money,
    /// Empty: everywhere its currency is.
    pub country: String,
}

/// Everything a buyer agrees to. A price row never changes its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub kind: PriceKind,
    /// Empty: without a coupon.
    pub coupon_code: String,
    /// Empty: everywhere its currency is.
    pub country: String,
    pub product: String,
    pub opens: Opens,
    pub period_months: i32,
    pub trial_days: i32,
    pub amount: Money,
    pub list: Money,
    pub lookup_key: String,
}

impl Terms {
    pub fn currency(&self) -> Currency {
        self.amount.currency
    }

    pub fn discount(&self) -> Result<Money, MoneyError> {
        self.list.checked_sub(self.amount)
    }

    /// Whole percent off the list price, rounded down: never promise more than is given.
    pub fn discount_rate_percent(&self) -> i32 {
        let off = i128::from(self.list.minor) - i128::from(self.amount.minor);
        let percent = off * 100 / i128::from(self.list.minor).max(1);
        i32::try_from(percent).unwrap_or(0)
    }
}

/// Campaign × coupon × currency or country, the price without a coupon first; then what trials cost.
pub fn terms_of(campaign: &Campaign) -> Result<Vec<Terms>, MoneyError> {
    let mut all = Vec::new();
    for price in &campaign.prices {
        all.push(terms(campaign, "", price));
        for coupon in &campaign.coupons {
            // Half up to the minor unit, in `percent_off`: 20 % off 12.99 is 10.39.
            let amount = price.amount.percent_off(coupon.percent_off)?;
            let price = ListedPrice {
                amount,
                ..price.clone()
            };
            all.push(terms(campaign, &coupon.code, &price));
        }
    }
    all.extend(
        campaign
            .trial_prices
            .iter()
            .map(|fee| trial_terms(campaign, *fee)),
    );
    Ok(all)
}

fn terms(campaign: &Campaign, coupon_code: &str, price: &ListedPrice) -> Terms {
    Terms {
        kind: campaign.kind,
        coupon_code: coupon_code.to_owned(),
        country: price.country.clone(),
        product: campaign.product.clone(),
        opens: campaign.opens,
        period_months: campaign.period_months,
        trial_days: campaign.trial_days,
        amount: price.amount,
        list: price.list,
        lookup_key: lookup_key(campaign, coupon_code, price.amount),
    }
}

fn trial_terms(campaign: &Campaign, fee: Money) -> Terms {
    Terms {
        kind: PriceKind::Trial,
        coupon_code: String::new(),
        country: String::new(),
        product: campaign.product.clone(),
        opens: campaign.opens,
        period_months: 0,
        trial_days: campaign.trial_days,
        amount: fee,
        list: fee,
        lookup_key: lookup_key(campaign, "trial", fee),
    }
}

/// Made of all that Stripe fixes in a price, so that equal prices share a key and different ones never do. Coupons are in
/// capitals: none is called `none` or `trial`.
fn lookup_key(campaign: &Campaign, coupon_code: &str, amount: Money) -> String {
    let coupon = if coupon_code.is_empty() {
        "none"
    } else {
        coupon_code
    };
    format!(
        "{}.{}.{}m.{}.{}.{}",
        campaign.product,
        campaign.code,
        campaign.period_months,
        coupon,
        amount.currency.code(),
        amount.minor
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::pricing::coupon::Limits;

    fn campaign(amount_minor: i64, currency: &str, percent_off: u8) -> Campaign {
        let currency = Currency::parse(currency).unwrap();
        let amount = Money::new(amount_minor, currency);
        Campaign {
            code: "web-monthly".into(),
            product: "premium".into(),
            opens: Opens::default(),
            kind: PriceKind::Subscription,
            period_months: 1,
            trial_days: 0,
            place: None,
            is_plan: true,
            coupons: vec![Coupon {
                code: "WELCOME".into(),
                percent_off,
                limits: Limits::default(),
            }],
            prices: vec![ListedPrice {
                amount,
                list: amount,
                country: String::new(),
            }],
            trial_prices: Vec::new(),
        }
    }

    fn discounted(amount_minor: i64, currency: &str, percent_off: u8) -> Terms {
        terms_of(&campaign(amount_minor, currency, percent_off))
            .unwrap()
            .remove(1)
    }

    #[test]
    fn coupon_price_is_rounded_half_up_to_the_minor_unit() {
        assert_eq!(discounted(1299, "USD", 20).amount.minor, 1039);
        assert_eq!(discounted(15, "USD", 50).amount.minor, 8);
        assert_eq!(discounted(1500, "JPY", 33).amount.minor, 1005);
    }

    #[test]
    fn discount_rate_is_rounded_down() {
        let terms = discounted(1299, "USD", 20);
        assert_eq!(terms.discount().unwrap().minor, 260);
        assert_eq!(terms.discount_rate_percent(), 20);
        assert_eq!(discounted(15, "USD", 50).discount_rate_percent(), 46);
    }

    #[test]
    fn lookup_key_says_what_the_price_is() {
        assert_eq!(
            discounted(1299, "USD", 20).lookup_key,
            "premium.web-monthly.1m.WELCOME.USD.1039"
        );
    }

    #[test]
    fn every_currency_is_priced_with_and_without_each_coupon() {
        let terms = terms_of(&campaign(1299, "USD", 20)).unwrap();
        let coupons: Vec<&str> = terms.iter().map(|terms| terms.coupon_code.as_str()).collect();
        assert_eq!(coupons, ["", "WELCOME"]);
    }

    #[test]
    fn paid_trial_is_a_price_of_its_own() {
        let mut campaign = campaign(1299, "USD", 20);
        campaign.trial_prices = vec![Money::new(100, Currency::parse("USD").unwrap())];
        let trial = terms_of(&campaign).unwrap().remove(2);
        assert_eq!((trial.kind, trial.amount.minor), (PriceKind::Trial, 100));
        assert_eq!(trial.lookup_key, "premium.web-monthly.1m.trial.USD.100");
    }

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for kind in PriceKind::ALL {
            assert_eq!(PriceKind::parse(kind.name()), Some(kind));
        }
        assert_eq!(PriceKind::parse("rent"), None);
    }
}
