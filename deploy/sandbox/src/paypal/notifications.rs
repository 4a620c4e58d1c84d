//! Webhooks as objects, the events they were told, and whether a delivery is genuine.

use serde_json::{Value, json};

use super::{
    Ctx, House,
    books::Webhook,
    error::{Answer, ApiError},
    events::TYPES,
    http::{Paging, Verb},
    signing,
};
use crate::{call::Reply, ids::random_upper, outbox::Letter};

const WEBHOOKS_MAX: usize = 10;

pub fn create(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    let url = verb.text("url")?.ok_or_else(|| ApiError::missing("/url"))?;
    if url::Url::parse(url).is_err() {
        return Err(ApiError::wrong("/url"));
    }
    let given = verb.body["event_types"]
        .as_array()
        .filter(|given| !given.is_empty())
        .ok_or_else(|| ApiError::missing("/event_types"))?;
    let names = given.iter().map(|given| {
        let name = given["name"].as_str().unwrap_or_default();
        let is_known = name == "*" || TYPES.iter().any(|(known, _)| *known == name);
        is_known.then(|| name.to_owned()).ok_or_else(|| {
            ApiError::invalid(
                "/event_types",
                "INVALID_EVENT_TYPE",
                "Not a valid webhook event name",
            )
        })
    });
    let event_types = names.collect::<Result<_, _>>()?;
    if ctx
        .books
        .webhooks
        .newest_first()
        .any(|webhook| webhook.url == url)
    {
        return Err(ApiError::of_sale(
            "WEBHOOK_URL_ALREADY_EXISTS",
            "Webhook URL already exists",
        ));
    }
    if ctx.books.webhooks.len() >= WEBHOOKS_MAX {
        return Err(ApiError::of_sale(
            "WEBHOOK_NUMBER_LIMIT_EXCEEDED",
            "Number of webhooks exceeds limit",
        ));
    }
    let webhook = Webhook {
        id: random_upper(17),
        url: url.to_owned(),
        event_types,
    };
    let shown = shown(ctx.house, &webhook);
    ctx.books.webhooks.put(&webhook.id.clone(), webhook);
    Ok(Reply::json(201, &shown))
}

fn shown(house: &House, webhook: &Webhook) -> Value {
    let own = format!("{}/v1/notifications/webhooks/{}", house.url, webhook.id);
    let types: Vec<_> = webhook
        .event_types
        .iter()
        .map(|name| json!({ "name": name }))
        .collect();
    json!({
        "id": webhook.id,
        "url": webhook.url,
        "event_types": types,
        "links": [
            { "href": own, "rel": "self", "method": "GET" },
            { "href": own, "rel": "delete", "method": "DELETE" },
        ],
    })
}

pub fn list(ctx: &Ctx<'_>) -> Reply {
    let webhooks: Vec<_> = ctx
        .books
        .webhooks
        .newest_first()
        .map(|webhook| shown(ctx.house, webhook))
        .collect();
    Reply::json(200, &json!({ "webhooks": webhooks }))
}

pub fn show(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let webhook = ctx.books.webhooks.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, &shown(ctx.house, webhook)))
}

pub fn delete(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    ctx.books.webhooks.remove(id).ok_or_else(ApiError::not_found)?;
    ctx.books.agenda.outbox.drop_endpoint(id);
    Ok(Reply::empty(204))
}

pub fn events(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    let paging = Paging::of(verb)?;
    let wanted = |name: &str| verb.call.asked_for(name);
    let (event_type, from, until) = (wanted("event_type"), wanted("start_time"), wanted("end_time"));
    let chosen = ctx.books.events.newest_first().filter(|event| {
        let at = event["create_time"].as_str().unwrap_or_default();
        event_type
            .as_deref()
            .is_none_or(|wanted| event["event_type"] == wanted)
            && from.as_deref().is_none_or(|from| at >= from)
            && until.as_deref().is_none_or(|until| at <= until)
    });
    Ok(paging.reply("events", chosen))
}

pub fn event(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let event = ctx.books.events.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, event))
}

/// Once more to every webhook, or to those that are named.
pub fn resend(ctx: &mut Ctx<'_>, verb: &Verb<'_>, id: &str) -> Answer {
    let event = ctx.books.events.get(id).ok_or_else(ApiError::not_found)?.clone();
    let event_type = event["event_type"].as_str().unwrap_or_default();
    let named = verb.body["webhook_ids"].as_array();
    let endpoints: Vec<String> = ctx
        .books
        .webhooks
        .newest_first()
        .filter(|webhook| named.is_none_or(|named| named.iter().any(|id| id == webhook.id.as_str())))
        .map(|webhook| webhook.id.clone())
        .collect();
    for endpoint in &endpoints {
        let letter = Letter {
            event: id,
            event_type,
            endpoint,
            now: ctx.now,
        };
        ctx.books.agenda.outbox.post(&letter, &ctx.house.faults);
    }
    Ok(Reply::json(202, &event))
}

pub fn verify(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    for field in [
        "auth_algo",
        "cert_url",
        "transmission_id",
        "transmission_sig",
        "transmission_time",
        "webhook_id",
    ] {
        if verb.text(field)?.is_none() {
            return Err(ApiError::missing(&format!("/{field}")));
        }
    }
    if !verb.body["webhook_event"].is_object() {
        return Err(ApiError::missing("/webhook_event"));
    }
    let webhook = verb.text("webhook_id")?.unwrap_or_default();
    let is_ours = ctx.books.webhooks.get(webhook).is_some();
    let verdict = if is_ours && signing::is_genuine(ctx.house, verb.body) {
        "SUCCESS"
    } else {
        "FAILURE"
    };
    Ok(Reply::json(200, &json!({ "verification_status": verdict })))
}
