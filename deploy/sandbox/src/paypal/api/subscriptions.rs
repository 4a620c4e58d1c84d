//! `billing/subscriptions`: create, show, activate, suspend, cancel, revise, capture, transactions.

use chrono::DateTime;
use serde_json::{Value, json};

use super::request::ApiRequest;
use crate::{
    engine::{calendar::rfc3339, http::call::Reply, ids::random_upper},
    paypal::{
        billing,
        buyers::Outcome,
        error::{ApiError, ApiResult},
        events::emit_subscription_event,
        plan_terms::Terms,
        provider::Context,
        sale::Sale,
        subscription::{Revision, Status, Subscription},
    },
};

pub fn create(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    let plan_id = request
        .text("plan_id")?
        .ok_or_else(|| ApiError::missing("/plan_id"))?;
    let plan = active_plan(ctx, plan_id)?;
    let quantity = quantity(request, &plan)?;
    let start = match request.text("start_time")? {
        None => ctx.now,
        Some(text) => timestamp(text).ok_or_else(|| ApiError::wrong("/start_time"))?,
    };
    if start < ctx.now - 60 {
        return Err(ApiError::unprocessable(
            "SUBSCRIPTION_START_TIME_IN_PAST",
            "Subscription start time cannot be in the past.",
        ));
    }
    let (terms, is_overridden) = terms(request, plan)?;
    let subscription = Subscription {
        id: format!("I-{}", random_upper(12)),
        token: format!("BA-{}", random_upper(17)),
        status: Status::ApprovalPending,
        status_at: ctx.now,
        status_note: None,
        plan_id: plan_id.to_owned(),
        is_overridden,
        completed: vec![0; terms.cycles.len()],
        terms,
        quantity,
        custom_id: request.text("custom_id")?.map(ToOwned::to_owned),
        subscriber: request
            .body
            .get("subscriber")
            .cloned()
            .unwrap_or_else(|| json!({})),
        application_context: request.body["application_context"].clone(),
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
    let json = if request.wants_representation() {
        subscription.to_json(ctx.provider)
    } else {
        subscription.minimal_json(ctx.provider)
    };
    let id = subscription.id.clone();
    ctx.state.subscriptions.put(&id, subscription);
    emit_subscription_event(ctx, "BILLING.SUBSCRIPTION.CREATED", &id);
    Ok(Reply::json(201, &json))
}

fn active_plan(ctx: &Context<'_>, id: &str) -> Result<Value, ApiError> {
    let plan = ctx.state.plans.get(id).ok_or_else(ApiError::not_found)?;
    if plan["status"] != "ACTIVE" {
        return Err(ApiError::unprocessable(
            "PLAN_STATUS_INVALID",
            "Invalid plan status. Should be ACTIVE.",
        ));
    }
    Ok(plan.clone())
}

fn quantity(request: &ApiRequest<'_>, plan: &Value) -> Result<i64, ApiError> {
    let Some(text) = request.text("quantity")? else {
        return Ok(1);
    };
    let quantity = text.parse().ok().filter(|quantity| *quantity > 0);
    let quantity = quantity.ok_or_else(|| ApiError::wrong("/quantity"))?;
    if quantity > 1 && plan["quantity_supported"] != true {
        return Err(ApiError::unprocessable(
            "QUANTITY_NOT_SUPPORTED",
            "This subscription plan does not support quantity.",
        ));
    }
    Ok(quantity)
}

/// The plan's terms, with the subscription's own prices and preferences.
fn terms(request: &ApiRequest<'_>, mut plan: Value) -> Result<(Terms, bool), ApiError> {
    let Some(given) = request.body["plan"].as_object() else {
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

fn timestamp(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp())
}

fn find<'a>(ctx: &'a Context<'_>, id: &str) -> Result<&'a Subscription, ApiError> {
    ctx.state.subscriptions.get(id).ok_or_else(ApiError::not_found)
}

pub fn show(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    Ok(Reply::json(200, &find(ctx, id)?.to_json(ctx.provider)))
}

/// Activates an approved subscription or resumes a suspended one.
pub fn activate(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    match find(ctx, id)?.status {
        Status::Approved => billing::activate(ctx, id),
        Status::Suspended => billing::resume(ctx, id, request.text("reason")?),
        _ => return Err(wrong_status()),
    }
    Ok(Reply::empty(204))
}

pub fn suspend(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    let reason = reason(request)?;
    if find(ctx, id)?.status != Status::Active {
        return Err(wrong_status());
    }
    billing::suspend(ctx, id, Some(reason));
    Ok(Reply::empty(204))
}

pub fn cancel(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    let reason = reason(request)?;
    if !matches!(
        find(ctx, id)?.status,
        Status::Approved | Status::Active | Status::Suspended
    ) {
        return Err(wrong_status());
    }
    billing::cancel(ctx, id, Some(reason));
    Ok(Reply::empty(204))
}

fn reason<'a>(request: &'a ApiRequest<'_>) -> Result<&'a str, ApiError> {
    request
        .text("reason")?
        .ok_or_else(|| ApiError::missing("/reason"))
}

fn wrong_status() -> ApiError {
    ApiError::unprocessable(
        "SUBSCRIPTION_STATUS_INVALID",
        "Invalid subscription status for the requested action.",
    )
}

/// Changes the plan, once the buyer has approved it.
pub fn revise(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    let subscription = find(ctx, id)?;
    if subscription.status != Status::Active {
        return Err(wrong_status());
    }
    let plan_id = request
        .text("plan_id")?
        .unwrap_or(&subscription.plan_id)
        .to_owned();
    let plan = active_plan(ctx, &plan_id)?;
    let known = ctx.state.plans.get(&find(ctx, id)?.plan_id);
    if known.is_some_and(|known| known["product_id"] != plan["product_id"]) {
        return Err(ApiError::unprocessable(
            "PLAN_PRODUCT_MISMATCH",
            "The new plan belongs to another product.",
        ));
    }
    let quantity = quantity(request, &plan)?;
    let (terms, is_overridden) = terms(request, plan)?;
    let token = format!("BA-{}", random_upper(17));
    let url = ctx.provider.approval_url(&token);
    let revision = json!({
        "plan_id": plan_id,
        "plan_overridden": is_overridden,
        "links": [{ "href": url, "rel": "approve", "method": "GET" }],
    });
    if let Some(subscription) = ctx.state.subscriptions.get_mut(id) {
        subscription.revision = Some(Revision {
            token,
            plan_id,
            terms,
            quantity,
        });
    }
    Ok(Reply::json(200, &revision))
}

/// Charges the outstanding balance or a part of it.
pub fn capture(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    if request.text("note")?.is_none() {
        return Err(ApiError::missing("/note"));
    }
    if request.text("capture_type")? != Some("OUTSTANDING_BALANCE") {
        return Err(ApiError::wrong("/capture_type"));
    }
    let subscription = find(ctx, id)?;
    if !matches!(subscription.status, Status::Active | Status::Suspended) {
        return Err(wrong_status());
    }
    let value = request.body["amount"]["value"].as_str();
    let value = value.ok_or_else(|| ApiError::missing("/amount/value"))?;
    if request.body["amount"]["currency_code"] != subscription.terms.currency.as_str() {
        return Err(ApiError::unprocessable(
            "CURRENCY_MISMATCH",
            "The currency code is different from the subscription's currency code.",
        ));
    }
    let minor = subscription.terms.minor(value);
    let minor = minor.ok_or_else(|| ApiError::wrong("/amount/value"))?;
    if subscription.outstanding == 0 {
        return Err(ApiError::unprocessable(
            "ZERO_OUTSTANDING_BALANCE",
            "Current outstanding balance should be greater than zero.",
        ));
    }
    if minor > subscription.outstanding {
        return Err(ApiError::unprocessable(
            "AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE",
            "The capture amount can not be greater than the current outstanding balance amount.",
        ));
    }
    let amount = subscription.money(minor);
    let outcome = billing::charge(ctx, id, minor);
    billing::set_timer(ctx, id);
    let paid = find(ctx, id)?
        .sales
        .last()
        .filter(|_| outcome != Outcome::Declined);
    let transaction = match paid.and_then(|sale| ctx.state.sales.get(sale)) {
        Some(sale) => sale.as_transaction(),
        None => json!({
            "id": random_upper(17), "status": "DECLINED", "time": rfc3339(ctx.now),
            "amount_with_breakdown": { "gross_amount": amount },
        }),
    };
    Ok(Reply::json(202, &transaction))
}

pub fn transactions(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    let bound = |name: &str| {
        let text = request
            .call
            .query_param(name)
            .ok_or_else(|| ApiError::missing_query(name))?;
        timestamp(&text).ok_or_else(|| ApiError::missing_query(name))
    };
    let (from, until) = (bound("start_time")?, bound("end_time")?);
    let transactions: Vec<_> = find(ctx, id)?
        .sales
        .iter()
        .rev()
        .filter_map(|sale| ctx.state.sales.get(sale))
        .filter(|sale| (from..=until).contains(&sale.at))
        .map(Sale::as_transaction)
        .collect();
    let own = format!("{}/v1/billing/subscriptions/{id}/transactions", ctx.provider.url);
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
