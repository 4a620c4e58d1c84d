//! `invoice_payments`: the payment intents of invoices.

use crate::stripe::{
    context::Named,
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{error::ApiResult, params::Params},
    provider::Context,
};

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::InvoicePayment, id, Named::Url)?;
    Ok(ctx.public_json(Kind::InvoicePayment, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let invoice = params.text("invoice")?;
    let status = params.one_of("status", &["canceled", "open", "paid"])?;
    let intent = match params.nested("payment")? {
        None => None,
        Some(mut payment) => {
            payment.one_of("type", &["payment_intent"])?;
            let intent = payment.text("payment_intent")?;
            payment.finish()?;
            intent
        }
    };
    params.finish()?;
    list(ctx, &ListScope::all(Kind::InvoicePayment), &page, |payment| {
        invoice
            .as_ref()
            .is_none_or(|invoice| payment["invoice"] == **invoice)
            && status.as_ref().is_none_or(|status| payment["status"] == **status)
            && intent
                .as_ref()
                .is_none_or(|intent| payment["payment"]["payment_intent"] == **intent)
    })
}
