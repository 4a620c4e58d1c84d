//! Refunds, by the v1 API (sales) and the v2 API (captures) of the same payments.

use serde_json::{Value, json};

use super::request::ApiRequest;
use crate::{
    engine::{calendar::rfc3339, http::call::Reply, ids::random_upper, money},
    paypal::{
        error::{ApiError, ApiResult},
        events::emit_refund_event,
        provider::Context,
        sale::{Sale, State},
    },
};
use kit::money::{Currency, Money};

/// Why an amount cannot be refunded.
enum RefundError {
    AlreadyRefunded,
    TooMuch,
    NotYetPaid,
    BadAmount,
    OtherCurrency,
}

pub fn show_sale(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    Ok(Reply::json(200, &find(ctx, id)?.to_json(ctx.provider)))
}

pub fn show_capture(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    Ok(Reply::json(200, &find(ctx, id)?.as_capture(ctx.provider)))
}

pub fn show_refund(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let refund = ctx.state.refunds.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, &as_v2(ctx, refund)))
}

pub fn show_sale_refund(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let refunds = [&ctx.state.refunds, &ctx.state.reversals];
    let refund = refunds.into_iter().find_map(|store| store.get(id));
    Ok(Reply::json(200, refund.ok_or_else(ApiError::not_found)?))
}

fn find<'a>(ctx: &'a Context<'_>, id: &str) -> Result<&'a Sale, ApiError> {
    ctx.state.sales.get(id).ok_or_else(ApiError::not_found)
}

pub fn refund_sale(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    find(ctx, id)?;
    let amount = &request.body["amount"];
    let refund =
        refund(ctx, request, id, &amount["total"], &amount["currency"]).map_err(|error| match error {
            RefundError::AlreadyRefunded => ApiError::v1(
                "TRANSACTION_ALREADY_REFUNDED",
                "This transaction has already been fully refunded.",
            ),
            RefundError::TooMuch => ApiError::v1(
                "REFUND_EXCEEDED_TRANSACTION_AMOUNT",
                "The refund amount exceeds the transaction amount.",
            ),
            RefundError::NotYetPaid => ApiError::v1(
                "TRANSACTION_REFUSED",
                "The request was refused. This transaction is not complete.",
            ),
            RefundError::BadAmount => ApiError::wrong("/amount/total"),
            RefundError::OtherCurrency => ApiError::v1(
                "REFUND_NOT_ALLOWED_CURRENCY_MISMATCH",
                "The currency of the refund must be the one of the payment.",
            ),
        })?;
    Ok(Reply::json(201, &refund))
}

pub fn refund_capture(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    find(ctx, id)?;
    let amount = &request.body["amount"];
    let refund = refund(ctx, request, id, &amount["value"], &amount["currency_code"]).map_err(|error| match error {
        RefundError::AlreadyRefunded => ApiError::unprocessable(
            "CAPTURE_FULLY_REFUNDED",
            "The capture has already been fully refunded.",
        ),
        RefundError::TooMuch => ApiError::unprocessable(
            "REFUND_AMOUNT_EXCEEDED",
            "The refund amount must be less than or equal to the capture amount that has not yet been refunded.",
        ),
        RefundError::NotYetPaid => ApiError::unprocessable(
            "REFUND_FAILED_PENDING_CAPTURE",
            "A capture that is pending cannot be refunded.",
        ),
        RefundError::BadAmount => ApiError::wrong("/amount/value"),
        RefundError::OtherCurrency => ApiError::unprocessable(
            "REFUND_CAPTURE_CURRENCY_MISMATCH",
            "Refund must be in the same currency as the capture.",
        ),
    })?;
    let json = as_v2(ctx, &refund);
    if request.wants_representation() {
        return Ok(Reply::json(201, &json));
    }
    let minimal = json!({ "id": json["id"], "status": json["status"], "links": json["links"] });
    Ok(Reply::json(201, &minimal))
}

/// Refunds an amount, by default the rest. Returns the refund in its v1 form, which events also have.
fn refund(
    ctx: &mut Context<'_>,
    request: &ApiRequest<'_>,
    id: &str,
    value: &Value,
    code: &Value,
) -> Result<Value, RefundError> {
    let now = ctx.now;
    let Some(sale) = ctx.state.sales.get_mut(id) else {
        return Err(RefundError::NotYetPaid);
    };
    let refundable = sale.minor - sale.refunded;
    if sale.state == State::Pending {
        return Err(RefundError::NotYetPaid);
    }
    if refundable == 0 {
        return Err(RefundError::AlreadyRefunded);
    }
    let currency = Currency::parse(&sale.currency).map_err(|_| RefundError::OtherCurrency)?;
    let amount = match value {
        Value::Null => Money::new(refundable, currency),
        _ if code != sale.currency.as_str() => return Err(RefundError::OtherCurrency),
        value => value
            .as_str()
            .and_then(|text| money::parse(text, currency))
            .filter(|amount| amount.minor > 0)
            .ok_or(RefundError::BadAmount)?,
    };
    if amount.minor > refundable {
        return Err(RefundError::TooMuch);
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
            { "href": format!("{}/v1/payments/refund/{refund_id}", ctx.provider.url), "rel": "self", "method": "GET" },
            { "href": format!("{}/v1/payments/sale/{id}", ctx.provider.url), "rel": "sale", "method": "GET" },
        ],
    });
    // The merchant's references; the v1 form has other names for them.
    for (given, name) in [("custom_id", "custom"), ("invoice_id", "invoice_number")] {
        if let Some(text) = request.body[given].as_str() {
            refund[name] = text.into();
        }
    }
    ctx.state.refunds.put(&refund_id, refund.clone());
    emit_refund_event(ctx, &refund);
    Ok(refund)
}

fn as_v2(ctx: &Context<'_>, refund: &Value) -> Value {
    let id = refund["id"].as_str().unwrap_or_default();
    let sale = refund["sale_id"].as_str().unwrap_or_default();
    let url = &ctx.provider.url;
    let mut json = json!({
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
    for (v1, name) in [("custom", "custom_id"), ("invoice_number", "invoice_id")] {
        if refund[v1].is_string() {
            json[name] = refund[v1].clone();
        }
    }
    json
}
