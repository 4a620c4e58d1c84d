//! `invoices/create_preview`: what a change of a subscription's price would be charged at once.

use crate::stripe::{
    ctx::{Ctx, Named},
    error::{Answer, ApiError},
    kinds::Kind,
    params::Params,
    repricing,
};

pub fn create(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let id = params.required("subscription")?;
    let Some(mut details) = params.nested("subscription_details")? else {
        return Err(ApiError::missing_parameter("subscription_details"));
    };
    details.one_of("proration_behavior", &["always_invoice"])?;
    let new = repricing::read(&mut details, ctx.now)?;
    details.finish()?;
    params.finish()?;
    let subscription = ctx.find(Kind::Subscription, &id, Named::Param("subscription"))?;
    let new = new.ok_or_else(|| ApiError::missing_parameter("subscription_details[items]"))?;
    let change = repricing::work_out(ctx, &subscription, &new)?;
    Ok(repricing::preview(ctx, &id, &change))
}
