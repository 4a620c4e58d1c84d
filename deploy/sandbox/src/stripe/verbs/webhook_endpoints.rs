//! Webhook endpoints.

use serde_json::{Value, json};

use crate::stripe::{
    API_VERSION,
    ctx::{Ctx, Named, merge_metadata},
    error::{Answer, ApiError},
    kinds::{Kind, random},
    lists::{Choice, Page, list},
    params::Params,
};

pub fn create(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
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

    let secret = format!("whsec_{}", random(32));
    let id = Kind::WebhookEndpoint.new_id();
    let mut endpoint = build(&id, (&url, &secret), &enabled_events, ctx.now);
    endpoint["api_version"] = json!(version);
    endpoint["description"] = json!(description);
    merge_metadata(&mut endpoint["metadata"], metadata);
    let id = ctx.insert(Kind::WebhookEndpoint, endpoint);
    let mut shown = ctx.show(Kind::WebhookEndpoint, &id);
    shown["secret"] = json!(secret);
    Ok(shown)
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

pub fn build(id: &str, (url, secret): (&str, &str), events: &[String], now: i64) -> Value {
    json!({
        "id": id,
        "object": "webhook_endpoint",
        "api_version": null,
        "application": null,
        "created": now,
        "description": null,
        "enabled_events": events,
        "livemode": false,
        "metadata": {},
        "status": "enabled",
        "url": url,
        "_secret": secret,
    })
}

pub fn retrieve(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    ctx.find(Kind::WebhookEndpoint, id, Named::Url)?;
    Ok(ctx.show(Kind::WebhookEndpoint, id))
}

pub fn update(ctx: &mut Ctx<'_>, id: &str, mut params: Params) -> Answer {
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
    Ok(ctx.show(Kind::WebhookEndpoint, id))
}

pub fn delete(ctx: &mut Ctx<'_>, id: &str, params: Params) -> Answer {
    params.finish()?;
    ctx.find(Kind::WebhookEndpoint, id, Named::Url)?;
    ctx.books.remove(Kind::WebhookEndpoint, id);
    ctx.books.outbox.drop_endpoint(id);
    Ok(json!({ "id": id, "object": "webhook_endpoint", "deleted": true }))
}

pub fn list_all(ctx: &mut Ctx<'_>, mut params: Params) -> Answer {
    let page = Page::read(&mut params)?;
    params.finish()?;
    list(ctx, &Choice::all(Kind::WebhookEndpoint), &page, |_| true)
}
