//! Price changes of a running subscription: the credit for the old price, and the charge for the new one.

use serde_json::{Value, json};

use super::{
    card_outcomes::{ChargeOutcome, Presence, charge_outcome},
    charges,
    invoice_draft::{self, Bill, Terms},
    invoices,
    periods::period_end,
    plan::plan,
    renewals, subscriptions,
};
use crate::stripe::{
    context::{Named, without_private_fields},
    object_kind::{Kind, random},
    protocol::{error::ApiError, params::Params},
    provider::Context,
};

pub struct NewPrice {
    pub price: String,
    item: String,
    at: i64,
}

/// Amounts in minor units.
pub struct Repricing {
    old: Value,
    price: Value,
    credit: i64,
    charge: i64,
    at: i64,
    old_end: i64,
    end: i64,
    starts_new_period: bool,
}

pub fn read(params: &mut Params, now: i64) -> Result<Option<NewPrice>, ApiError> {
    let at = params.integer("proration_date")?.unwrap_or(now);
    let mut items = params.list("items")?;
    let Some(mut item) = items.pop() else {
        return Ok(None);
    };
    if !items.is_empty() {
        return Err(ApiError::invalid("The sandbox changes one item at a time."));
    }
    let new = NewPrice {
        item: item.required("id")?,
        price: item.required("price")?,
        at,
    };
    item.finish()?;
    Ok(Some(new))
}

pub fn calculate(ctx: &Context<'_>, subscription: &Value, new: &NewPrice) -> Result<Repricing, ApiError> {
    let item = &subscription["items"]["data"][0];
    if item["id"] != new.item.as_str() {
        return Err(ApiError::no_such("subscription_item", &new.item, "items[0][id]"));
    }
    let price = ctx.find(Kind::Price, &new.price, Named::Param("items[0][price]"))?;
    if price["currency"] != subscription["currency"] {
        return Err(ApiError::invalid(
            "The price's currency is not the subscription's.",
        ));
    }
    let moment = |name: &str| item[name].as_i64().unwrap_or_default();
    let (from, old_end) = (moment("current_period_start"), moment("current_period_end"));
    if !(from..=old_end).contains(&new.at) {
        return Err(ApiError::invalid(
            "The subscription_proration_date must be within the current period.",
        ));
    }
    let share = |amount: i64| share(amount, old_end - new.at, old_end - from);
    let unit = |price: &Value| price["unit_amount"].as_i64().unwrap_or_default();
    let starts_new_period = price["recurring"] != item["price"]["recurring"];
    Ok(Repricing {
        old: item["price"].clone(),
        credit: share(unit(&item["price"])),
        charge: if starts_new_period {
            unit(&price)
        } else {
            share(unit(&price))
        },
        at: new.at,
        old_end,
        end: if starts_new_period {
            period_end(ctx.now, &price["recurring"], 1)
        } else {
            old_end
        },
        starts_new_period,
        price,
    })
}

/// Rounded to the nearest minor unit.
fn share(amount: i64, part: i64, whole: i64) -> i64 {
    let whole = whole.max(1);
    (amount * part * 2 + whole) / (whole * 2)
}

impl Repricing {
    pub fn due(&self) -> i64 {
        self.charge - self.credit
    }

    fn bill<'a>(&self, subscription: &'a str, reason: &'static str) -> Bill<'a> {
        Bill {
            subscription,
            reason,
            start: self.at,
            end: self.end,
            terms: Terms::Charged,
        }
    }
}

/// The invoice of `invoices/create_preview`.
pub fn preview(ctx: &Context<'_>, subscription: &str, change: &Repricing) -> Value {
    let id = format!("upcoming_in_1{}", random(23));
    let mut invoice = invoice_draft::write(ctx, &change.bill(subscription, "upcoming"), &id);
    itemize(&mut invoice, change, ctx.now);
    without_private_fields(&invoice)
}

/// Rejects the change if the card would be declined.
pub fn check_payable(ctx: &Context<'_>, id: &str, change: &Repricing) -> Result<String, ApiError> {
    if change.due() <= 0 {
        return Err(ApiError::invalid("The sandbox keeps no credit balance."));
    }
    let Some(method) = subscriptions::payment_method(ctx, id) else {
        return Err(
            ApiError::invalid("This customer has no attached payment source.").code("resource_missing")
        );
    };
    match charge_outcome(ctx.read(Kind::PaymentMethod, &method), Presence::OffSession) {
        ChargeOutcome::Approved => Ok(method),
        ChargeOutcome::Declined(decline) => Err(ApiError::card(&decline.error())),
        ChargeOutcome::RequiresAuthentication => {
            Err(ApiError::invalid("This payment requires additional user action.")
                .status(402)
                .with("type", "card_error")
                .code("subscription_payment_intent_requires_action"))
        }
    }
}

pub fn apply(ctx: &mut Context<'_>, id: &str, change: &Repricing, method: &str) {
    let now = ctx.now;
    ctx.change_and_emit(
        Kind::Subscription,
        id,
        "customer.subscription.updated",
        |subscription| {
            let item = &mut subscription["items"]["data"][0];
            item["price"] = change.price.clone();
            item["plan"] = plan(&change.price);
            if change.starts_new_period {
                item["current_period_start"] = json!(now);
                item["current_period_end"] = json!(change.end);
                subscription["billing_cycle_anchor"] = json!(now);
                subscription["_cycle"] = json!(1);
            }
        },
    );
    let invoice = invoices::draft(ctx, &change.bill(id, "subscription_update"));
    ctx.change(Kind::Invoice, &invoice, |invoice| itemize(invoice, change, now));
    ctx.emit(Kind::Invoice, &invoice, "invoice.created");
    invoices::finalize(ctx, &invoice);
    charges::collect(ctx, &invoice, method, Presence::OffSession);
}

/// Replaces the lines by credit and charge.
fn itemize(invoice: &mut Value, change: &Repricing, now: i64) {
    let line = invoice["lines"]["data"][0].clone();
    let make = |amount: i64, description: &str, price: &Value, (start, end): (i64, i64)| {
        let mut made = line.clone();
        made["id"] = json!(format!("il_1{}", random(23)));
        made["amount"] = json!(amount);
        made["subtotal"] = json!(amount);
        made["description"] = json!(description);
        made["period"] = json!({ "start": start, "end": end });
        made["pricing"] = invoice_draft::pricing(price);
        made["parent"]["subscription_item_details"]["proration"] = json!(true);
        made
    };
    let begun = if change.starts_new_period { now } else { change.at };
    let unused = make(
        -change.credit,
        "Unused time",
        &change.old,
        (change.at, change.old_end),
    );
    let mut wanted = make(
        change.charge,
        "Remaining time",
        &change.price,
        (begun, change.end),
    );
    // A whole period is not prorated.
    wanted["parent"]["subscription_item_details"]["proration"] = json!(!change.starts_new_period);
    invoice["lines"]["data"] = json!([unused, wanted]);
    for name in [
        "subtotal",
        "subtotal_excluding_tax",
        "total",
        "total_excluding_tax",
    ] {
        invoice[name] = json!(change.due());
    }
    for name in ["amount_due", "amount_remaining"] {
        invoice[name] = json!(change.due().max(0));
    }
}

/// Starts and bills a new period now.
pub fn start_new_period(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    ctx.change(Kind::Subscription, id, |subscription| {
        subscription["billing_cycle_anchor"] = json!(now);
        subscription["_cycle"] = json!(0);
        if let Some(items) = subscription["items"]["data"].as_array_mut() {
            for item in items {
                item["current_period_end"] = json!(now);
            }
        }
    });
    renewals::start_next_period(ctx, id, "subscription_update");
}
