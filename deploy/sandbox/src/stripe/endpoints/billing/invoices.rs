//! Invoices.

use crate::stripe::{
    billing::{
        card_outcomes::{ChargeOutcome, Presence},
        charges, invoices,
        subscriptions::{self, AutoAdvance},
    },
    context::Named,
    endpoints::payments::payment_methods,
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Invoice, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Invoice, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    let subscription = params.text("subscription")?;
    let status = params.one_of("status", &["draft", "open", "paid", "uncollectible", "void"])?;
    params.ignore(&["collection_method"]);
    params.finish()?;
    list(
        ctx,
        &ListScope::of(Kind::Invoice, customer.as_deref()),
        &page,
        |invoice| {
            status.as_ref().is_none_or(|status| invoice["status"] == **status)
                && subscription
                    .as_ref()
                    .is_none_or(|wanted| invoice["_subscription"] == **wanted)
        },
    )
}

pub fn lines(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    Page::read(&mut params)?;
    params.finish()?;
    let invoice = ctx.find(Kind::Invoice, id, Named::Url)?;
    Ok(invoice["lines"].clone())
}

pub fn pay(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
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
        None => invoices::subscription_of(ctx, id).and_then(|id| subscriptions::payment_method(ctx, &id)),
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
    match charges::collect(ctx, id, &method, presence) {
        None | Some(ChargeOutcome::Approved) => Ok(ctx.public_json(Kind::Invoice, id)),
        Some(ChargeOutcome::Declined(_)) => {
            let intent = invoices::intent_of(ctx, id).unwrap_or_default();
            Err(charges::declined_error(ctx, &intent))
        }
        Some(ChargeOutcome::RequiresAuthentication) => Err(ApiError::invalid(
            "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.",
        )
        .status(402)
        .with("type", "card_error")
        .code("invoice_payment_intent_requires_action")),
    }
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let automatically = params.flag("auto_advance")?;
    params.finish()?;
    let invoice = ctx.find(Kind::Invoice, id, Named::Url)?;
    if !matches!(invoice["status"].as_str(), Some("draft" | "open")) {
        return Err(
            ApiError::invalid("Finalized invoices can't be updated in this way").code("invoice_not_editable"),
        );
    }
    if let Some(automatically) = automatically {
        let collection = if automatically {
            AutoAdvance::On
        } else {
            AutoAdvance::Off
        };
        subscriptions::set_auto_advance(ctx, id, collection);
    }
    Ok(ctx.public_json(Kind::Invoice, id))
}

pub fn void(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    let invoice = ctx.find(Kind::Invoice, id, Named::Url)?;
    if invoice["status"] != "open" {
        return Err(ApiError::invalid("You can only void an invoice that is open."));
    }
    invoices::void(ctx, id);
    if let Some(subscription) = invoices::subscription_of(ctx, id) {
        subscriptions::invoice_voided(ctx, &subscription);
    }
    Ok(ctx.public_json(Kind::Invoice, id))
}
