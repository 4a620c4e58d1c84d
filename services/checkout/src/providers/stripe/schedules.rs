//! A plan that begins when what is paid for ends: Stripe holds it in a subscription schedule, so that it begins on time
//! without checkout. While a schedule is attached, Stripe refuses to cancel or reprice its subscription beside
//! it, and resets the card with each phase: hence `release_schedule` and `pay_phases_by`.

use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::Stripe;
use super::form::{Form, path_segment};
use super::wire::{Created, List};
use crate::ports::{LaterPlan, ProviderError};

/// A subscription as far as its plan goes.
#[derive(Debug, Deserialize)]
pub struct ScheduledSubscription {
    items: List<Item>,
    default_payment_method: Option<String>,
    pub schedule: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Item {
    pub id: String,
    price: Created,
    current_period_start: i64,
    current_period_end: i64,
}

#[derive(Debug, Deserialize)]
struct ScheduleObject {
    id: String,
    current_phase: Option<Phase>,
}

#[derive(Debug, Deserialize)]
struct Phase {
    start_date: i64,
    end_date: i64,
}

impl ScheduledSubscription {
    /// We sell one thing at a time.
    pub fn item(&self) -> Result<&Item, ProviderError> {
        let item = self.items.data.first();
        item.ok_or_else(|| ProviderError::OutcomeUnknown("subscription without an item".to_owned()))
    }
}

impl Stripe {
    pub(super) async fn fetch_scheduled(&self, id: &str) -> Result<ScheduledSubscription, ProviderError> {
        let path = format!("/v1/subscriptions/{}", path_segment(id));
        self.http.get("fetch_plan", &path, &Form::new()).await
    }

    pub(super) async fn schedule(
        &self,
        id: &str,
        plan: &LaterPlan,
        key: &str,
    ) -> Result<DateTime<Utc>, ProviderError> {
        let held = self.fetch_scheduled(id).await?;
        let item = held.item()?;
        if item.price.id == plan.provider_price_id {
            // An earlier answer was lost, and it has begun since.
            return moment(item.current_period_start);
        }
        let schedule: ScheduleObject = if let Some(schedule) = &held.schedule {
            let path = schedule_path(schedule);
            self.http.get("fetch_schedule", &path, &Form::new()).await?
        } else {
            let form = Form::new().with("from_subscription", id);
            // In another period it is another schedule.
            let key = format!("{key}-schedule-{}", item.current_period_end);
            let path = "/v1/subscription_schedules";
            self.http.post("create_schedule", path, &form, &key).await?
        };
        let runs = schedule
            .current_phase
            .ok_or_else(|| ProviderError::OutcomeUnknown("schedule without a phase".to_owned()))?;
        let form = phases(&runs, &held, item, plan);
        let key = format!("{key}-{}", runs.end_date);
        let path = schedule_path(&schedule.id);
        let _: Created = self.http.post("schedule_plan", &path, &form, &key).await?;
        moment(runs.end_date)
    }

    /// Releases the schedule, if any, and returns the subscription as it was before.
    pub(super) async fn release_schedule(
        &self,
        id: &str,
        key: &str,
    ) -> Result<ScheduledSubscription, ProviderError> {
        let held = self.fetch_scheduled(id).await?;
        if let Some(schedule) = &held.schedule {
            let path = format!("{}/release", schedule_path(schedule));
            let key = format!("{key}-release");
            let none = Form::new();
            let _: Created = self.http.post("release_schedule", &path, &none, &key).await?;
        }
        Ok(held)
    }

    /// A new card is one for the schedule as well.
    pub(super) async fn pay_phases_by(
        &self,
        payment_method_id: &str,
        schedule: &str,
        key: &str,
    ) -> Result<(), ProviderError> {
        let form = Form::new().with("default_settings[default_payment_method]", payment_method_id);
        let key = format!("{key}-schedule");
        let path = schedule_path(schedule);
        let _: Created = self.http.post("change_schedule", &path, &form, &key).await?;
        Ok(())
    }
}

/// The current phase is unchanged, and the plan follows. After one period the schedule releases itself.
fn phases(runs: &Phase, held: &ScheduledSubscription, item: &Item, plan: &LaterPlan) -> Form {
    let card = held.default_payment_method.as_deref().unwrap_or_default();
    Form::new()
        .with("end_behavior", "release")
        .with("proration_behavior", "none")
        .filled("default_settings[default_payment_method]", card)
        .with("phases[0][items][0][price]", &item.price.id)
        .with("phases[0][items][0][quantity]", "1")
        .with("phases[0][start_date]", &runs.start_date.to_string())
        .with("phases[0][end_date]", &runs.end_date.to_string())
        .with("phases[0][proration_behavior]", "none")
        .with("phases[1][items][0][price]", &plan.provider_price_id)
        .with("phases[1][items][0][quantity]", "1")
        .with("phases[1][duration][interval]", "month")
        .with(
            "phases[1][duration][interval_count]",
            &plan.period_months.to_string(),
        )
        .with("phases[1][proration_behavior]", "none")
}

fn schedule_path(id: &str) -> String {
    format!("/v1/subscription_schedules/{}", path_segment(id))
}

fn moment(seconds: i64) -> Result<DateTime<Utc>, ProviderError> {
    DateTime::from_timestamp(seconds, 0)
        .ok_or_else(|| ProviderError::OutcomeUnknown(format!("no time: {seconds}")))
}
