//! Products and billing plans.

use serde_json::{Value, json};

use super::{
    Ctx, House,
    error::{Answer, ApiError},
    events::tell_of_plan,
    http::{Paging, Verb},
    terms::Terms,
};
use crate::{calendar::rfc3339, call::Reply, ids::random_upper};

const PRODUCT_TYPES: [&str; 3] = ["PHYSICAL", "DIGITAL", "SERVICE"];

pub fn create_product(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    let name = verb.text("name")?.ok_or_else(|| ApiError::missing("/name"))?;
    let kind = verb.text("type")?.ok_or_else(|| ApiError::missing("/type"))?;
    if !PRODUCT_TYPES.contains(&kind) {
        return Err(ApiError::wrong("/type"));
    }
    let id = match verb.text("id")? {
        Some(id) if !(6..=50).contains(&id.len()) => return Err(ApiError::wrong("/id")),
        Some(id) if ctx.books.products.get(id).is_some() => {
            return Err(ApiError::refused(
                "DUPLICATE_RESOURCE_IDENTIFIER",
                "Duplicate resource identifier.",
            ));
        }
        Some(id) => id.to_owned(),
        None => format!("PROD-{}", random_upper(17)),
    };
    let mut product = json!({ "id": id, "name": name, "type": kind });
    for field in ["description", "category", "image_url", "home_url"] {
        if let Some(text) = verb.text(field)? {
            product[field] = text.into();
        }
    }
    let own = format!("{}/v1/catalogs/products/{id}", ctx.house.url);
    product["create_time"] = rfc3339(ctx.now).into();
    product["update_time"] = rfc3339(ctx.now).into();
    product["links"] = json!([
        { "href": own, "rel": "self", "method": "GET" },
        { "href": own, "rel": "edit", "method": "PATCH" },
    ]);
    ctx.books.products.put(&id, product.clone());
    Ok(Reply::json(201, &product))
}

pub fn product(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let product = ctx.books.products.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, product))
}

pub fn products(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    let paging = Paging::of(verb)?;
    Ok(paging.reply("products", ctx.books.products.newest_first()))
}

pub fn create_plan(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    let product = verb
        .text("product_id")?
        .ok_or_else(|| ApiError::missing("/product_id"))?;
    let name = verb.text("name")?.ok_or_else(|| ApiError::missing("/name"))?;
    Terms::read(verb.body)?;
    let status = verb.text("status")?.unwrap_or("ACTIVE");
    if !["CREATED", "INACTIVE", "ACTIVE"].contains(&status) {
        return Err(ApiError::wrong("/status"));
    }
    if ctx.books.products.get(product).is_none() {
        return Err(ApiError::not_found());
    }
    let id = format!("P-{}", random_upper(24));
    let preferences = &verb.body["payment_preferences"];
    let mut plan = json!({
        "id": id, "product_id": product, "name": name, "status": status, "usage_type": "LICENSED",
        "billing_cycles": verb.body["billing_cycles"],
        "payment_preferences": {
            "service_type": "PREPAID",
            "auto_bill_outstanding": preferences["auto_bill_outstanding"] != false,
            "setup_fee": preferences["setup_fee"],
            "setup_fee_failure_action": preferences["setup_fee_failure_action"].as_str().unwrap_or("CANCEL"),
            "payment_failure_threshold": preferences["payment_failure_threshold"].as_i64().unwrap_or(0),
        },
        "quantity_supported": verb.body["quantity_supported"] == true,
        "create_time": rfc3339(ctx.now),
        "update_time": rfc3339(ctx.now),
    });
    if let Some(description) = verb.text("description")? {
        plan["description"] = description.into();
    }
    link(ctx.house, &mut plan);
    ctx.books.plans.put(&id, plan.clone());
    tell_of_plan(ctx, "BILLING.PLAN.CREATED", &plan);
    Ok(Reply::json(201, &plan))
}

fn link(house: &House, plan: &mut Value) {
    let own = format!(
        "{}/v1/billing/plans/{}",
        house.url,
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

pub fn plan(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    let plan = ctx.books.plans.get(id).ok_or_else(ApiError::not_found)?;
    Ok(Reply::json(200, plan))
}

pub fn plans(ctx: &mut Ctx<'_>, verb: &Verb<'_>) -> Answer {
    let paging = Paging::of(verb)?;
    let product = verb.call.asked_for("product_id");
    let chosen = ctx.books.plans.newest_first().filter(|plan| {
        product
            .as_deref()
            .is_none_or(|product| plan["product_id"] == product)
    });
    Ok(paging.reply("plans", chosen))
}

pub fn activate(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    turn(ctx, id, "ACTIVE", "BILLING.PLAN.ACTIVATED")
}

pub fn deactivate(ctx: &mut Ctx<'_>, id: &str) -> Answer {
    turn(ctx, id, "INACTIVE", "BILLING.PLAN.DEACTIVATED")
}

fn turn(ctx: &mut Ctx<'_>, id: &str, status: &str, event_type: &str) -> Answer {
    let plan = ctx.books.plans.get_mut(id).ok_or_else(ApiError::not_found)?;
    if plan["status"] == status {
        return Err(ApiError::refused(
            "PLAN_STATUS_INVALID",
            "Invalid plan status for the requested action.",
        ));
    }
    plan["status"] = status.into();
    plan["update_time"] = rfc3339(ctx.now).into();
    link(ctx.house, plan);
    let plan = plan.clone();
    tell_of_plan(ctx, event_type, &plan);
    Ok(Reply::empty(204))
}
