//! `events`: show and list.

use crate::{
    engine::faults::glob,
    stripe::{
        context::Named,
        lists::{ListScope, Page, list},
        object_kind::Kind,
        protocol::{error::ApiResult, params::Params},
        provider::Context,
        state::id_of,
        webhooks::events,
    },
};

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    let stored = ctx.find(Kind::Event, id, Named::Url)?;
    Ok(events::load(ctx.state, id).unwrap_or(stored))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    let one = params.text("type")?;
    let types = params.texts("types")?;
    params.refuse(&["delivery_success"])?;
    params.finish()?;
    let mut found = list(ctx, &ListScope::all(Kind::Event), &page, |event| {
        let name = event["type"].as_str().unwrap_or_default();
        one.as_ref().is_none_or(|pattern| glob(pattern, name))
            && (types.is_empty() || types.iter().any(|wanted| wanted == name))
    })?;
    if let Some(events) = found["data"].as_array_mut() {
        for event in events {
            *event = events::load(ctx.state, id_of(event)).unwrap_or_default();
        }
    }
    Ok(found)
}
