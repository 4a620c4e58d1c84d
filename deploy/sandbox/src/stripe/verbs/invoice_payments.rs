//! Which payment intent pays which invoice.

use crate::stripe::{
    ctx::{Ctx, Named},
    error::Answer,
    kinds::Kind,
    lists::{Choice, Page, list},
    params::Params,
};

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    ctx.find(Kind::InvoicePayment, id, Named::Url)?;
    Ok(ctx.show(Kind::InvoicePayment, id))
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
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
    list(ctx, &Choice::all(Kind::InvoicePayment), &page, |payment| {
        invoice
            .as_ref()
            .is_none_or(|invoice| payment["invoice"] == **invoice)
            && status.as_ref().is_none_or(|status| payment["status"] == **status)
            && intent
                .as_ref()
                .is_none_or(|intent| payment["payment"]["payment_intent"] == **intent)
    })
}
