//! `invoices/create_preview`: the invoice of a price change.

use crate::stripe::{
    billing::proration,
    context::Named,
    object_kind::Kind,
    protocol::{
        error::{ApiError, ApiResult},
        params::Params,
    },
    provider::Context,
};

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let id = params.required("subscription")?;
    let Some(mut details) = params.nested("subscription_details")? else {
        return Err(ApiError::missing_parameter("subscription_details"));
    };
    details.one_of("proration_behavior", &["always_invoice"])?;
    let new = proration::read(&mut details, ctx.now)?;
    details.finish()?;
    params.finish()?;
    let subscription = ctx.find(Kind::Subscription, &id, Named::Param("subscription"))?;
    let new = new.ok_or_else(|| ApiError::missing_parameter("subscription_details[items]"))?;
    let change = proration::calculate(ctx, &subscription, &new)?;
    Ok(proration::preview(ctx, &id, &change))
}
