//! The verbs of a subscription.

use chrono::DateTime;
use serde_json::{Value, json};

use super::{
    Ctx, billing,
    buyers::Outcome,
    error::{Answer, ApiError},
    events::tell_of_subscription,
    http::Verb,
    subscription::{Revision, Status, Subscription},
    terms::Terms,
};
use crate::{calendar::rfc3339, call::Reply, ids::random_upper};

pub fn create(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    let plan_id = verb
        .text("plan_id")?
        .ok_or_else(|| ApiError::missing("/plan_id"))?;
    let plan = active_plan(ctx, plan_id)?;
    let quantity = quantity(verb, &plan)?;
    let start = match verb.text("start_time")? {
        None => ctx.now,
        Some(text) => moment(text).ok_or_else(|| ApiError::wrong("/start_time"))?,
    };
    if start < ctx.now - 60 {
        return Err(ApiError::refused(
            "SUBSCRIPTION_START_TIME_IN_PAST",
            "Subscription start time cannot be in the past.",
        ));
    }
    let (terms, is_overridden) = terms(verb, plan)?;
    let subscription = Subscription {
        id: format!("I-{}", random_upper(12)),
        token: format!("BA-{}", random_upper(17)),
        status: Status::ApprovalPending,
        status_at: ctx.now,
        status_note: None,
        plan_id: plan_id.to_owned(),
        is_overridden,
        done: vec![0; terms.cycles.len()],
        terms,
        quantity,
        custom_id: verb.text("custom_id")?.map(ToOwned::to_owned),
        subscriber: verb.body.get("subscriber").cloned().unwrap_or_else(|| json!({})),
        application_context: verb.body["application_context"].clone(),
        created: ctx.now,
        updated: ctx.now,
        start,
        buyer: None,
        anchor: start,
        next_billing: None,
        retry: None,
        failures: 0,
        outstanding: 0,
        last_payment: None,
        last_failure: None,
        revision: None,
        sales: Vec::new(),
    };
    let shown = if verb.wants_representation() {
        subscription.shown(ctx.house)
    } else {
        subscription.minimal(ctx.house)
    };
    let id = subscription.id.clone();
    ctx.books.subscriptions.put(&id, subscription);
    tell_of_subscription(ctx, "BILLING.SUBSCRIPTION.CREATED", &id);
    Ok(Reply::json(201, &shown))
}

fn active_plan(ctx: &Ctx<'_>, id: &str) -> Result<Value, ApiError> {
    let plan = ctx.books.plans.get(id).ok_or_else(ApiError::not_found)?;
    if plan["status"] != "ACTIVE" {
        return Err(ApiError::refused(
            "PLAN_STATUS_INVALID",
            "Invalid plan status. Should be ACTIVE.",
        ));
    }
    Ok(plan.clone())
}

fn quantity(verb: &Verb<'_>, plan: &Value) -> Result<i64, ApiError> {
    let Some(text) = verb.text("quantity")? else {
        return Ok(1);
    };
    let quantity = text.parse().ok().filter(|quantity| *quantity > 0);
    let quantity = quantity.ok_or_else(|| ApiError::wrong("/quantity"))?;
    if quantity > 1 && plan["quantity_supported"] != true {
        return Err(ApiError::refused(
            "QUANTITY_NOT_SUPPORTED",
            "This subscription plan does not support quantity.",
        ));
    }
    Ok(quantity)
}

/// A subscription may differ from its plan in prices and preferences.
fn terms(verb: &Verb<'_>, mut plan: Value) -> Result<(Terms, bool), ApiError> {
    let Some(given) = verb.body["plan"].as_object() else {
        return Ok((Terms::read(&plan)?, false));
    };
    for cycle in given
        .get("billing_cycles")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let known = plan["billing_cycles"].as_array_mut().into_iter().flatten();
        for own in known.filter(|own| own["sequence"] == cycle["sequence"]) {
            for field in ["pricing_scheme", "total_cycles"] {
                if !cycle[field].is_null() {
                    own[field] = cycle[field].clone();
                }
            }
        }
    }
    let preferences = given.get("payment_preferences").and_then(Value::as_object);
    for (name, value) in preferences.into_iter().flatten() {
        plan["payment_preferences"][name.as_str()] = value.clone();
    }
    Ok((Terms::read(&plan)?, true))
}

fn moment(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp())
}

fn found<'a>(ctx: &'a Ctx<'_>, id: &str) -> Result<&'a Subscription, ApiError> {
    ctx.books.subscriptions.get(id).ok_or_else(ApiError::not_found)
}

pub fn show(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    Ok(Reply::json(200, &found(ctx, id)?.shown(ctx.house)))
}

/// Begins an approved subscription, or goes on with a suspended one.
pub fn activate(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    match found(ctx, id)?.status {
        Status::Approved => billing::activate(ctx, id),
        Status::Suspended => billing::resume(ctx, id, verb.text("reason")?),
        _ => return Err(wrong_status()),
    }
    Ok(Reply::empty(204))
}

pub fn suspend(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    let reason = reason(verb)?;
    if found(ctx, id)?.status != Status::Active {
        return Err(wrong_status());
    }
    billing::suspend(ctx, id, Some(reason));
    Ok(Reply::empty(204))
}

pub fn cancel(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    let reason = reason(verb)?;
    if !matches!(
        found(ctx, id)?.status,
        Status::Approved | Status::Active | Status::Suspended
    ) {
        return Err(wrong_status());
    }
    billing::cancel(ctx, id, Some(reason));
    Ok(Reply::empty(204))
}

fn reason<'a>(verb: &'a Verb<'_>) -> Result<&'a str, ApiError> {
    verb.text("reason")?.ok_or_else(|| ApiError::missing("/reason"))
}

fn wrong_status() -> ApiError {
    ApiError::refused(
        "SUBSCRIPTION_STATUS_INVALID",
        "Invalid subscription status for the requested action.",
    )
}

/// Another plan, once the buyer has agreed to it.
pub fn revise(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    let subscription = found(ctx, id)?;
    if subscription.status != Status::Active {
        return Err(wrong_status());
    }
    let plan_id = verb.text("plan_id")?.unwrap_or(&subscription.plan_id).to_owned();
    let plan = active_plan(ctx, &plan_id)?;
    let known = ctx.books.plans.get(&found(ctx, id)?.plan_id);
    if known.is_some_and(|known| known["product_id"] != plan["product_id"]) {
        return Err(ApiError::refused(
            "PLAN_PRODUCT_MISMATCH",
            "The new plan belongs to another product.",
        ));
    }
    let quantity = quantity(verb, &plan)?;
    let (terms, is_overridden) = terms(verb, plan)?;
    let token = format!("BA-{}", random_upper(17));
    let url = ctx.house.approval_url(&token);
    let answer = json!({
        "plan_id": plan_id,
        "plan_overridden": is_overridden,
        "links": [{ "href": url, "rel": "approve", "method": "GET" }],
    });
    if let Some(subscription) = ctx.books.subscriptions.get_mut(id) {
        subscription.revision = Some(Revision {
            token,
            plan_id,
            terms,
            quantity,
        });
    }
    Ok(Reply::json(200, &answer))
}

/// Collects what is outstanding.
pub fn capture(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    if verb.text("note")?.is_none() {
        return Err(ApiError::missing("/note"));
    }
    if verb.text("capture_type")? != Some("OUTSTANDING_BALANCE") {
        return Err(ApiError::wrong("/capture_type"));
    }
    let subscription = found(ctx, id)?;
    if !matches!(subscription.status, Status::Active | Status::Suspended) {
        return Err(wrong_status());
    }
    let value = verb.body["amount"]["value"].as_str();
    let value = value.ok_or_else(|| ApiError::missing("/amount/value"))?;
    if verb.body["amount"]["currency_code"] != subscription.terms.currency.as_str() {
        return Err(ApiError::refused(
            "CURRENCY_MISMATCH",
            "The currency code is different from the subscription's currency code.",
        ));
    }
    let minor = subscription.terms.minor(value);
    let minor = minor.ok_or_else(|| ApiError::wrong("/amount/value"))?;
    if subscription.outstanding == 0 {
        return Err(ApiError::refused(
            "ZERO_OUTSTANDING_BALANCE",
            "Current outstanding balance should be greater than zero.",
        ));
    }
    if minor > subscription.outstanding {
        return Err(ApiError::refused(
            "AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE",
            "The capture amount can not be greater than the current outstanding balance amount.",
        ));
    }
    let amount = subscription.money(minor);
    let outcome = billing::charge(ctx, id, minor);
    billing::set_wake(ctx, id);
    let paid = found(ctx, id)?
        .sales
        .last()
        .filter(|_| outcome != Outcome::Refused);
    let transaction = match paid.and_then(|sale| ctx.books.sales.get(sale)) {
        Some(sale) => sale.as_transaction(),
        None => json!({
            "id": random_upper(17), "status": "DECLINED", "time": rfc3339(ctx.now),
            "amount_with_breakdown": { "gross_amount": amount },
        }),
    };
    Ok(Reply::json(202, &transaction))
}

pub fn transactions(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    let bound = |name: &str| {
        let text = verb
            .call
            .asked_for(name)
            .ok_or_else(|| ApiError::missing_query(name))?;
        moment(&text).ok_or_else(|| ApiError::missing_query(name))
    };
    let (from, until) = (bound("start_time")?, bound("end_time")?);
    let transactions: Vec<_> = found(ctx, id)?
        .sales
        .iter()
        .rev()
        .filter_map(|sale| ctx.books.sales.get(sale))
        .filter(|sale| (from..=until).contains(&sale.at))
        .map(super::sales::Sale::as_transaction)
        .collect();
    let own = format!("{}/v1/billing/subscriptions/{id}/transactions", ctx.house.url);
    Ok(Reply::json(
        200,
        &json!({
            "transactions": transactions,
            "total_items": transactions.len(),
            "total_pages": 1,
            "links": [{ "href": own, "rel": "self", "method": "GET" }],
        }),
    ))
}
