//! The current price of a plan. Blocks name a campaign; the price is fetched when a page is read.

use std::borrow::Cow;
use std::sync::Arc;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{
    ContextSelectionSet, Number, OutputType, Positioned, Scalar, ScalarType, ServerResult, SimpleObject,
    Value,
};
use async_trait::async_trait;

use crate::locale::Locale;

/// A decimal number with exactly the given digits, such as 59.99. It is never a binary fraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Decimal(pub Number);

/// A number in its exact JSON form: 59.99, 1200.
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

/// The price of a campaign.
#[derive(Clone, Debug, PartialEq, SimpleObject)]
pub struct Offer {
    /// Our id of the price; a purchase names it.
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
    /// The number of decimals of the currency.
    pub exponent: i32,
}

/// The key of an offer. The locale determines the currency.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OfferKey {
    pub campaign: String,
    /// Empty: without a coupon.
    pub coupon_code: String,
    pub locale: Locale,
}

/// The source of prices. The GraphQL context of each request has one as `Arc<dyn OfferSource>`. All offers of a page
/// are
/// requested in one call, so that it can fetch them in one batch.
#[async_trait]
pub trait OfferSource: Send + Sync {
    /// `None` if there is no such offer or checkout does not respond: the page then shows no price.
    async fn offer(&self, key: &OfferKey) -> Option<Offer>;
}

/// A field `offer`: the current price of a campaign, fetched from the [`OfferSource`] if the query selects it; null
/// if it is
/// not available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quote(Option<OfferKey>);

impl Quote {
    pub(crate) fn of(campaign: &str, coupon_code: Option<&str>, locale: Locale) -> Self {
        Self(Some(OfferKey {
            campaign: campaign.to_owned(),
            coupon_code: coupon_code.unwrap_or_default().to_owned(),
            locale,
        }))
    }

    pub fn key(&self) -> Option<&OfferKey> {
        self.0.as_ref()
    }

    async fn offer(&self, ctx: &ContextSelectionSet<'_>) -> Option<Offer> {
        let source = ctx.data_opt::<Arc<dyn OfferSource>>()?;
        source.offer(self.key()?).await
    }
}

impl OutputType for Quote {
    fn type_name() -> Cow<'static, str> {
        <Option<Offer> as OutputType>::type_name()
    }

    fn qualified_type_name() -> String {
        <Option<Offer> as OutputType>::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        <Option<Offer> as OutputType>::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        OutputType::resolve(&self.offer(ctx).await, ctx, field).await
    }
}
