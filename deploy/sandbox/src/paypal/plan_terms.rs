//! The prices and billing rules of a plan, parsed and validated.

use kit::money::{Currency, Money};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::ApiError;
use crate::engine::money;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Terms {
    pub currency: String,
    pub cycles: Vec<Cycle>,
    pub setup_fee: i64,
    pub cancels_without_setup_fee: bool,
    /// Failed payments before the subscription is suspended; 0 never suspends.
    pub failures_max: i64,
    pub bills_outstanding: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cycle {
    pub unit: String,
    pub count: i64,
    /// 0 is unlimited.
    pub total: i64,
    /// Minor units per quantity; 0 is free.
    pub price: i64,
    pub tenure: String,
}

impl Terms {
    pub fn read(plan: &Value) -> Result<Self, ApiError> {
        let given = plan["billing_cycles"]
            .as_array()
            .filter(|cycles| !cycles.is_empty())
            .ok_or_else(|| ApiError::missing("/billing_cycles"))?;
        let mut sorted: Vec<(usize, &Value)> = given.iter().enumerate().collect();
        sorted.sort_by_key(|(_, cycle)| cycle["sequence"].as_i64());
        let currency = currency_of(plan)?;
        let cycles = sorted
            .into_iter()
            .map(|(index, cycle)| Cycle::read(cycle, &format!("/billing_cycles/{index}"), currency))
            .collect::<Result<_, _>>()?;
        let preferences = &plan["payment_preferences"];
        let setup_fee = match &preferences["setup_fee"] {
            Value::Null => 0,
            fee => amount(fee, "/payment_preferences/setup_fee", currency)?,
        };
        Ok(Self {
            currency: currency.code().to_owned(),
            cycles,
            setup_fee,
            cancels_without_setup_fee: preferences["setup_fee_failure_action"] != "CONTINUE",
            failures_max: preferences["payment_failure_threshold"].as_i64().unwrap_or(0),
            bills_outstanding: preferences["auto_bill_outstanding"] != false,
        })
    }

    pub fn money(&self, minor: i64) -> String {
        Currency::parse(&self.currency).map_or_else(
            |_| minor.to_string(),
            |currency| Money::new(minor, currency).major(),
        )
    }

    pub fn minor(&self, text: &str) -> Option<i64> {
        let currency = Currency::parse(&self.currency).ok()?;
        money::parse(text, currency).map(|money| money.minor)
    }
}

impl Cycle {
    fn read(given: &Value, at: &str, currency: Currency) -> Result<Self, ApiError> {
        let unit = given["frequency"]["interval_unit"].as_str();
        let unit = unit.ok_or_else(|| ApiError::missing(&format!("{at}/frequency/interval_unit")))?;
        if !["DAY", "WEEK", "MONTH", "YEAR"].contains(&unit) {
            return Err(ApiError::wrong(&format!("{at}/frequency/interval_unit")));
        }
        let tenure = given["tenure_type"].as_str();
        let tenure = tenure.ok_or_else(|| ApiError::missing(&format!("{at}/tenure_type")))?;
        if !["TRIAL", "REGULAR"].contains(&tenure) {
            return Err(ApiError::wrong(&format!("{at}/tenure_type")));
        }
        if given["sequence"].as_i64().is_none() {
            return Err(ApiError::missing(&format!("{at}/sequence")));
        }
        let price = match &given["pricing_scheme"]["fixed_price"] {
            Value::Null if tenure == "TRIAL" => 0,
            price => amount(price, &format!("{at}/pricing_scheme/fixed_price"), currency)?,
        };
        let total = given["total_cycles"].as_i64().unwrap_or(1);
        if tenure == "TRIAL" && total == 0 {
            return Err(ApiError::wrong(&format!("{at}/total_cycles")));
        }
        Ok(Self {
            unit: unit.to_lowercase(),
            count: given["frequency"]["interval_count"].as_i64().unwrap_or(1).max(1),
            total,
            price,
            tenure: tenure.to_owned(),
        })
    }
}

/// The currency of the first price applies to all.
fn currency_of(plan: &Value) -> Result<Currency, ApiError> {
    let cycles = plan["billing_cycles"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let code = cycles
        .iter()
        .find_map(|cycle| cycle["pricing_scheme"]["fixed_price"]["currency_code"].as_str())
        .ok_or_else(|| ApiError::missing("/billing_cycles/0/pricing_scheme/fixed_price/currency_code"))?;
    Currency::parse(code)
        .map_err(|_| ApiError::wrong("/billing_cycles/0/pricing_scheme/fixed_price/currency_code"))
}

fn amount(given: &Value, at: &str, currency: Currency) -> Result<i64, ApiError> {
    let value = given["value"]
        .as_str()
        .ok_or_else(|| ApiError::missing(&format!("{at}/value")))?;
    if given["currency_code"] != currency.code() {
        return Err(ApiError::wrong(&format!("{at}/currency_code")));
    }
    money::parse(value, currency)
        .map(|money| money.minor)
        .ok_or_else(|| ApiError::wrong(&format!("{at}/value")))
}
