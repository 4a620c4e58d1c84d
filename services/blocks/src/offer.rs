//! What a plan costs today. Blocks name a campaign; the price itself is asked for when somebody reads the page.

use async_graphql::{Number, Scalar, ScalarType, SimpleObject, Value};
use async_trait::async_trait;

use crate::locale::Locale;

/// A number written exactly as it stands, such as 59.99: no binary fraction is made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decimal(pub Number);

/// A number as JSON writes it, exact: 59.99, 1200.
#[Scalar(name = "Decimal")]
impl ScalarType for Decimal {
    fn parse(value: Value) -> async_graphql::InputValueResult<Self> {
        match value {
            Value::Number(number) => Ok(Self(number)),
            other => Err(async_graphql::InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Number(self.0.clone())
    }
}

/// What a campaign sells and for how much.
#[derive(Clone, Debug, PartialEq, SimpleObject)]
pub struct Offer {
    /// What the browser sends back to buy it.
    pub price_id: String,
    /// ISO 4217.
    pub currency: String,
    /// In major units of the currency.
    pub price: Decimal,
    /// The list price, in major units.
    pub default_price: Decimal,
    /// In major units.
    pub discount_amount: Decimal,
    /// In whole percent.
    pub discount_rate: i32,
    pub trial_days: i32,
    /// Length of the paid period.
    pub period_months: i32,
    pub product: String,
    /// The price in the currency's minor unit, for arithmetic.
    pub minor_price: i64,
    /// How many decimals the currency has.
    pub exponent: i32,
}

/// Which offer a block asks for. The locale decides the currency.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OfferKey {
    pub campaign: String,
    /// Empty: without a coupon.
    pub coupon_code: String,
    pub locale: Locale,
}

/// Where prices come from. Put one per request into the GraphQL context as `Arc<dyn OfferSource>`; it is asked for all
/// plans of a page at once, so it can fetch them in one batch.
#[async_trait]
pub trait OfferSource: Send + Sync {
    /// `None` when there is no such offer, or nobody can say now: the page is shown without a price then.
    async fn offer(&self, key: &OfferKey) -> Option<Offer>;
}
