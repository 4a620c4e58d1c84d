//! `payment_methods`: cards, created by browsers, attached to customers by servers.

use chrono::{DateTime, Datelike};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::stripe::{
    cards::{self, CardBehavior},
    context::{Named, merge_metadata},
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::{ApiKey, Context},
};

struct CardData {
    number: String,
    exp_month: i64,
    exp_year: i64,
    cvc: Option<String>,
}

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    params.refuse(&["customer", "payment_method"])?;
    params
        .one_of("type", &["card"])?
        .ok_or_else(|| ApiError::missing_parameter("type"))?;
    params.ignore(&["radar_options"]);
    let allow_redisplay = params.one_of("allow_redisplay", &["always", "limited", "unspecified"])?;
    let billing_details = params.stored("billing_details")?;
    let metadata = params.metadata()?;
    let card = params
        .nested("card")?
        .ok_or_else(|| ApiError::missing_parameter("card"))?;
    let card = read_card(card, ctx.now)?;
    params.finish()?;

    let mut method = build(&card, ctx.now);
    if let Some(Value::Object(given)) = billing_details {
        for (name, value) in given {
            method["billing_details"][name] = value;
        }
    }
    method["allow_redisplay"] = json!(allow_redisplay.as_deref().unwrap_or("unspecified"));
    merge_metadata(&mut method["metadata"], metadata);
    let id = ctx.insert(Kind::PaymentMethod, method);
    Ok(ctx.public_json(Kind::PaymentMethod, &id))
}

fn read_card(mut params: Params, now: i64) -> Result<CardData, ApiError> {
    params.ignore(&["networks"]);
    if let Some(token) = params.text("token")? {
        params.finish()?;
        return cards::number_of_token(&token)
            .map(|number| ready_made(number, now))
            .ok_or_else(|| ApiError::no_such("token", &token, "card[token]"));
    }
    let number = params.required("number")?.replace([' ', '-'], "");
    let exp_month = params
        .integer("exp_month")?
        .ok_or_else(|| ApiError::missing_parameter("card[exp_month]"))?;
    let exp_year = params
        .integer("exp_year")?
        .ok_or_else(|| ApiError::missing_parameter("card[exp_year]"))?;
    let cvc = params.text("cvc")?;
    params.finish()?;
    let exp_year = if exp_year < 100 { exp_year + 2000 } else { exp_year };
    let card = CardData {
        number,
        exp_month,
        exp_year,
        cvc,
    };
    check(&card, now)?;
    Ok(card)
}

fn ready_made(number: &str, now: i64) -> CardData {
    let (year, month) = year_and_month(now);
    CardData {
        number: number.into(),
        exp_month: month,
        exp_year: year + 1,
        cvc: Some("123".into()),
    }
}

fn check(card: &CardData, now: i64) -> Result<(), ApiError> {
    let wrong = |code: &str, message: &str, param: &str| {
        Err(ApiError::malformed(message)
            .status(402)
            .with("type", "card_error")
            .code(code)
            .param(param))
    };
    if !cards::passes_luhn(&card.number) {
        return wrong("incorrect_number", "Your card number is incorrect.", "number");
    }
    if !(1..=12).contains(&card.exp_month) {
        return wrong(
            "invalid_expiry_month",
            "Your card's expiration month is invalid.",
            "exp_month",
        );
    }
    let (year, month) = year_and_month(now);
    if card.exp_year < year || card.exp_year > year + 50 {
        return wrong(
            "invalid_expiry_year",
            "Your card's expiration year is invalid.",
            "exp_year",
        );
    }
    if card.exp_year == year && card.exp_month < month {
        return wrong(
            "invalid_expiry_month",
            "Your card's expiration month is invalid.",
            "exp_month",
        );
    }
    let cvc_length = if cards::lookup(&card.number).brand == "amex" {
        4
    } else {
        3
    };
    let cvc_fits = |cvc: &String| cvc.len() == cvc_length && cvc.bytes().all(|byte| byte.is_ascii_digit());
    if !card.cvc.as_ref().is_none_or(cvc_fits) {
        return wrong("invalid_cvc", "Your card's security code is invalid.", "cvc");
    }
    Ok(())
}

fn year_and_month(now: i64) -> (i64, i64) {
    let now = DateTime::from_timestamp(now, 0).unwrap_or_default();
    (i64::from(now.year()), i64::from(now.month()))
}

fn build(data: &CardData, now: i64) -> Value {
    let card = cards::lookup(&data.number);
    let last4 = data
        .number
        .get(data.number.len().saturating_sub(4)..)
        .unwrap_or_default();
    let cvc_check = if data.cvc.is_some() {
        json!("unchecked")
    } else {
        Value::Null
    };
    json!({
        "id": Kind::PaymentMethod.new_id(),
        "object": "payment_method",
        "allow_redisplay": "unspecified",
        "billing_details": {
            "address": {
                "city": null, "country": null, "line1": null, "line2": null, "postal_code": null, "state": null,
            },
            "email": null,
            "name": null,
            "phone": null,
            "tax_id": null,
        },
        "card": {
            "brand": card.brand,
            "checks": {
                "address_line1_check": null, "address_postal_code_check": null, "cvc_check": cvc_check,
            },
            "country": card.country,
            "display_brand": card.brand,
            "exp_month": data.exp_month,
            "exp_year": data.exp_year,
            "fingerprint": fingerprint(&data.number),
            "funding": card.funding,
            "generated_from": null,
            "last4": last4,
            "networks": { "available": cards::networks_of(&data.number), "preferred": null },
            "regulated_status": "unregulated",
            "three_d_secure_usage": { "supported": true },
            "wallet": null,
        },
        "created": now,
        "customer": null,
        "customer_account": null,
        "livemode": false,
        "metadata": {},
        "type": "card",
        "_behavior": card.behavior,
        "_set_up": false,
    })
}

fn fingerprint(number: &str) -> String {
    hex::encode(&Sha256::digest(number.as_bytes())[..8])
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::PaymentMethod, id, Named::Url)?;
    Ok(ctx.public_json(Kind::PaymentMethod, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    params.ignore(&["allow_redisplay"]);
    params.refuse(&["card"])?;
    let billing_details = params.stored("billing_details")?;
    let metadata = params.metadata()?;
    params.finish()?;
    let method = ctx.find(Kind::PaymentMethod, id, Named::Url)?;
    if method["customer"].is_null() {
        return Err(ApiError::invalid(
            "You must save this PaymentMethod to a customer before you can update it.",
        ));
    }

    ctx.change_and_emit(Kind::PaymentMethod, id, "payment_method.updated", |method| {
        if let Some(Value::Object(given)) = billing_details {
            for (name, value) in given {
                method["billing_details"][name] = value;
            }
        }
        merge_metadata(&mut method["metadata"], metadata);
    });
    Ok(ctx.public_json(Kind::PaymentMethod, id))
}

pub fn attach(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let customer = params.required("customer")?;
    params.finish()?;
    ctx.find_customer(&customer, Named::Param("customer"))?;
    let id = attach_to(ctx, id, &customer)?;
    Ok(ctx.public_json(Kind::PaymentMethod, &id))
}

/// A card that the issuer declines is not attached.
pub fn attach_to(ctx: &mut Context<'_>, id: &str, customer: &str) -> Result<String, ApiError> {
    let id = resolve(ctx, id, "payment_method")?;
    let method = ctx.read(Kind::PaymentMethod, &id).clone();
    match method["customer"].as_str() {
        Some(owner) if owner == customer => return Ok(id),
        Some(_) => {
            return Err(ApiError::invalid(
                "The payment method you provided has already been attached to a customer.",
            ));
        }
        None => {}
    }
    if let CardBehavior::Declines(decline) = cards::behavior(&method) {
        return Err(ApiError::card(&decline.error()));
    }

    ctx.change(Kind::PaymentMethod, &id, |method| {
        method["customer"] = json!(customer);
        method["card"]["checks"]["cvc_check"] = json!("pass");
    });
    ctx.emit(Kind::PaymentMethod, &id, "payment_method.attached");
    Ok(id)
}

pub fn detach(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    let method = ctx.find(Kind::PaymentMethod, id, Named::Url)?;
    if method["customer"].is_null() {
        return Err(ApiError::invalid(
            "The payment method you provided is not attached to a customer so detachment is impossible.",
        ));
    }
    ctx.change_and_emit(Kind::PaymentMethod, id, "payment_method.detached", |method| {
        method["customer"] = Value::Null;
    });
    Ok(ctx.public_json(Kind::PaymentMethod, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let customer = params.text("customer")?;
    list_for(ctx, customer.as_deref(), Kind::PaymentMethod.url(), params)
}

pub fn list_of_customer(ctx: &mut Context<'_>, customer: &str, params: Params) -> ApiResult {
    ctx.find_customer(customer, Named::Url)?;
    list_for(
        ctx,
        Some(customer),
        format!("/v1/customers/{customer}/payment_methods"),
        params,
    )
}

fn list_for(ctx: &Context<'_>, customer: Option<&str>, url: String, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    params.ignore(&["allow_redisplay"]);
    let kind = params.text("type")?;
    params.finish()?;
    list(
        ctx,
        &ListScope {
            kind: Kind::PaymentMethod,
            url,
            customer,
        },
        &page,
        |method| {
            kind.as_ref().is_none_or(|kind| method["type"] == **kind)
                && (ctx.trigger.key == ApiKey::Secret)
                && !method["customer"].is_null()
        },
    )
}

/// A payment method by id; one of Stripe's test ids creates a new one.
pub fn resolve(ctx: &mut Context<'_>, id: &str, param: &str) -> Result<String, ApiError> {
    if let Some(number) = cards::number_of_token(id).filter(|_| id.starts_with("pm_card_")) {
        let method = build(&ready_made(number, ctx.now), ctx.now);
        return Ok(ctx.insert(Kind::PaymentMethod, method));
    }
    ctx.find(Kind::PaymentMethod, id, Named::Param(param))?;
    Ok(id.to_owned())
}

pub fn owned_by(ctx: &Context<'_>, id: &str, customer: &str, param: &str) -> Result<(), ApiError> {
    let method = ctx.find(Kind::PaymentMethod, id, Named::Param(param))?;
    if method["customer"] == customer {
        return Ok(());
    }
    let message = format!(
        "The customer does not have a payment method with the ID {id}. The payment method must be attached to the customer."
    );
    Err(ApiError::invalid(message).code("resource_missing").param(param))
}
