//! Webhooks, their events, and the verification of signatures.

use serde_json::{Value, json};

use super::request::{ApiRequest, Paging};
use crate::engine::simulator::ProviderState;
use crate::{
    engine::{http::call::Reply, ids::random_upper},
    paypal::{
        error::{ApiError, ApiResult},
        events::TYPES,
        provider::{Context, PaypalProvider},
        state::Webhook,
        webhook_signature,
    },
};

const WEBHOOKS_MAX: usize = 10;

pub fn create(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    let url = request.text("url")?.ok_or_else(|| ApiError::missing("/url"))?;
    if url::Url::parse(url).is_err() {
        return Err(ApiError::wrong("/url"));
    }
    let given = request.body["event_types"]
        .as_array()
        .filter(|given| !given.is_empty())
        .ok_or_else(|| ApiError::missing("/event_types"))?;
    let names = given.iter().map(|given| {
        let name = given["name"].as_str().unwrap_or_default();
        let is_supported = name == "*" || TYPES.iter().any(|(known, _)| *known == name);
        is_supported.then(|| name.to_owned()).ok_or_else(|| {
            ApiError::invalid(
                "/event_types",
                "INVALID_EVENT_TYPE",
                "Not a valid webhook event name",
            )
        })
    });
    let event_types = names.collect::<Result<_, _>>()?;
    if ctx
        .state
        .webhooks
        .newest_first()
        .any(|webhook| webhook.url == url)
    {
        return Err(ApiError::v1(
            "WEBHOOK_URL_ALREADY_EXISTS",
            "Webhook URL already exists",
        ));
    }
    if ctx.state.webhooks.len() >= WEBHOOKS_MAX {
        return Err(ApiError::v1(
            "WEBHOOK_NUMBER_LIMIT_EXCEEDED",
            "Number of webhooks exceeds limit",
        ));
    }
    let webhook = Webhook {
        id: random_upper(17),
        url: url.to_owned(),
        event_types,
    };
    let json = to_json(ctx.provider, &webhook);
    ctx.state.webhooks.put(&webhook.id.clone(), webhook);
    Ok(Reply::json(201, &json))
}

fn to_json(provider: &PaypalProvider, webhook: &Webhook) -> Value {
    let own = format!("{}/v1/notifications/webhooks/{}", provider.url, webhook.id);
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

pub fn list(ctx: &Context<'_>) -> Reply {
    let webhooks: Vec<_> = ctx
        .state
        .webhooks
        .newest_first()
        .map(|webhook| to_json(ctx.provider, webhook))
        .collect();
    Reply::json(200, &json!({ "webhooks": webhooks }))
}

pub fn show(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let webhook = ctx.state.webhooks.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, &to_json(ctx.provider, webhook)))
}

pub fn delete(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    ctx.state.webhooks.remove(id).ok_or_else(ApiError::not_found)?;
    ctx.state.runtime().webhooks.remove_endpoint(id);
    Ok(Reply::empty(204))
}

pub fn events(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    let paging = Paging::of(request)?;
    let param = |name: &str| request.call.query_param(name);
    let (event_type, from, until) = (param("event_type"), param("start_time"), param("end_time"));
    let selected = ctx.state.events.newest_first().filter(|event| {
        let at = event["create_time"].as_str().unwrap_or_default();
        event_type
            .as_deref()
            .is_none_or(|wanted| event["event_type"] == wanted)
            && from.as_deref().is_none_or(|from| at >= from)
            && until.as_deref().is_none_or(|until| at <= until)
    });
    Ok(paging.reply("events", selected))
}

pub fn event(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let event = ctx.state.events.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, event))
}

/// Sends an event again, to every webhook or to the named ones.
pub fn resend(ctx: &mut Context<'_>, request: &ApiRequest<'_>, id: &str) -> ApiResult {
    let event = ctx.state.events.get(id).ok_or_else(ApiError::not_found)?.clone();
    let event_type = event["event_type"].as_str().unwrap_or_default();
    let named = request.body["webhook_ids"].as_array();
    let endpoints: Vec<String> = ctx
        .state
        .webhooks
        .newest_first()
        .filter(|webhook| named.is_none_or(|named| named.iter().any(|id| id == webhook.id.as_str())))
        .map(|webhook| webhook.id.clone())
        .collect();
    for endpoint in &endpoints {
        ctx.enqueue_webhook(id, event_type, endpoint);
    }
    Ok(Reply::json(202, &event))
}

pub fn verify(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    for field in [
        "auth_algo",
        "cert_url",
        "transmission_id",
        "transmission_sig",
        "transmission_time",
        "webhook_id",
    ] {
        if request.text(field)?.is_none() {
            return Err(ApiError::missing(&format!("/{field}")));
        }
    }
    if !request.body["webhook_event"].is_object() {
        return Err(ApiError::missing("/webhook_event"));
    }
    let webhook = request.text("webhook_id")?.unwrap_or_default();
    let is_known_webhook = ctx.state.webhooks.get(webhook).is_some();
    let status = if is_known_webhook && webhook_signature::is_valid(ctx.provider, request.body) {
        "SUCCESS"
    } else {
        "FAILURE"
    };
    Ok(Reply::json(200, &json!({ "verification_status": status })))
}
