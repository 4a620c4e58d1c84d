//! The verbs of a payment.

use kit::money::{Currency, Money};
use serde_json::{Map, Value, json};

use super::{
    Ctx,
    error::{Answer, ApiError},
    fate,
    http::page,
    payment::{Cancellation, Confirmation, Method, Payment, Status},
};
use crate::{
    call::{Call, Reply},
    ids::uuid,
    money,
};

const DESCRIPTION_MAX: usize = 128;
const METADATA_MAX: usize = 16;

pub fn create(ctx: &mut Ctx<'_>, body: &Value) -> Answer {
    let amount = amount(&body["amount"])?;
    let description = text(body, "description", DESCRIPTION_MAX)?;
    let metadata = metadata(&body["metadata"])?;
    check_receipt(&body["receipt"])?;
    let saved = saved_method(ctx, body)?;
    let confirmation = match saved {
        Some(_) => Confirmation::None,
        None => confirmation(&body["confirmation"])?,
    };
    let payment = Payment {
        id: uuid(),
        status: Status::Pending,
        minor: amount.minor,
        currency: amount.currency.code().to_owned(),
        refunded: 0,
        is_captured_at_once: body["capture"] == true,
        saves_method: body["save_payment_method"] == true,
        confirmation,
        method: saved,
        cancellation: None,
        last_refusal: None,
        description,
        metadata,
        merchant_customer: text(body, "merchant_customer_id", 200)?,
        has_receipt: body["receipt"].is_object(),
        created: ctx.now,
        captured: None,
        expires: None,
    };
    let id = payment.id.clone();
    let refusal = payment.method.as_ref().map(|method| method.refusal.clone());
    ctx.books.payments.put(&id, payment);
    match refusal {
        None => ctx
            .books
            .agenda
            .wakes
            .set(&id, Some(ctx.now + fate::CONFIRMATION_SECS)),
        Some(None) => fate::authorise(ctx, &id),
        Some(Some(refusal)) => fate::cancel(ctx, &id, refusal),
    }
    show(ctx, &id)
}

/// A sum above nothing.
pub fn amount(given: &Value) -> Result<Money, ApiError> {
    let value = given["value"]
        .as_str()
        .ok_or_else(|| ApiError::missing("amount.value"))?;
    let code = given["currency"]
        .as_str()
        .ok_or_else(|| ApiError::missing("amount.currency"))?;
    let currency =
        Currency::parse(code).map_err(|_| ApiError::invalid("amount.currency", "Unknown currency"))?;
    money::parse(value, currency)
        .filter(|amount| amount.minor > 0)
        .ok_or_else(|| ApiError::invalid("amount.value", "Incorrect amount value"))
}

pub fn text(body: &Value, name: &str, longest: usize) -> Result<Option<String>, ApiError> {
    match &body[name] {
        Value::Null => Ok(None),
        Value::String(text) if text.chars().count() <= longest => Ok(Some(text.clone())),
        _ => Err(ApiError::invalid(
            name,
            format!("Must be a text of at most {longest} characters"),
        )),
    }
}

fn metadata(given: &Value) -> Result<Value, ApiError> {
    let empty = Map::new();
    let given = match given {
        Value::Null => &empty,
        Value::Object(given) => given,
        _ => return Err(ApiError::invalid("metadata", "Must be an object")),
    };
    let is_fine = |(name, value): (&String, &Value)| {
        name.chars().count() <= 32 && value.as_str().is_some_and(|value| value.chars().count() <= 512)
    };
    if given.len() > METADATA_MAX || !given.iter().all(is_fine) {
        return Err(ApiError::invalid(
            "metadata",
            "At most 16 texts, names of up to 32 and values of up to 512 characters",
        ));
    }
    Ok(json!(given))
}

fn check_receipt(given: &Value) -> Result<(), ApiError> {
    if given.is_null() {
        return Ok(());
    }
    if given["items"].as_array().is_none_or(Vec::is_empty) {
        return Err(ApiError::missing("receipt.items"));
    }
    let customer = &given["customer"];
    if ["email", "phone"]
        .into_iter()
        .all(|way| customer[way].is_null() && given[way].is_null())
    {
        return Err(ApiError::missing("receipt.customer"));
    }
    Ok(())
}

fn saved_method(ctx: &Ctx<'_>, body: &Value) -> Result<Option<Method>, ApiError> {
    let Some(id) = body["payment_method_id"].as_str() else {
        return Ok(None);
    };
    let method = ctx.books.methods.get(id);
    let method = method
        .ok_or_else(|| ApiError::invalid("payment_method_id", "This payment_method_id doesn't exist"))?;
    Ok(Some(method.clone()))
}

fn confirmation(given: &Value) -> Result<Confirmation, ApiError> {
    match given["type"].as_str() {
        None => Err(ApiError::missing("confirmation.type")),
        Some("embedded") => Ok(Confirmation::Embedded {
            token: format!("ct-{}", uuid()),
        }),
        Some("redirect") => {
            let return_url = given["return_url"].as_str();
            let return_url = return_url.ok_or_else(|| ApiError::missing("confirmation.return_url"))?;
            url::Url::parse(return_url)
                .map_err(|_| ApiError::invalid("confirmation.return_url", "Must be an absolute address"))?;
            Ok(Confirmation::Redirect {
                return_url: return_url.to_owned(),
            })
        }
        Some(_) => Err(ApiError::invalid(
            "confirmation.type",
            "The sandbox knows embedded and redirect",
        )),
    }
}

fn found<'a>(ctx: &'a Ctx<'_>, id: &str) -> Result<&'a Payment, ApiError> {
    let payment = ctx.books.payments.get(id);
    payment.ok_or_else(|| ApiError::not_found("payment_id", "Payment"))
}

pub fn show(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    Ok(Reply::json(200, &found(ctx, id)?.shown(ctx.house)))
}

pub fn list(ctx: &mut Ctx<'_>, call: &Call) -> Answer {
    let payments = ctx.books.payments.newest_first();
    page(call, payments.map(|payment| payment.shown(ctx.house)).collect())
}

/// Takes what was authorised, or a part of it; the rest goes back.
pub fn capture(ctx: &mut Ctx<'_>, id: &str, body: &Value) -> Answer {
    let payment = found(ctx, id)?;
    check_waiting(payment)?;
    let minor = match &body["amount"] {
        Value::Null => payment.minor,
        given => {
            let amount = amount(given)?;
            if amount.currency.code() != payment.currency || amount.minor > payment.minor {
                return Err(ApiError::invalid("amount.value", "More than was authorised"));
            }
            amount.minor
        }
    };
    if let Some(payment) = ctx.books.payments.get_mut(id) {
        payment.minor = minor;
    }
    fate::capture(ctx, id);
    show(ctx, id)
}

pub fn cancel(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    check_waiting(found(ctx, id)?)?;
    fate::cancel(ctx, id, Cancellation::of_merchant("canceled_by_merchant"));
    show(ctx, id)
}

fn check_waiting(payment: &Payment) -> Result<(), ApiError> {
    if payment.status == Status::WaitingForCapture {
        return Ok(());
    }
    Err(ApiError::invalid(
        "payment_id",
        "Incorrect payment status. The payment must be in the waiting_for_capture status",
    ))
}
