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
    /// `None` when there is no such offer, or checkout does not answer: the page is then shown without a price.
    async fn offer(&self, key: &OfferKey) -> Option<Offer>;
}

/// A field `offer`: the current price of a campaign, fetched from the [`OfferSource`] when the query selects it; null
/// while it is not available.
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
