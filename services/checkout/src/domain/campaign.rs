//! Campaigns and coupons, and every price that follows from them.

use kit::money::{Currency, Money, MoneyError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    pub code: String,
    pub product: String,
    pub period_months: i32,
    pub trial_days: i32,
    pub coupons: Vec<Coupon>,
    pub prices: Vec<ListedPrice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coupon {
    pub code: String,
    pub percent_off: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedPrice {
    pub amount: Money,
    /// What the discount is shown against; the amount itself when there is none.
    pub list: Money,
}

/// Everything a buyer agrees to. A price row never changes its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Empty: without a coupon.
    pub coupon_code: String,
    pub product: String,
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

/// Campaign × coupon × currency, the price without a coupon first.
pub fn terms_of(campaign: &Campaign) -> Result<Vec<Terms>, MoneyError> {
    let mut all = Vec::new();
    for price in &campaign.prices {
        all.push(terms(campaign, "", price.amount, price.list));
        for coupon in &campaign.coupons {
            // Half up to the minor unit, in `percent_off`: 20 % off 12.99 is 10.39.
            let amount = price.amount.percent_off(coupon.percent_off)?;
            all.push(terms(campaign, &coupon.code, amount, price.list));
        }
    }
    Ok(all)
}

fn terms(campaign: &Campaign, coupon_code: &str, amount: Money, list: Money) -> Terms {
    Terms {
        coupon_code: coupon_code.to_owned(),
        product: campaign.product.clone(),
        period_months: campaign.period_months,
        trial_days: campaign.trial_days,
        amount,
        list,
        lookup_key: lookup_key(campaign, coupon_code, amount),
    }
}

/// Made of all that Stripe fixes in a price, so that equal prices share a key and different ones never do.
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

    fn campaign(amount_minor: i64, currency: &str, percent_off: u8) -> Campaign {
        let currency = Currency::parse(currency).unwrap();
        let amount = Money::new(amount_minor, currency);
        Campaign {
            code: "web-monthly".into(),
            product: "premium".into(),
            period_months: 1,
            trial_days: 0,
            coupons: vec![Coupon {
                code: "WELCOME".into(),
                percent_off,
            }],
            prices: vec![ListedPrice { amount, list: amount }],
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
}
