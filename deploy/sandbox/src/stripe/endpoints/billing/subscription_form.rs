//! The parameters and the JSON of a new subscription.

use serde_json::{Map, Value, json};

use crate::stripe::{
    billing::{card_outcomes::Presence, periods::period_end, plan::plan},
    context::{Named, merge_metadata},
    lists::embedded,
    object_kind::{Kind, random},
    protocol::{error::ApiError, params::Params},
    provider::Context,
};

const DAY_SECS: i64 = 24 * 3600;
const BEHAVIORS: [&str; 3] = ["allow_incomplete", "default_incomplete", "error_if_incomplete"];
const NETWORKS: [&str; 13] = [
    "amex",
    "cartes_bancaires",
    "diners",
    "discover",
    "eftpos_au",
    "girocard",
    "interac",
    "jcb",
    "link",
    "mastercard",
    "unionpay",
    "unknown",
    "visa",
];
const UNSIMULATED: [&str; 13] = [
    "add_invoice_items",
    "application_fee_percent",
    "backdate_start_date",
    "billing_cycle_anchor",
    "billing_cycle_anchor_config",
    "billing_schedules",
    "cancel_at",
    "days_until_due",
    "default_source",
    "discounts",
    "on_behalf_of",
    "pending_invoice_item_interval",
    "transfer_data",
];
const IGNORED: [&str; 7] = [
    "automatic_tax",
    "billing_mode",
    "currency",
    "default_tax_rates",
    "invoice_settings",
    "proration_behavior",
    "trial_from_plan",
];

pub struct NewSubscription {
    pub customer: String,
    pub items: Vec<WantedItem>,
    pub default_payment_method: Option<String>,
    pub behavior: String,
    pub presence: Presence,
    pub trial_end: Option<i64>,
    description: Option<String>,
    cancel_at_period_end: Option<bool>,
    settings: PaymentSettings,
    missing_method: Option<String>,
    metadata: Option<Map<String, Value>>,
}

pub struct WantedItem {
    price: String,
    quantity: i64,
    param: String,
}

#[derive(Default)]
struct PaymentSettings {
    save_method: Option<String>,
    network: Option<String>,
}

/// A requested item with its price.
pub struct Item {
    pub price: Value,
    quantity: i64,
}

impl Item {
    pub fn amount(&self) -> i64 {
        self.price["unit_amount"].as_i64().unwrap_or_default() * self.quantity
    }
}

pub fn read(params: &mut Params, now: i64) -> Result<NewSubscription, ApiError> {
    params.refuse(&UNSIMULATED)?;
    params.ignore(&IGNORED);
    params.one_of("collection_method", &["charge_automatically"])?;
    let customer = params.required("customer")?;
    let items = params
        .list("items")?
        .into_iter()
        .map(read_item)
        .collect::<Result<_, _>>()?;
    let off_session = params.flag("off_session")?.unwrap_or(false);
    Ok(NewSubscription {
        customer,
        items,
        default_payment_method: params.text("default_payment_method")?,
        behavior: params
            .one_of("payment_behavior", &BEHAVIORS)?
            .unwrap_or_else(|| BEHAVIORS[0].to_owned()),
        presence: if off_session {
            Presence::OffSession
        } else {
            Presence::OnSession
        },
        trial_end: read_trial(params, now)?,
        description: params.text("description")?,
        cancel_at_period_end: params.flag("cancel_at_period_end")?,
        settings: read_payment_settings(params)?,
        missing_method: read_trial_settings(params)?,
        metadata: params.metadata()?,
    })
}

fn read_item(mut params: Params) -> Result<WantedItem, ApiError> {
    params.refuse(&["price_data", "plan", "discounts", "billing_thresholds"])?;
    params.ignore(&["metadata", "tax_rates"]);
    let param = params.path("price");
    let item = WantedItem {
        price: params.required("price")?,
        quantity: params.integer_within("quantity", 0..=1_000_000)?.unwrap_or(1),
        param,
    };
    params.finish()?;
    Ok(item)
}

fn read_trial(params: &mut Params, now: i64) -> Result<Option<i64>, ApiError> {
    let days = params.integer_within("trial_period_days", 0..=730)?;
    let end = match params.text("trial_end")?.as_deref() {
        None | Some("now") => None,
        Some(text) => match text.parse::<i64>() {
            Ok(at) if at > now => Some(at),
            Ok(_) => return Err(params.invalid("trial_end", "Trial end must be in the future.")),
            Err(_) => return Err(params.invalid("trial_end", &format!("Invalid timestamp: {text}"))),
        },
    };
    match (days, end) {
        (Some(_), Some(_)) => Err(ApiError::malformed(
            "You may only specify one of these parameters: trial_end, trial_period_days.",
        )),
        (Some(days), None) => Ok((days > 0).then(|| now + days * DAY_SECS)),
        (None, end) => Ok(end),
    }
}

fn read_payment_settings(params: &mut Params) -> Result<PaymentSettings, ApiError> {
    let Some(mut settings) = params.nested("payment_settings")? else {
        return Ok(PaymentSettings::default());
    };
    settings.ignore(&["payment_method_types"]);
    let save_method = settings.one_of("save_default_payment_method", &["off", "on_subscription"])?;
    let network = read_network(&mut settings)?;
    settings.finish()?;
    Ok(PaymentSettings { save_method, network })
}

fn read_network(settings: &mut Params) -> Result<Option<String>, ApiError> {
    let Some(mut options) = settings.nested("payment_method_options")? else {
        return Ok(None);
    };
    let network = match options.nested("card")? {
        None => None,
        Some(mut card) => {
            card.ignore(&["mandate_options", "request_three_d_secure"]);
            let network = card.one_of("network", &NETWORKS)?;
            card.finish()?;
            network
        }
    };
    options.finish()?;
    Ok(network)
}

fn read_trial_settings(params: &mut Params) -> Result<Option<String>, ApiError> {
    let Some(mut settings) = params.nested("trial_settings")? else {
        return Ok(None);
    };
    let missing = match settings.nested("end_behavior")? {
        None => None,
        Some(mut end) => {
            let missing = end.one_of("missing_payment_method", &["create_invoice"])?;
            end.finish()?;
            missing
        }
    };
    settings.finish()?;
    Ok(missing)
}

pub fn priced(ctx: &Context<'_>, wanted: &[WantedItem]) -> Result<Vec<Item>, ApiError> {
    wanted.iter().map(|item| find_price(ctx, item)).collect()
}

fn find_price(ctx: &Context<'_>, item: &WantedItem) -> Result<Item, ApiError> {
    let price = ctx.find(Kind::Price, &item.price, Named::Param(&item.param))?;
    if price["recurring"].is_null() {
        return Err(ApiError::invalid(format!(
            "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`: {}",
            item.price
        ))
        .param(&item.param));
    }
    if price["active"] != true {
        let message = format!(
            "The price specified is inactive. This field only accepts active prices: {}",
            item.price
        );
        return Err(ApiError::invalid(message).param(&item.param));
    }
    Ok(Item {
        price,
        quantity: item.quantity,
    })
}

pub fn build(new: &NewSubscription, items: &[Item], now: i64) -> Value {
    let id = Kind::Subscription.new_id();
    let recurring = items
        .first()
        .map(|item| item.price["recurring"].clone())
        .unwrap_or_default();
    let end = new.trial_end.unwrap_or_else(|| period_end(now, &recurring, 1));
    let rows: Vec<_> = items.iter().map(|item| row(&id, item, now, end)).collect();
    let mut subscription = json!({
        "id": id,
        "object": "subscription",
        "automatic_tax": { "disabled_reason": null, "enabled": false, "liability": null },
        "billing_cycle_anchor": new.trial_end.unwrap_or(now),
        "billing_mode": { "flexible": { "proration_discounts": "included" }, "type": "flexible", "updated_at": now },
        "billing_schedules": [],
        "cancel_at_period_end": new.cancel_at_period_end.unwrap_or(false),
        "cancellation_details": { "comment": null, "feedback": null, "feedback_option": null, "reason": null },
        "collection_method": "charge_automatically",
        "created": now,
        "currency": items.first().map(|item| item.price["currency"].clone()).unwrap_or_default(),
        "customer": new.customer,
        "default_payment_method": new.default_payment_method,
        "default_tax_rates": [],
        "description": new.description,
        "discounts": [],
        "invoice_settings": {
            "account_tax_ids": null, "custom_fields": null, "description": null, "footer": null,
            "issuer": { "type": "self" },
        },
        "items": embedded(&format!("/v1/subscription_items?subscription={id}"), &rows),
        "livemode": false,
        "metadata": {},
        "payment_settings": {
            "payment_method_options": new.settings.network.as_ref().map(|network| {
                json!({ "card": { "network": network, "request_three_d_secure": null } })
            }),
            "payment_method_types": null,
            "save_default_payment_method": new.settings.save_method.as_deref().unwrap_or("off"),
        },
        "start_date": now,
        "status": if new.trial_end.is_some() { "trialing" } else { "incomplete" },
        "trial_end": new.trial_end,
        "trial_settings": { "end_behavior": {
            "billing_cycle_anchor": null,
            "missing_payment_method": new.missing_method.as_deref().unwrap_or("create_invoice"),
        } },
        "trial_start": new.trial_end.map(|_| now),
        "_cycle": i64::from(new.trial_end.is_none()),
    });
    for name in UNSET {
        subscription[name] = Value::Null;
    }
    if new.cancel_at_period_end == Some(true) {
        subscription["cancel_at"] = json!(end);
        subscription["canceled_at"] = json!(now);
    }
    merge_metadata(&mut subscription["metadata"], new.metadata.clone());
    subscription
}

/// Fields that are null on every new subscription.
const UNSET: [&str; 21] = [
    "application",
    "application_fee_percent",
    "billing_cycle_anchor_config",
    "billing_thresholds",
    "cancel_at",
    "canceled_at",
    "customer_account",
    "days_until_due",
    "default_source",
    "ended_at",
    "latest_invoice",
    "managed_payments",
    "next_pending_invoice_item_invoice",
    "on_behalf_of",
    "pause_collection",
    "pending_invoice_item_interval",
    "pending_setup_intent",
    "pending_update",
    "schedule",
    "test_clock",
    "transfer_data",
];

fn row(subscription: &str, item: &Item, start: i64, end: i64) -> Value {
    json!({
        "id": format!("si_{}", random(14)),
        "object": "subscription_item",
        "billing_thresholds": null,
        "created": start,
        "current_period_end": end,
        "current_period_start": start,
        "current_trial": null,
        "discounts": [],
        "metadata": {},
        "plan": plan(&item.price),
        "price": item.price,
        "quantity": item.quantity,
        "subscription": subscription,
        "tax_rates": [],
    })
}

/// Ends a trial now, and moves the billing anchor to now.
pub fn end_trial(ctx: &mut Context<'_>, id: &str) {
    let now = ctx.now;
    ctx.change(Kind::Subscription, id, |subscription| {
        subscription["trial_end"] = json!(now);
        subscription["billing_cycle_anchor"] = json!(now);
        if let Some(items) = subscription["items"]["data"].as_array_mut() {
            for item in items {
                item["current_period_end"] = json!(now);
            }
        }
    });
}
