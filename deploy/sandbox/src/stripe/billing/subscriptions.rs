//! State transitions of subscriptions: by their invoices, setup intents and cancellation.

use serde_json::{Value, json};

use super::{invoices, schedules};
use crate::stripe::{object_kind::Kind, provider::Context, state::id_of};

const DAY_SECS: i64 = 24 * 3600;

/// Delays between attempts to collect a renewal; after the last the subscription is canceled.
const RETRY_AFTER_SECS: [i64; 3] = [3 * DAY_SECS, 5 * DAY_SECS, 7 * DAY_SECS];

/// The subscription event of an unpaid invoice, emitted after the invoice's own event.
pub enum PendingEvent {
    Nothing,
    Changed {
        subscription: String,
        previous: Value,
    },
    /// The last attempt failed.
    Over {
        subscription: String,
    },
}

impl PendingEvent {
    pub fn emit(self, ctx: &mut Context<'_>) {
        match self {
            Self::Nothing => {}
            Self::Changed {
                subscription,
                previous,
            } => {
                ctx.emit_change(
                    Kind::Subscription,
                    &subscription,
                    "customer.subscription.updated",
                    &previous,
                );
            }
            Self::Over { subscription } => cancel(ctx, &subscription, "payment_failed"),
        }
    }
}

pub fn invoice_paid(ctx: &mut Context<'_>, id: &str) {
    let status = ctx.read(Kind::Subscription, id)["status"]
        .as_str()
        .unwrap_or_default();
    if !matches!(status, "incomplete" | "past_due" | "unpaid") {
        return;
    }
    ctx.change_and_emit(
        Kind::Subscription,
        id,
        "customer.subscription.updated",
        |subscription| {
            subscription["status"] = json!("active");
            subscription["_retries"] = json!(0);
            subscription["_retry_at"] = Value::Null;
        },
    );
}

/// A void invoice is not owed: the newest other invoice determines the subscription's status.
pub fn invoice_voided(ctx: &mut Context<'_>, id: &str) {
    let newest = ctx
        .state
        .newest_first(Kind::Invoice, None)
        .find(|invoice| invoice["_subscription"] == id && invoice["status"] != "void");
    if newest.is_some_and(|invoice| invoice["status"] == "paid") {
        invoice_paid(ctx, id);
    }
}

/// Saves the card that paid as the subscription's default, if its settings require it.
pub fn keep_method(ctx: &mut Context<'_>, id: &str, intent: Option<&str>) {
    let settings = &ctx.read(Kind::Subscription, id)["payment_settings"];
    let Some(intent) = intent.filter(|_| settings["save_default_payment_method"] == "on_subscription") else {
        return;
    };
    let method = ctx.read(Kind::PaymentIntent, intent)["payment_method"].clone();
    ctx.change(Kind::Subscription, id, |subscription| {
        subscription["default_payment_method"] = method;
    });
}

/// An unpaid first invoice leaves the subscription incomplete. A later one makes it past due and is retried.
pub fn invoice_unpaid(ctx: &mut Context<'_>, id: &str, invoice: &str) -> PendingEvent {
    let subscription = ctx.read(Kind::Subscription, id).clone();
    if !matches!(subscription["status"].as_str(), Some("active" | "past_due")) {
        return PendingEvent::Nothing;
    }
    if ctx.read(Kind::Invoice, invoice)["auto_advance"] == false {
        return unpaid_without_retry(ctx, id);
    }
    let retries = subscription["_retries"].as_u64().unwrap_or_default();
    let wait = usize::try_from(retries)
        .ok()
        .and_then(|tried| RETRY_AFTER_SECS.get(tried));
    let retry_at = wait.map(|wait| ctx.now + wait);
    ctx.change(Kind::Invoice, invoice, |invoice| {
        invoice["next_payment_attempt"] = json!(retry_at);
    });
    let previous = ctx.change(Kind::Subscription, id, |subscription| {
        subscription["status"] = json!("past_due");
        subscription["_retry_at"] = json!(retry_at);
    });
    match retry_at {
        Some(_) => PendingEvent::Changed {
            subscription: id.to_owned(),
            previous,
        },
        None => PendingEvent::Over {
            subscription: id.to_owned(),
        },
    }
}

/// With `auto_advance=false` the merchant retries the invoice.
fn unpaid_without_retry(ctx: &mut Context<'_>, id: &str) -> PendingEvent {
    let previous = ctx.change(Kind::Subscription, id, |subscription| {
        subscription["status"] = json!("past_due");
        subscription["_retry_at"] = Value::Null;
    });
    PendingEvent::Changed {
        subscription: id.to_owned(),
        previous,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AutoAdvance {
    On,
    Off,
}

/// Switches automatic collection of an invoice.
pub fn set_auto_advance(ctx: &mut Context<'_>, invoice: &str, collection: AutoAdvance) {
    let automatically = collection == AutoAdvance::On;
    let previous = ctx.change(Kind::Invoice, invoice, |invoice| {
        invoice["auto_advance"] = json!(automatically);
        if !automatically {
            invoice["next_payment_attempt"] = Value::Null;
        }
    });
    ctx.emit_change(Kind::Invoice, invoice, "invoice.updated", &previous);
    let Some(id) = invoices::subscription_of(ctx, invoice).filter(|_| !automatically) else {
        return;
    };
    if ctx.read(Kind::Subscription, &id)["latest_invoice"] == invoice {
        ctx.change(Kind::Subscription, &id, |subscription| {
            subscription["_retry_at"] = Value::Null;
        });
    }
}

/// The pending setup intent of a trial has succeeded.
pub fn complete_setup(ctx: &mut Context<'_>, setup_intent: &str, method: &str) {
    let Some(id) = ctx.read(Kind::SetupIntent, setup_intent)["_subscription"]
        .as_str()
        .map(ToOwned::to_owned)
    else {
        return;
    };
    ctx.change_and_emit(
        Kind::Subscription,
        &id,
        "customer.subscription.updated",
        |subscription| {
            subscription["pending_setup_intent"] = Value::Null;
            if subscription["default_payment_method"].is_null() {
                subscription["default_payment_method"] = json!(method);
            }
        },
    );
}

/// The subscription's own card, else the customer's.
pub fn payment_method(ctx: &Context<'_>, id: &str) -> Option<String> {
    let subscription = ctx.read(Kind::Subscription, id);
    let customer = ctx.read(Kind::Customer, subscription["customer"].as_str()?);
    let own = subscription["default_payment_method"].as_str();
    let method = own.or_else(|| customer["invoice_settings"]["default_payment_method"].as_str())?;
    (!ctx.read(Kind::PaymentMethod, method)["customer"].is_null()).then(|| method.to_owned())
}

/// Ends a subscription that has no first payment after 23 hours.
pub fn expire(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    let invoice = ctx.read(Kind::Subscription, id)["latest_invoice"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    ctx.change_and_emit(
        Kind::Subscription,
        id,
        "customer.subscription.updated",
        |subscription| {
            subscription["status"] = json!("incomplete_expired");
            subscription["ended_at"] = json!(now);
        },
    );
    invoices::void(ctx, &invoice);
}

pub fn cancel(ctx: &mut Context<'_>, id: &str, reason: &str) {
    let now = ctx.now;
    let was_incomplete = ctx.read(Kind::Subscription, id)["status"] == "incomplete";
    ctx.change(Kind::Subscription, id, |subscription| {
        subscription["status"] = json!(if was_incomplete {
            "incomplete_expired"
        } else {
            "canceled"
        });
        subscription["ended_at"] = json!(now);
        if subscription["canceled_at"].is_null() {
            subscription["canceled_at"] = json!(now);
        }
        subscription["cancellation_details"]["reason"] = json!(reason);
        subscription["_retry_at"] = Value::Null;
    });
    ctx.emit(Kind::Subscription, id, "customer.subscription.deleted");
    schedules::cancel(ctx, id);
    let invoice = ctx.read(Kind::Subscription, id)["latest_invoice"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    ctx.change(Kind::Invoice, &invoice, |invoice| {
        invoice["auto_advance"] = json!(false);
        invoice["next_payment_attempt"] = Value::Null;
    });
    if was_incomplete {
        invoices::void(ctx, &invoice);
    }
}

pub fn cancel_all_of(ctx: &mut Context<'_>, customer: &str) {
    let open: Vec<String> = ctx
        .state
        .newest_first(Kind::Subscription, Some(customer))
        .filter(|subscription| !is_over(subscription))
        .map(|subscription| id_of(subscription).to_owned())
        .collect();
    for id in open {
        cancel(ctx, &id, "cancellation_requested");
    }
}

pub fn is_over(subscription: &Value) -> bool {
    matches!(
        subscription["status"].as_str(),
        Some("canceled" | "incomplete_expired")
    )
}
