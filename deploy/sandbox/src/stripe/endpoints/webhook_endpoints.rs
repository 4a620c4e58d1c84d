//! `webhook_endpoints`: create, show, update, delete, list.

use serde_json::json;

use crate::{
    engine::simulator::ProviderState,
    stripe::{
        context::{Named, merge_metadata},
        lists::{ListScope, Page, list},
        object_kind::{Kind, random},
        protocol::{
            error::{ApiError, ApiResult},
            params::Params,
        },
        provider::{API_VERSION, Context, Webhook},
        webhooks::endpoint as webhook_endpoint,
    },
};

pub fn create(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    params.refuse(&["connect"])?;
    let url = params.required("url")?;
    let enabled_events = params.texts("enabled_events")?;
    let version = params.one_of("api_version", &[API_VERSION])?;
    let description = params.text("description")?;
    let metadata = params.metadata()?;
    params.finish()?;
    if enabled_events.is_empty() {
        return Err(ApiError::missing_parameter("enabled_events"));
    }
    check_url(&url)?;

    let webhook = Webhook {
        url,
        secret: format!("whsec_{}", random(32)),
        events: enabled_events,
    };
    let id = Kind::WebhookEndpoint.new_id();
    let mut endpoint = webhook_endpoint::build(&id, &webhook, ctx.now);
    endpoint["api_version"] = json!(version);
    endpoint["description"] = json!(description);
    merge_metadata(&mut endpoint["metadata"], metadata);
    let id = ctx.insert(Kind::WebhookEndpoint, endpoint);
    let mut json = ctx.public_json(Kind::WebhookEndpoint, &id);
    json["secret"] = json!(webhook.secret);
    Ok(json)
}

fn check_url(url: &str) -> Result<(), ApiError> {
    let scheme = url::Url::parse(url).ok().map(|url| url.scheme().to_owned());
    match scheme.as_deref() {
        Some("http" | "https") => Ok(()),
        _ => Err(
            ApiError::invalid("Invalid URL: An explicit scheme (such as https) must be provided.")
                .code("url_invalid")
                .param("url"),
        ),
    }
}

pub fn retrieve(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::WebhookEndpoint, id, Named::Url)?;
    Ok(ctx.public_json(Kind::WebhookEndpoint, id))
}

pub fn update(ctx: &mut Context<'_>, id: &str, mut params: Params) -> ApiResult {
    let url = params.text("url")?;
    let enabled_events = params.texts("enabled_events")?;
    let disabled = params.flag("disabled")?;
    let description = params.clearable("description")?;
    let metadata = params.metadata()?;
    params.finish()?;
    ctx.find(Kind::WebhookEndpoint, id, Named::Url)?;
    if let Some(url) = &url {
        check_url(url)?;
    }

    ctx.change(Kind::WebhookEndpoint, id, |endpoint| {
        if let Some(url) = url {
            endpoint["url"] = json!(url);
        }
        if !enabled_events.is_empty() {
            endpoint["enabled_events"] = json!(enabled_events);
        }
        if let Some(disabled) = disabled {
            endpoint["status"] = json!(if disabled { "disabled" } else { "enabled" });
        }
        if let Some(description) = description {
            endpoint["description"] = json!(description);
        }
        merge_metadata(&mut endpoint["metadata"], metadata);
    });
    Ok(ctx.public_json(Kind::WebhookEndpoint, id))
}

pub fn delete(ctx: &mut Context<'_>, id: &str, params: Params) -> ApiResult {
    params.finish()?;
    ctx.find(Kind::WebhookEndpoint, id, Named::Url)?;
    ctx.state.remove(Kind::WebhookEndpoint, id);
    ctx.state.runtime().webhooks.remove_endpoint(id);
    Ok(json!({ "id": id, "object": "webhook_endpoint", "deleted": true }))
}

pub fn list_all(ctx: &mut Context<'_>, mut params: Params) -> ApiResult {
    let page = Page::read(&mut params)?;
    params.finish()?;
    list(ctx, &ListScope::all(Kind::WebhookEndpoint), &page, |_| true)
}
