//! Charges.

use crate::stripe::{
    context::Named,
    lists::{ListScope, Page, list},
    object_kind::Kind,
    protocol::{error::ApiResult, params::Params},
    provider::Context,
};

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::Charge, id, Named::Url)?;
    Ok(ctx.public_json(Kind::Charge, id))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let customer = params.text("customer")?;
    let intent = params.text("payment_intent")?;
    params.ignore(&["transfer_group"]);
    params.finish()?;
    list(
        ctx,
        &ListScope::of(Kind::Charge, customer.as_deref()),
        &page,
        |charge| {
            intent
                .as_ref()
                .is_none_or(|intent| charge["payment_intent"] == **intent)
        },
    )
}
