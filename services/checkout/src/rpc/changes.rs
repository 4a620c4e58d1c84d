//! What members want of their subscriptions, and how those are shown to them.

use chrono::{DateTime, Utc};
use proto::checkout::v1 as wire;
use proto::checkout::v1::change_subscription_request::Wish as Wanted;

use super::convert;
use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::wish::Wish;
use crate::error::{Error, Result};
use crate::flows::list_plans::list_plans;
use crate::flows::preview_plan::{Planned, preview_plan};
use crate::flows::read::{self, Held};
use crate::flows::{Checkout, change_subscription};

pub async fn change(
    checkout: &Checkout,
    request: wire::ChangeSubscriptionRequest,
) -> Result<wire::ChangeSubscriptionResponse> {
    let (user_id, subscription_id) = whose(&request.user_id, &request.subscription_id)?;
    let wish = wish(request.wish)?;
    change_subscription::change_subscription(checkout, &user_id, subscription_id, wish).await?;
    let held = read::held(checkout, &user_id, subscription_id).await?;
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

fn wish(wanted: Option<Wanted>) -> Result<Wish> {
    Ok(match wanted {
        Some(Wanted::Cancel(_)) => Wish::Cancel,
        Some(Wanted::Keep(_)) => Wish::Keep,
        Some(Wanted::Card(card)) => Wish::Card {
            payment_method_id: convert::payment_method_id(card.payment_method_id)?,
        },
        Some(Wanted::Pause(pause)) => Wish::Pause {
            until: moment("until", pause.until)?,
        },
        Some(Wanted::Resume(_)) => Wish::Resume,
        Some(Wanted::KeepPlan(_)) => Wish::KeepPlan,
        Some(Wanted::Plan(plan)) => Wish::Plan {
            price_id: plan.price_id.parse().map_err(|_| Error::UnknownPrice)?,
            prorated_at: moment("prorated_at", plan.prorated_at)?,
            shown: plan
                .shown
                .and_then(|shown| shown.try_into().ok())
                .ok_or(Error::PreviewExpired)?,
        },
        None => {
            return Err(Error::Invalid {
                field: "wish",
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

pub fn shown(held: &Held) -> wire::Subscription {
    let mut subscription = convert::subscription(&held.purchase);
    subscription.receipts = receipts(held);
    subscription.price_id = held.plan.price_id.to_string();
    subscription.price = Some(held.plan.terms.amount.into());
    subscription.period_months = held.plan.terms.period_months;
    subscription.open_wish = held
        .wish
        .as_ref()
        .map(|stored| stored.wish.name().to_owned())
        .unwrap_or_default();
    subscription.scheduled_plan = held.next_plan.as_ref().map(|(price, at)| wire::ScheduledPlan {
        price_id: price.price_id.to_string(),
        price: Some(price.terms.amount.into()),
        period_months: price.terms.period_months,
        starts_at: Some((*at).into()),
    });
    let Some(life) = &held.life else {
        return subscription;
    };
    subscription.renews = held.renews;
    subscription.wishes = held.wishes.iter().map(|kind| kind.name().to_owned()).collect();
    subscription.cancel_at = life.cancel_at.map(Into::into);
    subscription.paused_until = life.paused_until.map(Into::into);
    if let Some(card) = &life.card {
        subscription.card_brand.clone_from(&card.brand);
        subscription.card_last4.clone_from(&card.last4);
    }
    subscription.overdue = life.arrears.as_ref().map(|arrears| wire::Overdue {
        amount: Some(arrears.amount.into()),
        access_until: Some(arrears.grace_until.into()),
        code: arrears.code.clone(),
        needs_new_card: arrears.needs_new_card(),
    });
    subscription
}

/// Newest first.
fn receipts(held: &Held) -> Vec<wire::Receipt> {
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
