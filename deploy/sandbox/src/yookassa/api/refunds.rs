//! `refunds`: create, show, list.

use serde_json::Value;

use super::{
    error::{ApiError, ApiResult},
    lists::page,
    payments::{amount, text},
};
use crate::{
    engine::{
        http::call::{Call, Reply},
        ids::uuid,
    },
    yookassa::{
        notifications::notify,
        payment::{Refund, Status},
        provider::Context,
    },
};

pub fn create(ctx: &mut Context<'_>, body: &Value) -> ApiResult {
    let payment_id = body["payment_id"]
        .as_str()
        .ok_or_else(|| ApiError::missing("payment_id"))?;
    let amount = amount(&body["amount"])?;
    let description = text(body, "description", 250)?;
    let payment = ctx.state.payments.get_mut(payment_id);
    let payment =
        payment.ok_or_else(|| ApiError::invalid("payment_id", "Payment doesn't exist or access denied"))?;
    if payment.status != Status::Succeeded {
        return Err(ApiError::invalid(
            "payment_id",
            "Incorrect payment status. Only a succeeded payment can be refunded",
        ));
    }
    if amount.currency.code() != payment.currency {
        return Err(ApiError::invalid(
            "amount.currency",
            "Must be the currency of the payment",
        ));
    }
    if amount.minor > payment.refundable() {
        return Err(ApiError::invalid(
            "amount.value",
            "The refund amount exceeds what is left of the payment",
        ));
    }
    payment.refunded += amount.minor;
    let refund = Refund {
        id: uuid(),
        payment: payment_id.to_owned(),
        amount: payment.money(amount.minor),
        description,
        created: ctx.now,
    };
    let json = refund.to_json();
    ctx.state.refunds.put(&refund.id.clone(), refund);
    notify(ctx, "refund.succeeded", &json);
    Ok(Reply::json(200, &json))
}

pub fn show(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let refund = ctx.state.refunds.get(id);
    let refund = refund.ok_or_else(|| ApiError::not_found("refund_id", "Refund"))?;
    Ok(Reply::json(200, &refund.to_json()))
}

pub fn list(ctx: &mut Context<'_>, call: &Call) -> ApiResult {
    page(
        call,
        ctx.state.refunds.newest_first().map(Refund::to_json).collect(),
    )
}
