//! `expand[]`: replaces ids by their objects, up to four levels deep, and adds fields that exist only on request.

use serde_json::{Value, json};

use super::{
    billing::invoices::intent_of, context::without_private_fields, lists::embedded, object_kind::Kind,
    protocol::error::ApiError, provider::Context, state::id_of,
};

const DEPTH_MAX: usize = 4;

pub fn apply(ctx: &Context<'_>, value: &mut Value, paths: &[String]) -> Result<(), ApiError> {
    for path in paths {
        let steps: Vec<&str> = path.split('.').collect();
        let depth = steps.iter().filter(|step| **step != "data").count();
        if depth > DEPTH_MAX {
            return Err(ApiError::invalid(format!(
                "You cannot expand more than {DEPTH_MAX} levels of a property (attempted to expand {path})."
            )));
        }
        walk(ctx, value, &steps).map_err(|NotExpandable| {
            ApiError::invalid(format!("This property cannot be expanded ({path}).")).param("expand")
        })?;
    }
    Ok(())
}

struct NotExpandable;

fn walk(ctx: &Context<'_>, value: &mut Value, steps: &[&str]) -> Result<(), NotExpandable> {
    let Some((step, rest)) = steps.split_first() else {
        return Ok(());
    };
    match value {
        Value::Null => Ok(()),
        Value::Array(items) => items.iter_mut().try_for_each(|item| walk(ctx, item, steps)),
        Value::Object(_) => {
            let inner = field(ctx, value, step)?;
            walk(ctx, inner, rest)
        }
        _ => Err(NotExpandable),
    }
}

fn field<'v>(ctx: &Context<'_>, owner: &'v mut Value, name: &str) -> Result<&'v mut Value, NotExpandable> {
    if let Some(extra) = on_request(ctx, owner, name) {
        owner[name] = extra;
    }
    let inner = owner
        .get_mut(name)
        .filter(|_| name != "id")
        .ok_or(NotExpandable)?;
    if let Value::String(id) = inner {
        let object = Kind::of_id(id).and_then(|kind| ctx.state.get(kind, id));
        *inner = without_private_fields(object.ok_or(NotExpandable)?);
    }
    Ok(inner)
}

/// Fields that Stripe includes only if expanded.
fn on_request(ctx: &Context<'_>, owner: &Value, name: &str) -> Option<Value> {
    match (owner["object"].as_str()?, name) {
        ("invoice", "confirmation_secret") => Some(confirmation_secret(ctx, owner)),
        ("invoice", "payments") => Some(payments_of(ctx, id_of(owner))),
        ("charge", "refunds") => Some(refunds_of(ctx, id_of(owner))),
        _ => None,
    }
}

/// The client secret for the invoice's payment in the browser.
fn confirmation_secret(ctx: &Context<'_>, invoice: &Value) -> Value {
    let id = invoice["id"].as_str().unwrap_or_default();
    match intent_of(ctx, id) {
        Some(intent) => json!({
            "client_secret": ctx.read(Kind::PaymentIntent, &intent)["client_secret"],
            "type": "payment_intent",
        }),
        None => Value::Null,
    }
}

fn payments_of(ctx: &Context<'_>, id: &str) -> Value {
    let payment = ctx.read(Kind::Invoice, id)["_invoice_payment"].as_str();
    let payment = payment.map(|payment| without_private_fields(ctx.read(Kind::InvoicePayment, payment)));
    embedded(&format!("/v1/invoices/{id}/payments"), payment.as_slice())
}

fn refunds_of(ctx: &Context<'_>, id: &str) -> Value {
    let refunds = ctx
        .state
        .newest_first(Kind::Refund, None)
        .filter(|refund| refund["charge"] == id);
    embedded(
        &format!("/v1/charges/{id}/refunds"),
        &refunds.map(without_private_fields).collect::<Vec<_>>(),
    )
}
