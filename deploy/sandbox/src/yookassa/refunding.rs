//! The verbs of a refund.

use serde_json::Value;

use super::{
    Ctx,
    error::{Answer, ApiError},
    fate::tell,
    http::page,
    paying::{amount, text},
    payment::{Refund, Status},
};
use crate::{
    call::{Call, Reply},
    ids::uuid,
};

pub fn create(ctx: &mut Ctx<'_>, body: &Value) -> Answer {
    let payment_id = body["payment_id"]
        .as_str()
        .ok_or_else(|| ApiError::missing("payment_id"))?;
    let amount = amount(&body["amount"])?;
    let description = text(body, "description", 250)?;
    let payment = ctx.books.payments.get_mut(payment_id);
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
    if amount.minor > payment.left() {
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
    let shown = refund.shown();
    ctx.books.refunds.put(&refund.id.clone(), refund);
    tell(ctx, "refund.succeeded", &shown);
    Ok(Reply::json(200, &shown))
}

pub fn show(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let refund = ctx.books.refunds.get(id);
    let refund = refund.ok_or_else(|| ApiError::not_found("refund_id", "Refund"))?;
    Ok(Reply::json(200, &refund.shown()))
}

pub fn list(ctx: &mut Ctx<'_>, call: &Call) -> Answer {
    page(
        call,
        ctx.books.refunds.newest_first().map(Refund::shown).collect(),
    )
}
