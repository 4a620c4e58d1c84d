//! PayPal's objects, as far as we read them.

use chrono::{DateTime, Utc};
use kit::money::Money;
use serde::Deserialize;

use crate::clients::transport::money;
use crate::ports::ProviderError;

#[derive(Debug, Deserialize)]
pub struct SubscriptionObject {
    pub id: String,
    pub status: String,
    pub plan_id: String,
    pub custom_id: Option<String>,
    pub quantity: Option<String>,
    #[serde(default)]
    pub plan_overridden: bool,
    pub subscriber: Option<Subscriber>,
    pub billing_info: Option<BillingInfo>,
    pub create_time: DateTime<Utc>,
}

#[derive(Debug, Deserialize)]
pub struct Subscriber {
    #[serde(default)]
    email_address: String,
    name: Option<Name>,
}

#[derive(Debug, Deserialize)]
struct Name {
    #[serde(default)]
    given_name: String,
    #[serde(default)]
    surname: String,
}

#[derive(Debug, Deserialize)]
pub struct BillingInfo {
    #[serde(default)]
    cycle_executions: Vec<CycleExecution>,
    pub last_payment: Option<LastPayment>,
    last_failed_payment: Option<FailedPayment>,
    pub next_billing_time: Option<DateTime<Utc>>,
}

#[derive(Debug, Deserialize)]
struct CycleExecution {
    tenure_type: String,
}

#[derive(Debug, Deserialize)]
pub struct LastPayment {
    pub time: DateTime<Utc>,
}

#[derive(Debug, Deserialize)]
struct FailedPayment {
    reason_code: Option<String>,
}

impl SubscriptionObject {
    pub fn is_over(&self) -> bool {
        matches!(self.status.as_str(), "CANCELLED" | "EXPIRED")
    }

    /// For whoever has paid nothing yet.
    pub fn is_on_trial(&self) -> bool {
        let mut cycles = self.billing_info.iter().flat_map(|info| &info.cycle_executions);
        self.last_refusal().is_none() && cycles.any(|cycle| cycle.tenure_type == "TRIAL")
    }

    /// Of the newest try; PayPal clears it with the next payment.
    pub fn last_refusal(&self) -> Option<&str> {
        let failed = self.billing_info.as_ref()?.last_failed_payment.as_ref()?;
        Some(failed.reason_code.as_deref().unwrap_or("payment_denied"))
    }

    pub fn email(&self) -> String {
        let subscriber = self.subscriber.as_ref();
        subscriber.map_or_else(String::new, |subscriber| subscriber.email_address.clone())
    }

    pub fn full_name(&self) -> String {
        let name = self
            .subscriber
            .as_ref()
            .and_then(|subscriber| subscriber.name.as_ref());
        name.map_or_else(String::new, |name| {
            format!("{} {}", name.given_name, name.surname).trim().to_owned()
        })
    }
}

#[derive(Debug, Deserialize)]
pub struct Transactions {
    #[serde(default)]
    transactions: Vec<Transaction>,
}

#[derive(Debug, Deserialize)]
pub struct Transaction {
    pub id: String,
    pub status: String,
    pub amount_with_breakdown: Breakdown,
    time: DateTime<Utc>,
}

#[derive(Debug, Deserialize)]
pub struct Breakdown {
    pub gross_amount: Amount,
}

#[derive(Debug, Deserialize)]
pub struct Amount {
    pub value: String,
    pub currency_code: String,
}

impl Transactions {
    /// What was taken first, or is about to be.
    pub fn first_payment(&self) -> Option<&Transaction> {
        let taken = self.transactions.iter().filter(|one| {
            matches!(
                one.status.as_str(),
                "COMPLETED" | "PARTIALLY_REFUNDED" | "REFUNDED" | "PENDING"
            )
        });
        taken.min_by_key(|one| one.time)
    }
}

#[derive(Debug, Deserialize)]
pub struct PlanObject {
    pub id: String,
    pub description: Option<String>,
    #[serde(default)]
    billing_cycles: Vec<BillingCycle>,
}

#[derive(Debug, Deserialize)]
struct BillingCycle {
    tenure_type: String,
    frequency: Frequency,
    pricing_scheme: Option<PricingScheme>,
}

#[derive(Debug, Deserialize)]
struct Frequency {
    interval_unit: String,
    #[serde(default = "one")]
    interval_count: u32,
}

fn one() -> u32 {
    1
}

#[derive(Debug, Deserialize)]
struct PricingScheme {
    fixed_price: Option<Amount>,
}

impl PlanObject {
    fn regular(&self) -> Option<&BillingCycle> {
        self.billing_cycles
            .iter()
            .find(|cycle| cycle.tenure_type == "REGULAR")
    }

    pub fn regular_price(&self) -> Result<Option<Money>, ProviderError> {
        let price = self
            .regular()
            .and_then(|cycle| cycle.pricing_scheme.as_ref()?.fixed_price.as_ref());
        price
            .map(|price| money(&price.value, &price.currency_code))
            .transpose()
    }

    pub fn regular_months(&self) -> u32 {
        self.regular()
            .map_or(0, |cycle| match cycle.frequency.interval_unit.as_str() {
                "MONTH" => cycle.frequency.interval_count,
                "YEAR" => cycle.frequency.interval_count * 12,
                _ => 0,
            })
    }
}

#[derive(Debug, Deserialize)]
pub struct Plans {
    #[serde(default)]
    pub plans: Vec<PlanObject>,
}

#[derive(Debug, Deserialize)]
pub struct Made {
    pub id: String,
}
