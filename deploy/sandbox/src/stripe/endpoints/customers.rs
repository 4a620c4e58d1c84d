//! Customers.

use serde_json::{Value, json};

use super::payments::payment_methods;
use crate::stripe::{
    billing::subscriptions,
    context::{Named, merge_metadata},
    lists::{ListScope, Page, list},
    object_kind::{Kind, random},
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

const TEXTS: [&str; 4] = ["email", "name", "phone", "description"];
const UNSIMULATED: [&str; 8] = [
    "cash_balance",
    "source",
    "tax",
    "tax_id_data",
    "test_clock",
    "balance",
    "default_source",
    "invoice_prefix",
];
const IGNORED: [&str; 5] = [
    "validate",
    "tax_exempt",
    "business_name",
    "individual_name",
    "next_invoice_sequence",
];

struct Given {
    texts: Vec<(&'static str, Option<String>)>,
    address: Option<Value>,
    shipping: Option<Value>,
    locales: Vec<String>,
    default_payment_method: Option<String>,
    metadata: Option<serde_json::Map<String, Value>>,
}

fn read(params: &mut Params) -> Result<Given, ApiError> {
    params.refuse(&UNSIMULATED)?;
    params.ignore(&IGNORED);
    let mut texts = Vec::new();
    for name in TEXTS {
        if let Some(value) = params.clearable(name)? {
            texts.push((name, value));
        }
    }
    let default_payment_method = match params.nested("invoice_settings")? {
        None => None,
        Some(mut settings) => {
            let method = settings.text("default_payment_method")?;
            settings.ignore(&["custom_fields", "footer", "rendering_options"]);
            settings.finish()?;
            method
        }
    };
    Ok(Given {
        texts,
        address: params.stored("address")?,
        shipping: params.stored("shipping")?,
        locales: params.texts("preferred_locales")?,
        default_payment_method,
        metadata: params.metadata()?,
    })
}

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let given = read(&mut params)?;
    let payment_method = params.text("payment_method")?;
    params.finish()?;

    let id = Kind::Customer.new_id();
    if let Some(method) = payment_method {
        payment_methods::attach_to(ctx, &method, &id)?;
    }
    let mut customer = blank(&id, ctx.now);
    fill(&mut customer, given);
    ctx.insert(Kind::Customer, customer);
    ctx.emit(Kind::Customer, &id, "customer.created");
    Ok(ctx.public_json(Kind::Customer, &id))
}

fn blank(id: &str, now: i64) -> Value {
    json!({
        "id": id,
        "object": "customer",
        "address": null,
        "balance": 0,
        "created": now,
        "currency": null,
        "customer_account": null,
        "default_source": null,
        "delinquent": false,
        "description": null,
        "email": null,
        "invoice_prefix": random(8).to_uppercase(),
        "invoice_settings": {
            "custom_fields": null,
            "default_payment_method": null,
            "footer": null,
            "rendering_options": null,
        },
        "livemode": false,
        "metadata": {},
        "name": null,
        "next_invoice_sequence": 1,
        "phone": null,
        "preferred_locales": [],
        "shipping": null,
        "tax_exempt": "none",
        "test_clock": null,
    })
}

fn fill(customer: &mut Value, given: Given) {
    for (name, value) in given.texts {
        customer[name] = json!(value);
    }
    if let Some(address) = given.address {
        customer["address"] = whole(address);
    }
    if let Some(mut shipping) = given.shipping {
        shipping["address"] = whole(shipping["address"].take());
        customer["shipping"] = shipping;
    }
    if !given.locales.is_empty() {
        customer["preferred_locales"] = json!(given.locales);
    }
    if let Some(method) = given.default_payment_method {
        customer["invoice_settings"]["default_payment_method"] = json!(method);
    }
    merge_metadata(&mut customer["metadata"], given.metadata);
}

/// Stripe returns every field of an address, also those not sent.
fn whole(mut address: Value) -> Value {
    for part in ["city", "country", "line1", "line2", "postal_code", "state"] {
        if address.get(part).is_none() {
            address[part] = Value::Null;
        }
    }
    address
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Customer, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Customer, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let given = read(&mut params)?;
    params.finish()?;
    ctx.find_customer(id, Named::Url)?;
    if let Some(method) = &given.default_payment_method {
        payment_methods::owned_by(ctx, method, id, "invoice_settings[default_payment_method]")?;
    }

    ctx.change_and_emit(Kind::Customer, id, "customer.updated", |customer| {
        fill(customer, given);
    });
    Ok(ctx.public_json(Kind::Customer, id))
}

pub fn delete(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find_customer(id, Named::Url)?;
    subscriptions::cancel_all_of(ctx, id);
    ctx.emit(Kind::Customer, id, "customer.deleted");
    let gone = json!({ "id": id, "object": "customer", "deleted": true });
    ctx.insert(Kind::Customer, gone.clone());
    Ok(gone)
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let email = params.text("email")?;
    params.finish()?;
    list(ctx, &ListScope::all(Kind::Customer), &page, |customer| {
        customer["deleted"] != true && email.as_ref().is_none_or(|email| customer["email"] == **email)
    })
}
