//! Changes of a running subscription at Stripe.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::money::{Currency, Money};
use serde::Deserialize;

use super::Stripe;
use super::form::{Form, path_segment};
use super::schedules::{Item, ScheduledSubscription};
use crate::ports::{ChangeProvider, LaterPlan, NewPlan, ProviderChange, ProviderError, Resumption};

#[derive(Debug, Deserialize)]
struct Preview {
    amount_due: i64,
    currency: String,
}

#[async_trait]
impl ChangeProvider for Stripe {
    async fn change(&self, id: &str, change: &ProviderChange, key: &str) -> Result<(), ProviderError> {
        let form = match change {
            ProviderChange::CancelAtPeriodEnd => {
                self.release_schedule(id, key).await?;
                Form::new().with("cancel_at_period_end", "true")
            }
            ProviderChange::Reactivate => Form::new().with("cancel_at_period_end", "false"),
            ProviderChange::Card { payment_method_id } => {
                Form::new().with("default_payment_method", payment_method_id)
            }
            ProviderChange::Pause { until } => Form::new()
                .with("pause_collection[behavior]", "void")
                .with("pause_collection[resumes_at]", &until.timestamp().to_string()),
            ProviderChange::Resume(Resumption::AsIfNever) => Form::new().with("pause_collection", ""),
            ProviderChange::Resume(Resumption::Anew) => Form::new()
                .with("pause_collection", "")
                .with("billing_cycle_anchor[type]", "now")
                .with("proration_behavior", "none"),
            ProviderChange::Plan(plan) => plan_form(self.release_schedule(id, key).await?.item()?, plan),
            ProviderChange::CancelScheduledPlan => return self.release_schedule(id, key).await.map(drop),
        };
        let path = format!("/v1/subscriptions/{}", path_segment(id));
        let changed: ScheduledSubscription = self.http.post("change_subscription", &path, &form, key).await?;
        match (change, &changed.schedule) {
            (ProviderChange::Card { payment_method_id }, Some(schedule)) => {
                self.pay_phases_by(payment_method_id, schedule, key).await
            }
            _ => Ok(()),
        }
    }

    async fn preview_plan(&self, id: &str, plan: &NewPlan) -> Result<Money, ProviderError> {
        let held = self.fetch_scheduled(id).await?;
        let form = Form::new()
            .with("subscription", id)
            .with("subscription_details[items][0][id]", &held.item()?.id)
            .with("subscription_details[items][0][price]", &plan.provider_price_id)
            .with("subscription_details[proration_behavior]", "always_invoice")
            .with(
                "subscription_details[proration_date]",
                &plan.prorated_at.timestamp().to_string(),
            );
        // Nothing is made by it: the key only has to be one that no other words are sent with.
        let key = format!(
            "preview-{id}-{}-{}",
            plan.provider_price_id,
            plan.prorated_at.timestamp()
        );
        let preview: Preview = self
            .http
            .post("preview_plan", "/v1/invoices/create_preview", &form, &key)
            .await?;
        let currency = Currency::parse(&preview.currency.to_ascii_uppercase())
            .map_err(|error| ProviderError::OutcomeUnknown(error.to_string()))?;
        Ok(Money::new(preview.amount_due, currency))
    }

    async fn schedule_plan(
        &self,
        id: &str,
        plan: &LaterPlan,
        key: &str,
    ) -> Result<DateTime<Utc>, ProviderError> {
        self.schedule(id, plan, key).await
    }
}

fn plan_form(item: &Item, plan: &NewPlan) -> Form {
    Form::new()
        .with("items[0][id]", &item.id)
        .with("items[0][price]", &plan.provider_price_id)
        .with("proration_behavior", "always_invoice")
        .with("proration_date", &plan.prorated_at.timestamp().to_string())
        // A card that does not pay the difference changes nothing.
        .with("payment_behavior", "error_if_incomplete")
        .with("off_session", "true")
}
