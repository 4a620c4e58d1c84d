//! Changes of subscriptions, and their public view.

use chrono::{DateTime, Utc};
use proto::checkout::v1 as wire;
use proto::checkout::v1::change_subscription_request::Change as WireChange;

use super::convert;
use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::subscription::subscription_change::SubscriptionChange;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::subscriptions::change_subscription;
use crate::flows::api::subscriptions::list_plans::list_plans;
use crate::flows::api::subscriptions::list_subscriptions::{self, SubscriptionView};
use crate::flows::api::subscriptions::preview_plan::{Planned, preview_plan};

pub async fn change(
    checkout: &Checkout,
    request: wire::ChangeSubscriptionRequest,
) -> Result<wire::ChangeSubscriptionResponse> {
    let (user_id, subscription_id) = whose(&request.user_id, &request.subscription_id)?;
    let change = requested(request.change)?;
    change_subscription::change_subscription(checkout, &user_id, subscription_id, change).await?;
    let held = list_subscriptions::find_view(checkout, &user_id, subscription_id).await?;
    Ok(wire::ChangeSubscriptionResponse {
        subscription: Some(shown(&held)),
    })
}

pub async fn preview(
    checkout: &Checkout,
    request: wire::PreviewPlanRequest,
) -> Result<wire::PreviewPlanResponse> {
    let (user_id, subscription_id) = whose(&request.user_id, &request.subscription_id)?;
    let price_id = request.price_id.parse().map_err(|_| Error::UnknownPrice)?;
    let Planned {
        price,
        due_now,
        prorated_at,
        starts_at,
    } = preview_plan(checkout, &user_id, subscription_id, price_id).await?;
    Ok(wire::PreviewPlanResponse {
        price_id: price.price_id.to_string(),
        due_now: Some(due_now.into()),
        then: Some(price.terms.amount.into()),
        period_months: price.terms.period_months,
        prorated_at: Some(prorated_at.into()),
        starts_at: starts_at.map(Into::into),
    })
}

pub async fn plans(checkout: &Checkout, request: &wire::ListPlansRequest) -> Result<wire::ListPlansResponse> {
    let (user_id, subscription_id) = whose(&request.user_id, &request.subscription_id)?;
    let plans = list_plans(checkout, &user_id, subscription_id).await?;
    let shown = plans.into_iter().map(|plan| wire::list_plans_response::Plan {
        campaign: plan.price.campaign,
        coupon_code: plan.price.terms.coupon_code,
        price_id: plan.price.price_id.to_string(),
        price: Some(plan.price.terms.amount.into()),
        period_months: plan.price.terms.period_months,
        current: plan.is_current,
        starts_at: plan.starts_at.map(Into::into),
    });
    Ok(wire::ListPlansResponse {
        plans: shown.collect(),
    })
}

fn whose(user_id: &str, subscription_id: &str) -> Result<(UserId, SubscriptionId)> {
    let user_id = convert::user_id(user_id)?;
    let subscription_id = subscription_id.parse().map_err(|_| Error::UnknownSubscription)?;
    Ok((user_id, subscription_id))
}

fn requested(change: Option<WireChange>) -> Result<SubscriptionChange> {
    Ok(match change {
        Some(WireChange::Cancel(_)) => SubscriptionChange::Cancel,
        Some(WireChange::Reactivate(_)) => SubscriptionChange::Reactivate,
        Some(WireChange::Card(card)) => SubscriptionChange::Card {
            payment_method_id: convert::payment_method_id(card.payment_method_id)?,
        },
        Some(WireChange::Pause(pause)) => SubscriptionChange::Pause {
            until: moment("until", pause.until)?,
        },
        Some(WireChange::Resume(_)) => SubscriptionChange::Resume,
        Some(WireChange::CancelScheduledPlan(_)) => SubscriptionChange::CancelScheduledPlan,
        Some(WireChange::Plan(plan)) => SubscriptionChange::Plan {
            price_id: plan.price_id.parse().map_err(|_| Error::UnknownPrice)?,
            prorated_at: moment("prorated_at", plan.prorated_at)?,
            shown: plan
                .due_now
                .and_then(|shown| shown.try_into().ok())
                .ok_or(Error::PreviewExpired)?,
        },
        None => {
            return Err(Error::Invalid {
                field: "change",
                why: "is none",
            });
        }
    })
}

/// To the second, as the provider keeps it.
fn moment(field: &'static str, at: Option<proto::Timestamp>) -> Result<DateTime<Utc>> {
    at.and_then(|at| DateTime::from_timestamp(at.seconds, 0))
        .ok_or(Error::Invalid {
            field,
            why: "is no moment",
        })
}

pub fn shown(held: &SubscriptionView) -> wire::Subscription {
    let mut subscription = convert::subscription(&held.purchase);
    subscription.receipts = receipts(held);
    subscription.price_id = held.plan.price_id.to_string();
    subscription.price = Some(held.plan.terms.amount.into());
    subscription.period_months = held.plan.terms.period_months;
    subscription.pending_change = held
        .pending_change
        .as_ref()
        .map(|stored| stored.change.name().to_owned())
        .unwrap_or_default();
    subscription.scheduled_plan = held.next_plan.as_ref().map(|(price, at)| wire::ScheduledPlan {
        price_id: price.price_id.to_string(),
        price: Some(price.terms.amount.into()),
        period_months: price.terms.period_months,
        starts_at: Some((*at).into()),
    });
    let Some(billing) = &held.state else {
        return subscription;
    };
    subscription.renews = held.renews;
    subscription.available_actions = held
        .available_actions
        .iter()
        .map(|kind| kind.name().to_owned())
        .collect();
    subscription.cancel_at = billing.cancel_at.map(Into::into);
    subscription.paused_until = billing.paused_until.map(Into::into);
    if let Some(card) = &billing.card {
        subscription.card_brand.clone_from(&card.brand);
        subscription.card_last4.clone_from(&card.last4);
    }
    subscription.overdue = billing.dunning.as_ref().map(|dunning| wire::Overdue {
        amount: Some(dunning.amount.into()),
        access_until: Some(dunning.grace_until.into()),
        code: dunning.decline_code.clone(),
        needs_new_card: dunning.needs_new_card(),
    });
    subscription
}

/// Newest first.
fn receipts(held: &SubscriptionView) -> Vec<wire::Receipt> {
    let later = held.renewals.iter().rev().map(|renewal| wire::Receipt {
        payment_id: renewal.payment_id.to_string(),
        paid_at: Some(renewal.at.into()),
        amount: Some(renewal.captured.into()),
        reason: renewal.kind.name().to_owned(),
    });
    let first = held.first.map(|(payment_id, amount, at)| wire::Receipt {
        payment_id: payment_id.to_string(),
        paid_at: Some(at.into()),
        amount: Some(amount.into()),
        reason: "first".to_owned(),
    });
    later.chain(first).collect()
}
