//! PayPal's catalogue: one product, and one plan per price.

use async_trait::async_trait;
use kit::http::Method;
use kit::money::Money;
use serde_json::{Value, json};

use super::Paypal;
use super::wire::{Made, Plans};
use crate::domain::pricing::campaign::Terms;
use crate::ports::{ApprovalProvider, ObservedApproval, ProviderError};

const PRODUCT: &str = "stillpoint-subscriptions";
const PAGE_MAX: usize = 20;
const PAGES_MAX: usize = 25;
const FAILURES_MAX: u32 = 2;

#[async_trait]
impl ApprovalProvider for Paypal {
    async fn ensure_plan(&self, terms: &Terms) -> Result<String, ProviderError> {
        let key = plan_key(terms);
        if let Some(found) = self.find_plan(&key).await? {
            return Ok(found);
        }
        self.ensure_product().await?;
        let body = plan(terms, &key);
        let request_id = format!("plan-{key}");
        let request = || {
            let request = self.http.request(Method::POST, "/v1/billing/plans");
            request.header("PayPal-Request-Id", &request_id).json(&body)
        };
        let made: Made = self.http.send("paypal_create_plan", request).await?.json()?;
        Ok(made.id)
    }

    async fn fetch_approval(
        &self,
        provider_subscription_id: &str,
    ) -> Result<ObservedApproval, ProviderError> {
        self.approval(provider_subscription_id).await
    }
}

impl Paypal {
    async fn find_plan(&self, key: &str) -> Result<Option<String>, ProviderError> {
        for page in 1..=PAGES_MAX {
            let query = [
                ("product_id", PRODUCT.to_owned()),
                ("page_size", PAGE_MAX.to_string()),
                ("page", page.to_string()),
            ];
            let request = || {
                let request = self.http.request(Method::GET, "/v1/billing/plans").query(&query);
                // Without this header the description is omitted.
                request.header("Prefer", "return=representation")
            };
            let listed = match self.http.send("paypal_list_plans", request).await {
                Ok(answered) => answered.json::<Plans>()?.plans,
                // The product does not exist yet.
                Err(ProviderError::NotFound) => return Ok(None),
                Err(error) => return Err(error),
            };
            let count = listed.len();
            let found = listed
                .into_iter()
                .find(|plan| plan.description.as_deref() == Some(key));
            if found.is_some() || count < PAGE_MAX {
                return Ok(found.map(|plan| plan.id));
            }
        }
        Ok(None)
    }

    async fn ensure_product(&self) -> Result<(), ProviderError> {
        let body = json!({ "id": PRODUCT, "name": "Stillpoint", "type": "SERVICE" });
        let request = || {
            let request = self.http.request(Method::POST, "/v1/catalogs/products");
            request.header("PayPal-Request-Id", PRODUCT).json(&body)
        };
        match self.http.send("paypal_create_product", request).await {
            Ok(_) => Ok(()),
            Err(ProviderError::Rejected { code, .. }) if code == "duplicate_resource_identifier" => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Key of the terms that PayPal fixes in a plan.
fn plan_key(terms: &Terms) -> String {
    format!("{}.{}d", terms.lookup_key, terms.trial_days)
}

fn plan(terms: &Terms, key: &str) -> Value {
    let Money { currency, .. } = terms.amount;
    let mut cycles = Vec::new();
    if terms.trial_days > 0 {
        cycles.push(json!({
            "frequency": { "interval_unit": "DAY", "interval_count": terms.trial_days },
            "tenure_type": "TRIAL", "sequence": 1, "total_cycles": 1,
        }));
    }
    cycles.push(json!({
        "frequency": { "interval_unit": "MONTH", "interval_count": terms.period_months },
        "tenure_type": "REGULAR", "sequence": cycles.len() + 1, "total_cycles": 0,
        "pricing_scheme": { "fixed_price": { "value": terms.amount.major(), "currency_code": currency.code() } },
    }));
    json!({
        "product_id": PRODUCT,
        "name": format!("Stillpoint {}", terms.product),
        "description": key,
        "billing_cycles": cycles,
        "payment_preferences": {
            "auto_bill_outstanding": true,
            "payment_failure_threshold": FAILURES_MAX,
        },
    })
}
