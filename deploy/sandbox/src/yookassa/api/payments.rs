//! `payments`: create, show, list, capture, cancel.

use kit::money::{Currency, Money};
use serde_json::{Map, Value, json};

use super::{
    error::{ApiError, ApiResult},
    lists::page,
};
use crate::{
    engine::{
        http::call::{Call, Reply},
        ids::uuid,
        money,
    },
    yookassa::{
        payment::{Cancellation, Confirmation, Payment, PaymentMethod, Status},
        payment_lifecycle,
        provider::Context,
    },
};

const DESCRIPTION_MAX: usize = 128;
const METADATA_MAX: usize = 16;

pub fn create(ctx: &mut Context<'_>, body: &Value) -> ApiResult {
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
        is_captured_automatically: body["capture"] == true,
        saves_method: body["save_payment_method"] == true,
        confirmation,
        method: saved,
        cancellation: None,
        last_decline: None,
        description,
        metadata,
        merchant_customer: text(body, "merchant_customer_id", 200)?,
        has_receipt: body["receipt"].is_object(),
        created: ctx.now,
        captured: None,
        expires: None,
    };
    let id = payment.id.clone();
    let decline = payment.method.as_ref().map(|method| method.decline.clone());
    ctx.state.payments.put(&id, payment);
    match decline {
        None => ctx.set_timer(&id, Some(ctx.now + payment_lifecycle::CONFIRMATION_SECS)),
        Some(None) => payment_lifecycle::authorise(ctx, &id),
        Some(Some(decline)) => payment_lifecycle::cancel(ctx, &id, decline),
    }
    show(ctx, &id)
}

/// An amount above zero.
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

pub fn text(body: &Value, name: &str, max_chars: usize) -> Result<Option<String>, ApiError> {
    match &body[name] {
        Value::Null => Ok(None),
        Value::String(text) if text.chars().count() <= max_chars => Ok(Some(text.clone())),
        _ => Err(ApiError::invalid(
            name,
            format!("Must be a text of at most {max_chars} characters"),
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
    let is_valid = |(name, value): (&String, &Value)| {
        name.chars().count() <= 32 && value.as_str().is_some_and(|value| value.chars().count() <= 512)
    };
    if given.len() > METADATA_MAX || !given.iter().all(is_valid) {
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
        .all(|field| customer[field].is_null() && given[field].is_null())
    {
        return Err(ApiError::missing("receipt.customer"));
    }
    Ok(())
}

fn saved_method(ctx: &Context<'_>, body: &Value) -> Result<Option<PaymentMethod>, ApiError> {
    let Some(id) = body["payment_method_id"].as_str() else {
        return Ok(None);
    };
    let method = ctx.state.methods.get(id);
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
            "The sandbox supports embedded and redirect",
        )),
    }
}

fn find<'a>(ctx: &'a Context<'_>, id: &str) -> Result<&'a Payment, ApiError> {
    let payment = ctx.state.payments.get(id);
    payment.ok_or_else(|| ApiError::not_found("payment_id", "Payment"))
}

pub fn show(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    Ok(Reply::json(200, &find(ctx, id)?.to_json(ctx.provider)))
}

pub fn list(ctx: &mut Context<'_>, call: &Call) -> ApiResult {
    let payments = ctx.state.payments.newest_first();
    page(
        call,
        payments.map(|payment| payment.to_json(ctx.provider)).collect(),
    )
}

/// Captures the authorised amount or a part of it.
pub fn capture(ctx: &mut Context<'_>, id: &str, body: &Value) -> ApiResult {
    let payment = find(ctx, id)?;
    check_waiting_for_capture(payment)?;
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
    if let Some(payment) = ctx.state.payments.get_mut(id) {
        payment.minor = minor;
    }
    payment_lifecycle::capture(ctx, id);
    show(ctx, id)
}

pub fn cancel(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    check_waiting_for_capture(find(ctx, id)?)?;
    payment_lifecycle::cancel(ctx, id, Cancellation::by_merchant("canceled_by_merchant"));
    show(ctx, id)
}

fn check_waiting_for_capture(payment: &Payment) -> Result<(), ApiError> {
    if payment.status == Status::WaitingForCapture {
        return Ok(());
    }
    Err(ApiError::invalid(
        "payment_id",
        "Incorrect payment status. The payment must be in the waiting_for_capture status",
    ))
}
