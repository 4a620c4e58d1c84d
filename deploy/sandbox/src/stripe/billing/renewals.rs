//! Periods of subscriptions: their begin, their invoice, and its retries.

use serde_json::{Value, json};

use super::{
    card_outcomes::Presence,
    charges,
    invoice_draft::{Bill, Terms},
    invoice_results, invoices,
    periods::period_end,
    schedules, subscriptions,
};
use crate::stripe::{object_kind::Kind, provider::Context};

/// Starts the next period and bills it; `reason` is the invoice's billing reason.
pub fn start_next_period(ctx: &mut Context<'_>, id: &str, reason: &'static str) {
    schedules::begin_phase(ctx, id);
    let before = ctx.read(Kind::Subscription, id).clone();
    let (start, end) = next_period(&before);
    let paused = is_paused(&before, start);
    if !paused && !before["pause_collection"].is_null() {
        ctx.change(Kind::Subscription, id, |subscription| {
            subscription["pause_collection"] = Value::Null;
        });
    }
    let mut previous = ctx.change(Kind::Subscription, id, |subscription| {
        subscription["_cycle"] = json!(cycle(subscription) + 1);
        if subscription["status"] == "trialing" {
            subscription["status"] = json!("active");
        }
        set_period(subscription, start, end);
    });
    let bill = Bill {
        subscription: id,
        reason,
        start,
        end,
        terms: Terms::Charged,
    };
    let invoice = invoices::draft(ctx, &bill);
    if let Value::Object(fields) = &mut previous {
        fields.insert("latest_invoice".into(), before["latest_invoice"].clone());
    }
    ctx.change(Kind::Subscription, id, |subscription| {
        subscription["_retries"] = json!(0);
    });
    ctx.emit(Kind::Invoice, &invoice, "invoice.created");
    ctx.emit_change(Kind::Subscription, id, "customer.subscription.updated", &previous);
    if paused {
        invoices::void(ctx, &invoice);
        return;
    }
    invoices::finalize(ctx, &invoice);
    collect_off_session(ctx, id, &invoice);
}

/// A pause without `resumes_at` has no end.
fn is_paused(subscription: &Value, now: i64) -> bool {
    let pause = &subscription["pause_collection"];
    !pause.is_null() && pause["resumes_at"].as_i64().is_none_or(|at| at > now)
}

fn collect_off_session(ctx: &mut Context<'_>, id: &str, invoice: &str) {
    if let Some(method) = subscriptions::payment_method(ctx, id) {
        charges::collect(ctx, invoice, &method, Presence::OffSession);
    } else {
        invoices::count_attempt(ctx, invoice);
        invoice_results::payment_failed(ctx, invoice);
    }
}

/// Retries a failed invoice.
pub fn retry(ctx: &mut Context<'_>, id: &str) {
    let subscription = ctx.read(Kind::Subscription, id).clone();
    let invoice = subscription["latest_invoice"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    ctx.change(Kind::Subscription, id, |subscription| {
        subscription["_retries"] = json!(subscription["_retries"].as_u64().unwrap_or_default() + 1);
        subscription["_retry_at"] = Value::Null;
    });
    if ctx.read(Kind::Invoice, &invoice)["status"] == "open" {
        collect_off_session(ctx, id, &invoice);
    }
}

fn next_period(subscription: &Value) -> (i64, i64) {
    let item = &subscription["items"]["data"][0];
    let start = item["current_period_end"].as_i64().unwrap_or_default();
    let anchor = subscription["billing_cycle_anchor"].as_i64().unwrap_or(start);
    (
        start,
        period_end(anchor, &item["price"]["recurring"], cycle(subscription) + 1),
    )
}

fn cycle(subscription: &Value) -> i64 {
    subscription["_cycle"].as_i64().unwrap_or_default()
}

fn set_period(subscription: &mut Value, start: i64, end: i64) {
    if let Some(items) = subscription["items"]["data"].as_array_mut() {
        for item in items {
            item["current_period_start"] = json!(start);
            item["current_period_end"] = json!(end);
        }
    }
}
