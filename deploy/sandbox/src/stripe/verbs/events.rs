//! Events, as they were when they happened.

use serde_json::json;

use crate::{
    faults::glob,
    stripe::{
        books::id_of,
        ctx::{Ctx, Named},
        error::Answer,
        kinds::Kind,
        lists::{Choice, Page, list},
        params::Params,
    },
};

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    let mut event = ctx.find(Kind::Event, id, Named::Url)?;
    event["pending_webhooks"] = json!(ctx.books.outbox.open_for(id));
    Ok(event)
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let page = Page::read(&mut params)?;
    let one = params.text("type")?;
    let types = params.texts("types")?;
    params.refuse(&["delivery_success"])?;
    params.finish()?;
    let mut found = list(ctx, &Choice::all(Kind::Event), &page, |event| {
        let name = event["type"].as_str().unwrap_or_default();
        one.as_ref().is_none_or(|pattern| glob(pattern, name))
            && (types.is_empty() || types.iter().any(|wanted| wanted == name))
    })?;
    if let Some(events) = found["data"].as_array_mut() {
        for event in events {
            let open = ctx.books.outbox.open_for(id_of(event));
            event["pending_webhooks"] = json!(open);
        }
    }
    Ok(found)
}
