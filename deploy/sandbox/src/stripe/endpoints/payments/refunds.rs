//! `refunds`: create, show, list. The total is at most the captured amount.

use serde_json::{Value, json};

use super::disputes;
use crate::stripe::{
    context::{Named, merge_metadata},
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    params.refuse(&["origin", "customer", "refund_application_fee", "reverse_transfer"])?;
    params.ignore(&["instructions_email", "currency"]);
    let charge = params.text("charge")?;
    let intent = params.text("payment_intent")?;
    let amount = params.integer_within("amount", 1..=99_999_999)?;
    let reason = params.one_of("reason", &["duplicate", "fraudulent", "requested_by_customer"])?;
    let metadata = params.metadata()?;
    params.finish()?;

    let charge = charge_of(ctx, charge, intent)?;
    disputes::check_refundable(ctx, &charge)?;
    let amount = refundable(&charge, amount)?;
    let mut refund = build(&charge, amount, reason.as_deref(), ctx.now);
    merge_metadata(&mut refund["metadata"], metadata);
    let id = ctx.insert(Kind::Refund, refund);
    let charge_id = charge["id"].as_str().unwrap_or_default();
    ctx.change(Kind::Charge, charge_id, |charge| {
        let refunded = charge["amount_refunded"].as_i64().unwrap_or_default() + amount;
        charge["amount_refunded"] = json!(refunded);
        charge["refunded"] = json!(charge["amount"] == refunded);
    });
    ctx.emit(Kind::Charge, charge_id, "charge.refunded");
    ctx.emit(Kind::Refund, &id, "refund.created");
    Ok(ctx.public_json(Kind::Refund, &id))
}

fn charge_of(ctx: &Context<'_>, charge: Option<String>, intent: Option<String>) -> ApiResult {
    match (charge, intent) {
        (Some(charge), None) => ctx.find(Kind::Charge, &charge, Named::Param("charge")),
        (None, Some(intent)) => {
            let pi = ctx.find(Kind::PaymentIntent, &intent, Named::Param("payment_intent"))?;
            match pi["latest_charge"].as_str() {
                Some(charge) if pi["status"] == "succeeded" => ctx.find(Kind::Charge, charge, Named::Url),
                _ => Err(ApiError::invalid(format!(
                    "This PaymentIntent ({intent}) does not have a successful charge to refund."
                ))),
            }
        }
        _ => Err(ApiError::malformed(
            "One of the following params should be provided for this request: payment_intent or charge.",
        )),
    }
}

fn refundable(charge: &Value, wanted: Option<i64>) -> Result<i64, ApiError> {
    let captured = charge["amount_captured"].as_i64().unwrap_or_default();
    let left = captured - charge["amount_refunded"].as_i64().unwrap_or_default();
    let id = charge["id"].as_str().unwrap_or_default();
    if left == 0 {
        let message = format!("Charge {id} has already been refunded.");
        return Err(ApiError::invalid(message).code("charge_already_refunded"));
    }
    match wanted {
        Some(amount) if amount > left => Err(ApiError::invalid(format!(
            "Refund amount ({amount}) is greater than unrefunded amount on charge ({left})"
        ))
        .param("amount")),
        wanted => Ok(wanted.unwrap_or(left)),
    }
}

fn build(charge: &Value, amount: i64, reason: Option<&str>, now: i64) -> Value {
    json!({
        "id": Kind::Refund.new_id(),
        "object": "refund",
        "amount": amount,
        "balance_transaction": null,
        "charge": charge["id"],
        "created": now,
        "currency": charge["currency"],
        "customer": charge["customer"],
        "customer_account": null,
        "destination_details": { "card": { "type": "refund" }, "type": "card" },
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "payment_method": charge["payment_method"],
        "reason": reason,
        "receipt_number": null,
        "source_transfer_reversal": null,
        "status": "succeeded",
        "transfer_reversal": null,
    })
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Refund, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Refund, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let charge = params.text("charge")?;
    let intent = params.text("payment_intent")?;
    params.finish()?;
    list(ctx, &ListScope::all(Kind::Refund), &page, |refund| {
        charge.as_ref().is_none_or(|charge| refund["charge"] == **charge)
            && intent
                .as_ref()
                .is_none_or(|intent| refund["payment_intent"] == **intent)
    })
}
