//! Products and plans.

use serde_json::{Value, json};

use super::request::{ApiRequest, Paging};
use crate::{
    engine::{calendar::rfc3339, http::call::Reply, ids::random_upper},
    paypal::{
        error::{ApiError, ApiResult},
        events::emit_plan_event,
        plan_terms::Terms,
        provider::{Context, PaypalProvider},
    },
};

const PRODUCT_TYPES: [&str; 3] = ["PHYSICAL", "DIGITAL", "SERVICE"];

pub fn create_product(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    let name = request.text("name")?.ok_or_else(|| ApiError::missing("/name"))?;
    let kind = request.text("type")?.ok_or_else(|| ApiError::missing("/type"))?;
    if !PRODUCT_TYPES.contains(&kind) {
        return Err(ApiError::wrong("/type"));
    }
    let id = match request.text("id")? {
        Some(id) if !(6..=50).contains(&id.len()) => return Err(ApiError::wrong("/id")),
        Some(id) if ctx.state.products.get(id).is_some() => {
            return Err(ApiError::unprocessable(
                "DUPLICATE_RESOURCE_IDENTIFIER",
                "Duplicate resource identifier.",
            ));
        }
        Some(id) => id.to_owned(),
        None => format!("PROD-{}", random_upper(17)),
    };
    let mut product = json!({ "id": id, "name": name, "type": kind });
    for field in ["description", "category", "image_url", "home_url"] {
        if let Some(text) = request.text(field)? {
            product[field] = text.into();
        }
    }
    let own = format!("{}/v1/catalogs/products/{id}", ctx.provider.url);
    product["create_time"] = rfc3339(ctx.now).into();
    product["update_time"] = rfc3339(ctx.now).into();
    product["links"] = json!([
        { "href": own, "rel": "self", "method": "GET" },
        { "href": own, "rel": "edit", "method": "PATCH" },
    ]);
    ctx.state.products.put(&id, product.clone());
    Ok(Reply::json(201, &product))
}

pub fn product(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let product = ctx.state.products.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, product))
}

pub fn products(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    let paging = Paging::of(request)?;
    Ok(paging.reply("products", ctx.state.products.newest_first()))
}

pub fn create_plan(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    let product = request
        .text("product_id")?
        .ok_or_else(|| ApiError::missing("/product_id"))?;
    let name = request.text("name")?.ok_or_else(|| ApiError::missing("/name"))?;
    Terms::read(request.body)?;
    let status = request.text("status")?.unwrap_or("ACTIVE");
    if !["CREATED", "INACTIVE", "ACTIVE"].contains(&status) {
        return Err(ApiError::wrong("/status"));
    }
    if ctx.state.products.get(product).is_none() {
        return Err(ApiError::not_found());
    }
    let id = format!("P-{}", random_upper(24));
    let preferences = &request.body["payment_preferences"];
    let mut plan = json!({
        "id": id, "product_id": product, "name": name, "status": status, "usage_type": "LICENSED",
        "billing_cycles": request.body["billing_cycles"],
        "payment_preferences": {
            "service_type": "PREPAID",
            "auto_bill_outstanding": preferences["auto_bill_outstanding"] != false,
            "setup_fee": preferences["setup_fee"],
            "setup_fee_failure_action": preferences["setup_fee_failure_action"].as_str().unwrap_or("CANCEL"),
            "payment_failure_threshold": preferences["payment_failure_threshold"].as_i64().unwrap_or(0),
        },
        "quantity_supported": request.body["quantity_supported"] == true,
        "create_time": rfc3339(ctx.now),
        "update_time": rfc3339(ctx.now),
    });
    if let Some(description) = request.text("description")? {
        plan["description"] = description.into();
    }
    link(ctx.provider, &mut plan);
    ctx.state.plans.put(&id, plan.clone());
    emit_plan_event(ctx, "BILLING.PLAN.CREATED", &plan);
    Ok(Reply::json(201, &plan))
}

fn link(provider: &PaypalProvider, plan: &mut Value) {
    let own = format!(
        "{}/v1/billing/plans/{}",
        provider.url,
        plan["id"].as_str().unwrap_or_default()
    );
    let next = if plan["status"] == "ACTIVE" {
        "deactivate"
    } else {
        "activate"
    };
    plan["links"] = json!([
        { "href": own, "rel": "self", "method": "GET" },
        { "href": own, "rel": "edit", "method": "PATCH" },
        { "href": format!("{own}/{next}"), "rel": next, "method": "POST" },
    ]);
}

pub fn plan(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    let plan = ctx.state.plans.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, plan))
}

pub fn plans(ctx: &mut Context<'_>, request: &ApiRequest<'_>) -> ApiResult {
    let paging = Paging::of(request)?;
    let product = request.call.query_param("product_id");
    let selected = ctx.state.plans.newest_first().filter(|plan| {
        product
            .as_deref()
            .is_none_or(|product| plan["product_id"] == product)
    });
    Ok(paging.reply("plans", selected))
}

pub fn activate(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    set_status(ctx, id, "ACTIVE", "BILLING.PLAN.ACTIVATED")
}

pub fn deactivate(ctx: &mut Context<'_>, id: &str) -> ApiResult {
    set_status(ctx, id, "INACTIVE", "BILLING.PLAN.DEACTIVATED")
}

fn set_status(ctx: &mut Context<'_>, id: &str, status: &str, event_type: &str) -> ApiResult {
    let plan = ctx.state.plans.get_mut(id).ok_or_else(ApiError::not_found)?;
    if plan["status"] == status {
        return Err(ApiError::unprocessable(
            "PLAN_STATUS_INVALID",
            "Invalid plan status for the requested action.",
        ));
    }
    plan["status"] = status.into();
    plan["update_time"] = rfc3339(ctx.now).into();
    link(ctx.provider, plan);
    let plan = plan.clone();
    emit_plan_event(ctx, event_type, &plan);
    Ok(Reply::empty(204))
}
