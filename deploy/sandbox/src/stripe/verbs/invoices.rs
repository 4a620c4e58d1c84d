//! Invoices.

use serde_json::{Value, json};

use crate::stripe::{
    charging::{self, Presence, Verdict},
    ctx::{Ctx, Named, shown},
    error::{Answer, ApiError},
    invoicing,
    kinds::Kind,
    lists::{Choice, Page, embedded, list},
    params::Params,
    subscribing,
    verbs::payment_methods,
};

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    ctx.find(Kind::Invoice, id, Named::Url)?;
    Ok(ctx.show(Kind::Invoice, id))
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    let subscription = params.text("subscription")?;
    let status = params.one_of("status", &["draft", "open", "paid", "uncollectible", "void"])?;
    params.ignore(&["collection_method"]);
    params.finish()?;
    list(
        ctx,
        &Choice::of(Kind::Invoice, customer.as_deref()),
        &page,
        |invoice| {
            status.as_ref().is_none_or(|status| invoice["status"] == **status)
                && subscription
                    .as_ref()
                    .is_none_or(|wanted| invoice["_subscription"] == **wanted)
        },
    )
}

pub fn lines(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    Page::read(&mut params)?;
    params.finish()?;
    let invoice = ctx.find(Kind::Invoice, id, Named::Url)?;
    Ok(invoice["lines"].clone())
}

pub fn pay(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    params.refuse(&["forgive", "mandate", "paid_out_of_band", "source"])?;
    let off_session = params.flag("off_session")?.unwrap_or(true);
    let wanted = params.text("payment_method")?;
    params.finish()?;
    let invoice = ctx.find(Kind::Invoice, id, Named::Url)?;
    match invoice["status"].as_str() {
        Some("open") => {}
        Some("paid") => return Err(ApiError::invalid("Invoice is already paid")),
        _ => return Err(ApiError::invalid("This invoice cannot be paid.").code("invoice_not_editable")),
    }
    let method = match wanted {
        Some(wanted) => Some(payment_methods::resolve(ctx, &wanted, "payment_method")?),
        None => invoicing::subscription_of(ctx, id).and_then(|id| subscribing::payment_method(ctx, &id)),
    };
    let Some(method) = method else {
        let message = "There is no `default_payment_method` set on this Customer or Invoice. Please set one prior to attempting to pay the Invoice.";
        return Err(ApiError::invalid(message).code("invoice_payment_intent_requires_action"));
    };

    let presence = if off_session {
        Presence::OffSession
    } else {
        Presence::OnSession
    };
    match invoicing::collect(ctx, id, &method, presence) {
        None | Some(Verdict::Approved) => Ok(ctx.show(Kind::Invoice, id)),
        Some(Verdict::Refused(_)) => {
            let intent = invoicing::intent_of(ctx, id).unwrap_or_default();
            Err(charging::refusal_answer(ctx, &intent))
        }
        Some(Verdict::Asks) => Err(ApiError::invalid(
            "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.",
        )
        .status(402)
        .with("type", "card_error")
        .code("invoice_payment_intent_requires_action")),
    }
}

pub fn update(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
    let automatically = params.flag("auto_advance")?;
    params.finish()?;
    let invoice = ctx.find(Kind::Invoice, id, Named::Url)?;
    if !matches!(invoice["status"].as_str(), Some("draft" | "open")) {
        return Err(
            ApiError::invalid("Finalized invoices can't be updated in this way").code("invoice_not_editable"),
        );
    }
    if let Some(automatically) = automatically {
        subscribing::advance(ctx, id, automatically);
    }
    Ok(ctx.show(Kind::Invoice, id))
}

pub fn void(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    let invoice = ctx.find(Kind::Invoice, id, Named::Url)?;
    if invoice["status"] != "open" {
        return Err(ApiError::invalid("You can only void an invoice that is open."));
    }
    invoicing::void(ctx, id);
    if let Some(subscription) = invoicing::subscription_of(ctx, id) {
        subscribing::invoice_voided(ctx, &subscription);
    }
    Ok(ctx.show(Kind::Invoice, id))
}

/// The secret with which the browser confirms the payment of this invoice.
pub fn confirmation_secret(ctx: &Ctx<'_>, invoice: &Value) -> Value {
    let id = invoice["id"].as_str().unwrap_or_default();
    match invoicing::intent_of(ctx, id) {
        Some(intent) => json!({
            "client_secret": ctx.read(Kind::PaymentIntent, &intent)["client_secret"],
            "type": "payment_intent",
        }),
        None => Value::Null,
    }
}

pub fn payments_of(ctx: &Ctx<'_>, id: &str) -> Value {
    let payment = ctx.read(Kind::Invoice, id)["_invoice_payment"].as_str();
    let payment = payment.map(|payment| shown(ctx.read(Kind::InvoicePayment, payment)));
    embedded(&format!("/v1/invoices/{id}/payments"), payment.as_slice())
}
