//! Refunds, by the elder API of sales and by the newer one of captures: one and the same money.

use serde_json::{Value, json};

use super::{
    Ctx, Paypal,
    approval::Refused,
    error::{Answer, ApiError},
    events::{tell_of_refund, tell_of_reversal},
    http::Verb,
    sales::{Sale, State},
};
use crate::{calendar::rfc3339, call::Reply, ids::random_upper, money};
use kit::money::{Currency, Money};

/// Why a sum cannot be paid back.
enum Refusal {
    AlreadyRefunded,
    TooMuch,
    NotYetPaid,
    BadAmount,
    OtherCurrency,
}

pub fn show_sale(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    Ok(Reply::json(200, &found(ctx, id)?.shown(ctx.house)))
}

pub fn show_capture(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    Ok(Reply::json(200, &found(ctx, id)?.as_capture(ctx.house)))
}

pub fn show_refund(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let refund = ctx.books.refunds.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, &as_v2(ctx, refund)))
}

pub fn show_sale_refund(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let refunds = [&ctx.books.refunds, &ctx.books.reversals];
    let refund = refunds.into_iter().find_map(|shelf| shelf.get(id));
    Ok(Reply::json(200, refund.ok_or_else(ApiError::not_found)?))
}

fn found<'a>(ctx: &'a Ctx<'_>, id: &str) -> Result<&'a Sale, ApiError> {
    ctx.books.sales.get(id).ok_or_else(ApiError::not_found)
}

pub fn refund_sale(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    found(ctx, id)?;
    let amount = &verb.body["amount"];
    let refund =
        refund(ctx, verb, id, (&amount["total"], &amount["currency"])).map_err(|refusal| match refusal {
            Refusal::AlreadyRefunded => ApiError::of_sale(
                "TRANSACTION_ALREADY_REFUNDED",
                "This transaction has already been fully refunded.",
            ),
            Refusal::TooMuch => ApiError::of_sale(
                "REFUND_EXCEEDED_TRANSACTION_AMOUNT",
                "The refund amount exceeds the transaction amount.",
            ),
            Refusal::NotYetPaid => ApiError::of_sale(
                "TRANSACTION_REFUSED",
                "The request was refused. This transaction is not complete.",
            ),
            Refusal::BadAmount => ApiError::wrong("/amount/total"),
            Refusal::OtherCurrency => ApiError::of_sale(
                "REFUND_NOT_ALLOWED_CURRENCY_MISMATCH",
                "The currency of the refund must be the one of the payment.",
            ),
        })?;
    Ok(Reply::json(201, &refund))
}

pub fn refund_capture(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    found(ctx, id)?;
    let amount = &verb.body["amount"];
    let refund = refund(ctx, verb, id, (&amount["value"], &amount["currency_code"])).map_err(|refusal| match refusal {
        Refusal::AlreadyRefunded => ApiError::refused(
            "CAPTURE_FULLY_REFUNDED",
            "The capture has already been fully refunded.",
        ),
        Refusal::TooMuch => ApiError::refused(
            "REFUND_AMOUNT_EXCEEDED",
            "The refund amount must be less than or equal to the capture amount that has not yet been refunded.",
        ),
        Refusal::NotYetPaid => ApiError::refused(
            "REFUND_FAILED_PENDING_CAPTURE",
            "A capture that is pending cannot be refunded.",
        ),
        Refusal::BadAmount => ApiError::wrong("/amount/value"),
        Refusal::OtherCurrency => ApiError::refused(
            "REFUND_CAPTURE_CURRENCY_MISMATCH",
            "Refund must be in the same currency as the capture.",
        ),
    })?;
    let shown = as_v2(ctx, &refund);
    if verb.wants_representation() {
        return Ok(Reply::json(201, &shown));
    }
    let minimal = json!({ "id": shown["id"], "status": shown["status"], "links": shown["links"] });
    Ok(Reply::json(201, &minimal))
}

/// Without an amount, all that is left. The refund in the elder form, which is also what is told.
fn refund(
    ctx: &mut Ctx<'_>,
    verb: &Verb<'_>,
    id: &str,
    (value, code): (&Value, &Value),
) -> Result<Value, Refusal> {
    let now = ctx.now;
    let Some(sale) = ctx.books.sales.get_mut(id) else {
        return Err(Refusal::NotYetPaid);
    };
    let left = sale.minor - sale.refunded;
    if sale.state == State::Pending {
        return Err(Refusal::NotYetPaid);
    }
    if left == 0 {
        return Err(Refusal::AlreadyRefunded);
    }
    let currency = Currency::parse(&sale.currency).map_err(|_| Refusal::OtherCurrency)?;
    let amount = match value {
        Value::Null => Money::new(left, currency),
        _ if code != sale.currency.as_str() => return Err(Refusal::OtherCurrency),
        value => value
            .as_str()
            .and_then(|text| money::parse(text, currency))
            .filter(|amount| amount.minor > 0)
            .ok_or(Refusal::BadAmount)?,
    };
    if amount.minor > left {
        return Err(Refusal::TooMuch);
    }
    sale.refunded += amount.minor;
    sale.updated = now;
    sale.state = if sale.refunded == sale.minor {
        State::Refunded
    } else {
        State::PartiallyRefunded
    };
    let refund_id = random_upper(17);
    let mut refund = json!({
        "id": refund_id,
        "sale_id": id,
        "state": "completed",
        "amount": { "total": amount.major(), "currency": currency.code() },
        "total_refunded_amount": { "value": Money::new(sale.refunded, currency).major(), "currency": currency.code() },
        "create_time": rfc3339(now),
        "update_time": rfc3339(now),
        "links": [
            { "href": format!("{}/v1/payments/refund/{refund_id}", ctx.house.url), "rel": "self", "method": "GET" },
            { "href": format!("{}/v1/payments/sale/{id}", ctx.house.url), "rel": "sale", "method": "GET" },
        ],
    });
    // Whatever the merchant calls it by; webhooks have their own names for these.
    for (given, kept) in [("custom_id", "custom"), ("invoice_id", "invoice_number")] {
        if let Some(text) = verb.body[given].as_str() {
            refund[kept] = text.into();
        }
    }
    ctx.books.refunds.put(&refund_id, refund.clone());
    tell_of_refund(ctx, &refund);
    Ok(refund)
}

impl Paypal {
    /// The buyer's bank takes back all that was not given back.
    pub fn reverse(&self, sale: &str, now: i64) -> Result<(), Refused> {
        self.work(now, |ctx| {
            let taken = ctx.books.sales.get_mut(sale).ok_or(Refused::Unknown)?;
            let currency = Currency::parse(&taken.currency).map_err(|_| Refused::Unknown)?;
            let left = Money::new(taken.refunded - taken.minor, currency);
            if taken.state == State::Pending || left.minor == 0 {
                return Err(Refused::NothingTaken);
            }
            taken.refunded = taken.minor;
            taken.updated = now;
            let id = random_upper(17);
            let reversal = json!({
                "id": id,
                "sale_id": sale,
                "state": "completed",
                "amount": { "total": left.major(), "currency": currency.code() },
                "create_time": rfc3339(now),
                "links": [
                    { "href": format!("{}/v1/payments/refund/{id}", ctx.house.url), "rel": "self", "method": "GET" },
                ],
            });
            ctx.books.reversals.put(&id, reversal.clone());
            tell_of_reversal(ctx, &reversal);
            Ok(())
        })
    }
}

fn as_v2(ctx: &Ctx<'_>, refund: &Value) -> Value {
    let id = refund["id"].as_str().unwrap_or_default();
    let sale = refund["sale_id"].as_str().unwrap_or_default();
    let url = &ctx.house.url;
    let mut shown = json!({
        "id": id,
        "status": "COMPLETED",
        "amount": { "value": refund["amount"]["total"], "currency_code": refund["amount"]["currency"] },
        "create_time": refund["create_time"],
        "update_time": refund["update_time"],
        "links": [
            { "href": format!("{url}/v2/payments/refunds/{id}"), "rel": "self", "method": "GET" },
            { "href": format!("{url}/v2/payments/captures/{sale}"), "rel": "up", "method": "GET" },
        ],
    });
    for (kept, name) in [("custom", "custom_id"), ("invoice_number", "invoice_id")] {
        if refund[kept].is_string() {
            shown[name] = refund[kept].clone();
        }
    }
    shown
}
