//! The fields of PayPal's objects that are read.

use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;
use serde::Deserialize;

use crate::ports::ProviderError;
use crate::providers::transport::money;

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
    start_time: Option<DateTime<Utc>>,
    /// Reason of the latest status change.
    pub status_change_note: Option<String>,
    status_update_time: Option<DateTime<Utc>>,
}

#[derive(Debug, Deserialize)]
pub struct Subscriber {
    payer_id: Option<String>,
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
    outstanding_balance: Option<Amount>,
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
pub struct FailedPayment {
    reason_code: Option<String>,
    pub time: DateTime<Utc>,
    amount: Option<Amount>,
}

impl FailedPayment {
    pub fn code(&self) -> &str {
        self.reason_code.as_deref().unwrap_or("payment_denied")
    }

    pub fn amount(&self) -> Result<Option<Money>, ProviderError> {
        let amount = self.amount.as_ref();
        amount
            .map(|amount| money(&amount.value, &amount.currency_code))
            .transpose()
    }
}

impl SubscriptionObject {
    pub fn is_over(&self) -> bool {
        matches!(self.status.as_str(), "CANCELLED" | "EXPIRED")
    }

    /// For a subscription without a payment.
    pub fn is_on_trial(&self) -> bool {
        let mut cycles = self.billing_info.iter().flat_map(|info| &info.cycle_executions);
        self.last_refusal().is_none() && cycles.any(|cycle| cycle.tenure_type == "TRIAL")
    }

    /// The reason of the last failed payment. PayPal clears it with the next payment.
    pub fn last_refusal(&self) -> Option<&str> {
        self.last_failed().map(FailedPayment::code)
    }

    pub fn last_failed(&self) -> Option<&FailedPayment> {
        self.billing_info.as_ref()?.last_failed_payment.as_ref()
    }

    /// The last failed payment, if no capture followed.
    pub fn failed_after(&self, transactions: &Transactions) -> Option<&FailedPayment> {
        let last = transactions.taken().last().map(|one| one.time);
        let failed = self.last_failed();
        failed.filter(|failed| last.is_none_or(|last| last < failed.time))
    }

    /// The outstanding balance that PayPal still charges.
    pub fn owed(&self, transactions: &Transactions) -> Result<Option<Money>, ProviderError> {
        let balance = self
            .failed_after(transactions)
            .and_then(|_| self.billing_info.as_ref()?.outstanding_balance.as_ref());
        let owed = balance
            .map(|owed| money(&owed.value, &owed.currency_code))
            .transpose()?;
        Ok(owed.filter(|owed| owed.minor > 0))
    }

    pub fn next_billing(&self) -> Option<DateTime<Utc>> {
        self.billing_info.as_ref()?.next_billing_time
    }

    pub fn suspended_at(&self) -> Option<DateTime<Utc>> {
        self.status_update_time.filter(|_| self.status == "SUSPENDED")
    }

    pub fn started_at(&self) -> DateTime<Utc> {
        self.start_time.unwrap_or(self.create_time)
    }

    pub fn payer_id(&self) -> Option<String> {
        self.subscriber.as_ref()?.payer_id.clone()
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
    pub time: DateTime<Utc>,
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
    /// Captured and pending transactions, oldest first.
    pub fn taken(&self) -> Vec<&Transaction> {
        let taken = self.transactions.iter().filter(|one| {
            matches!(
                one.status.as_str(),
                "COMPLETED" | "PARTIALLY_REFUNDED" | "REFUNDED" | "PENDING"
            )
        });
        let mut taken: Vec<_> = taken.collect();
        taken.sort_by_key(|one| (one.time, one.id.as_str()));
        taken
    }

    pub fn first_payment(&self) -> Option<&Transaction> {
        self.taken().first().copied()
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

/// The length of a period, and of the trial before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycles {
    pub months: u32,
    pub trial: TimeDelta,
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

    pub fn cycles(&self) -> Cycles {
        let months = self
            .regular()
            .map_or(0, |cycle| match cycle.frequency.interval_unit.as_str() {
                "MONTH" => cycle.frequency.interval_count,
                "YEAR" => cycle.frequency.interval_count * 12,
                _ => 0,
            });
        // Our plans have one trial cycle, in days.
        let trials = self.billing_cycles.iter();
        let days =
            trials.filter(|cycle| cycle.tenure_type == "TRIAL" && cycle.frequency.interval_unit == "DAY");
        let trial = days
            .map(|cycle| TimeDelta::days(cycle.frequency.interval_count.into()))
            .sum();
        Cycles { months, trial }
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
