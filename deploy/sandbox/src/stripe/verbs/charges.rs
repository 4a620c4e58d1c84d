//! Charges.

use serde_json::Value;

use crate::stripe::{
    ctx::{Ctx, Named, shown},
    error::Answer,
    kinds::Kind,
    lists::{Choice, Page, embedded, list},
    params::Params,
};

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    ctx.find(Kind::Charge, id, Named::Url)?;
    Ok(ctx.show(Kind::Charge, id))
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    let intent = params.text("payment_intent")?;
    params.ignore(&["transfer_group"]);
    params.finish()?;
    list(
        ctx,
        &Choice::of(Kind::Charge, customer.as_deref()),
        &page,
        |charge| {
            intent
                .as_ref()
                .is_none_or(|intent| charge["payment_intent"] == **intent)
        },
    )
}

pub fn refunds_of(ctx: &Ctx<'_>, id: &str) -> Value {
    let refunds = ctx
        .books
        .newest_first(Kind::Refund, None)
        .filter(|refund| refund["charge"] == id);
    embedded(
        &format!("/v1/charges/{id}/refunds"),
        &refunds.map(shown).collect::<Vec<_>>(),
    )
}
