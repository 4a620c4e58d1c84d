//! Events, as they were when they happened.

use serde_json::{Value, json};

use crate::{
    faults::glob,
    stripe::{
        books::{Books, id_of},
        ctx::{Ctx, Named},
        error::Answer,
        kinds::Kind,
        lists::{Choice, Page, list},
        params::Params,
    },
};

/// How an event is kept: its text, which takes a fifth of the room, and what lists choose by.
pub fn folded(event: &Value) -> Value {
    json!({
        "id": event["id"],
        "created": event["created"],
        "type": event["type"],
        "_text": event.to_string(),
    })
}

/// A kept event as Stripe shows it now.
pub fn unfolded(books: &Books, id: &str) -> Option<Value> {
    let text = books.get(Kind::Event, id)?["_text"].as_str()?;
    let mut event: Value = serde_json::from_str(text).ok()?;
    event["pending_webhooks"] = json!(books.outbox.open_for(id));
    Some(event)
}

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    let kept = ctx.find(Kind::Event, id, Named::Url)?;
    Ok(unfolded(ctx.books, id).unwrap_or(kept))
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
            *event = unfolded(ctx.books, id_of(event)).unwrap_or_default();
        }
    }
    Ok(found)
}
